// One sample: what was asked, what came, what was found.

let opened = null;

function showSample(sample) {
  opened = sample;
  const detail = detailOf(sample);
  const question = questionOf(sample);
  const view = byId("sample-view");
  const heading = h("h2", { id: "sample-heading", tabindex: "-1" }, sample.case.name, " ", badge(sample.kind));
  replace(view,
    steps(sample),
    heading,
    h("p", { class: "subtitle" }, models[sample.model], ", attempt ", sample.attempt, siblings(sample)),
    detail.reason ? h("p", { class: `reason ${toneOf(sample.kind)}` }, detail.reason) : null,
    facts(detail),
    integrity(detail),
    conditions(detail),
    failures(detail),
    code(detail, question),
    question ? fold("Prompt", h("pre", { class: "text", tabindex: "0" }, question.prompt), true) : null,
    fold("Provenance", definitions(Object.entries(detail.provenance).concat([["run_id", detail.run_id]])), false));
  view.setAttribute("aria-labelledby", "sample-heading");
  heading.focus({ preventScroll: true });
}

function steps(sample) {
  const place = listed.indexOf(sample);
  const step = (other, words, key) => (other
    ? h("a", { href: address(other), title: `${words} (${key})`, id: `step-${words}` }, words)
    : h("span", { class: "faint" }, words));
  return h("nav", { class: "steps", "aria-label": "Samples of the list" },
    h("a", { href: listAddress, id: "back", title: "Esc" }, "← Samples"),
    h("span", { class: "faint" }, place < 0 ? "" : `${whole(place + 1)} of ${whole(listed.length)}`),
    step(place > 0 ? listed[place - 1] : null, "previous", "k"),
    step(place >= 0 ? listed[place + 1] : null, "next", "j"));
}

function siblings(sample) {
  const others = samples.filter((each) => each.case === sample.case && each.model === sample.model && each !== sample);
  if (!others.length) return null;
  return [". Others: ", others.slice(0, 40).map((each) => [
    h("a", { href: address(each), "aria-label": `attempt ${each.attempt}, ${each.kind}` }, `${each.attempt} ${MARKS[each.kind]}`), " "])];
}

function facts(detail) {
  const { score: parts, timing, token_usage: usage, test_execution: tests, clippy } = detail;
  return definitions([
    ["Score", parts ? score(parts.overall) : UNKNOWN],
    ["Compilation", parts ? score(parts.compilation) : UNKNOWN],
    ["Tests", parts ? `${score(parts.tests)}${tests ? ` (${tests.passed} of ${tests.passed + tests.failed})` : ""}` : UNKNOWN],
    ["Clippy", parts ? `${score(parts.clippy)}${clippy ? ` (${counted(clippy.warning_count, "warning")})` : ""}` : UNKNOWN],
    ["Request", duration(timing.llm_request_ms)],
    ["Compile time", duration(timing.compilation_ms)],
    ["Test time", duration(timing.test_execution_ms)],
    ["In all", duration(timing.total_ms)],
    ["Tokens in, out", `${known(usage.prompt_tokens) ? whole(usage.prompt_tokens) : UNKNOWN}, ${known(usage.completion_tokens) ? whole(usage.completion_tokens) : UNKNOWN}`],
    ["Cost", dollars(usage.estimated_cost_usd)],
  ]);
}

const definitions = (pairs) =>
  h("dl", { class: "facts" }, pairs.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, known(value) ? value : UNKNOWN))));

function fold(title, content, open) {
  return h("details", { open }, h("summary", null, h("h3", null, title)), content);
}

function integrity(detail) {
  if (!detail.integrity.length) return null;
  return section("Integrity", h("ul", null, detail.integrity.map((each) =>
    h("li", null, h("strong", null, each.kind), ": ", each.detail, each.forbids ? "" : h("span", { class: "faint" }, " (does not forbid)")))));
}

function conditions(detail) {
  const broken = detail.conditions.filter((each) => !each.holds);
  if (!broken.length) return null;
  return section("Not as the case asks", h("ul", null, broken.map((each) =>
    h("li", null, h("strong", null, each.name), each.detail ? `: ${each.detail}` : ""))));
}

function failures(detail) {
  const failed = detail.test_execution?.failures || [];
  if (!failed.length) return null;
  return section(`Failing tests (${failed.length})`, failed.map((each, number) => h("details", { open: number < 5, class: "failure" },
    h("summary", null, h("code", null, each.name)),
    h("pre", { class: "text", tabindex: "0" }, each.message || "not proved to have passed"),
    each.stdout ? [h("p", { class: "faint" }, "Output"), h("pre", { class: "text", tabindex: "0" }, each.stdout)] : null)));
}

function code(detail, question) {
  const { compilation, clippy } = detail;
  const remarks = [...(compilation?.errors || []), ...(clippy?.warnings || []), ...(compilation?.warnings || [])];
  const list = remarks.length ? h("ol", { class: "remarks" }, remarks.map((each) => h("li", null,
    each.spans[0] ? h("button", { type: "button", onclick: () => goToLine(each.spans[0].line_start) }, `line ${each.spans[0].line_start}`) : null,
    " ", h("strong", null, each.level, each.code ? ` ${each.code}` : ""), " ", each.message))) : null;
  const body = known(detail.generated_code)
    ? codeBlock(detail.generated_code, question?.language || "rust", remarks)
    : h("p", { class: "faint" }, "There is no code.");
  return [remarks.length ? section(`Diagnostics (${remarks.length})`, list) : null, section("Code", body)];
}

function goToLine(number) {
  const line = byId(`L${number}`);
  line?.scrollIntoView({ block: "center" });
  line?.classList.add("flash");
}

const section = (title, ...content) => h("section", null, h("h3", null, title), content);
