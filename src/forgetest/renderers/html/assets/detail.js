// What is known of one sample, part by part.

const MARKS = { correct: "✓", "tests failed": "✗", "not compiled": "⊘", integrity: "⚑", condition: "✗", "no code": "∅", "cut off": "…", unjudged: "?" };
const toneOf = (kind) => (kind === "correct" ? "good" : kind === "unjudged" ? "unknown" : "bad");
const badge = (kind) => h("span", { class: `badge ${toneOf(kind)}` }, h("span", { "aria-hidden": "true" }, MARKS[kind], " "), kind);

function facts(detail) {
  const { score: parts, timing = {}, token_usage: usage = {}, test_execution: tests, clippy, controls } = detail;
  return definitions([
    ["Score", parts ? score(parts.overall) : UNKNOWN],
    ["Compilation", parts ? score(parts.compilation) : UNKNOWN],
    ["Tests", parts ? `${score(parts.tests)}${tests ? ` (${tests.passed} of ${tests.passed + tests.failed})` : ""}` : UNKNOWN],
    ["Lint", parts ? `${score(parts.clippy)}${clippy ? ` (${counted(clippy.warning_count, "warning")})` : ""}` : UNKNOWN],
    ...(controls ? [["Controls", `${controls.passed}/${controls.asked} passed`]] : []),
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
  if (!detail.integrity?.length) return null;
  return section("Integrity", h("ul", null, detail.integrity.map((each) =>
    h("li", null, h("strong", null, each.kind), ": ", each.detail, each.forbids ? "" : h("span", { class: "faint" }, " (does not forbid)")))));
}

function flakiness(detail) {
  if (!detail.recheck?.disagreeing) return null;
  const { times, disagreeing, changes } = detail.recheck;
  return section("Flaky", h("p", null, `Judged again ${times} times: ${disagreeing} of these verdicts differ from this one.`),
    h("ul", null, changes.map((each) => h("li", null, each))));
}

function conditions(detail) {
  const broken = (detail.conditions || []).filter((each) => !each.holds);
  if (!broken.length) return null;
  return section("Conditions not met", h("ul", null, broken.map((each) =>
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

function code(detail, language, options = {}) {
  const { compilation, clippy } = detail;
  const remarks = [...(compilation?.errors || []), ...(clippy?.warnings || []), ...(compilation?.warnings || [])];
  const list = remarks.length ? h("ol", { class: "remarks" }, remarks.map((each) => h("li", null,
    each.spans?.[0] ? h("button", { type: "button", onclick: () => goToLine(each.spans[0].line_start, options.prefix) }, `line ${each.spans[0].line_start}`) : null,
    " ", h("strong", null, each.level, each.code ? ` ${each.code}` : ""), " ", each.message))) : null;
  const body = known(detail.generated_code)
    ? codeBlock(detail.generated_code, language, remarks, options)
    : h("p", { class: "faint" }, "There is no code.");
  return [remarks.length ? section(`Diagnostics (${remarks.length})`, list) : null, section("Code", body)];
}

function goToLine(number, prefix = "L") {
  const line = byId(`${prefix}${number}`);
  line?.scrollIntoView({ block: "center" });
  line?.classList.add("flash");
}

const section = (title, ...content) => h("section", null, h("h3", null, title), content);
