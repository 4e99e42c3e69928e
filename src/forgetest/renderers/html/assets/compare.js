// Two reports: what changed, and for each change the samples of both.

const comparison = read("comparison");
const listedChanges = [
  ...comparison.regressions.map((each) => ({ ...each, kind: "regression" })),
  ...comparison.improvements.map((each) => ({ ...each, kind: "improvement" })),
  ...comparison.unchanged.map((each) => ({ ...each, kind: "unchanged" })),
].map((each, number) => ({ ...each, number }));
const incomparable = comparison.not_comparable.map((each) => ({ ...each, kind: "not comparable" }));
const everything = [...listedChanges, ...incomparable].map((each) => ({ ...each, name: `${each.eval_set_id}/${each.case_id}` }));

const points = (delta) => h("span", { class: delta > 0 ? "rise" : delta < 0 ? "fall" : null }, `${delta > 0 ? "+" : ""}${(100 * delta).toFixed(1)}`);
const changeAddress = (each) => `#/change/${[each.eval_set_id, each.case_id, each.model].map(encodeURIComponent).join("/")}`;
const addresses = new Map(everything.map((each) => [changeAddress(each), each]));

function drawTop() {
  byId("headline").textContent = comparison.headline;
  replace(byId("sources"), [["Baseline", comparison.baseline], ["Current", comparison.current]].map(([title, source]) =>
    h("div", null, h("h3", null, title), definitions([["File", source.path], ["Created", source.created_at.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC")], ["Report", source.id]]))));
  const notices = [];
  if (comparison.paired_models) {
    notices.push(`Each report holds one model, so two models are compared: ${comparison.paired_models.baseline} and ${comparison.paired_models.current}.`);
  }
  for (const each of comparison.changed_conditions) {
    notices.push(`Not the same in both reports, so the change may not be the model's: ${each.name}: ${each.baseline ?? "not recorded"} → ${each.current ?? "not recorded"}`);
  }
  replace(byId("notices"), notices.map((text) => h("p", { class: "notice" }, text)));
}

function sidesOf(each, value, interval, write, writeEnds) {
  return ["baseline", "current"].map((side) => h("td", { class: "numeric" },
    write(value(each[side])), interval(each[side]) ? h("small", { class: "interval" }, writeEnds(interval(each[side]))) : null));
}

function drawModelTable(id, caption, entries, first) {
  const passing = Object.keys(entries[0]?.baseline.pass_at_k || {});
  const columns = [...first, { name: "Cases", numeric: true },
    ...["Score", ...passing.map((k) => `Pass@${k}`)].flatMap((name) => [{ name: `${name}, baseline`, numeric: true }, { name: "current", numeric: true }]),
    ...(entries[0]?.evidence ? [{ name: "Significance" }] : [])];
  const { table: drawn, body } = table(caption, columns, { kind: "models" });
  for (const each of entries) {
    body.append(h("tr", null,
      first.map(({ value }, number) => (number ? h("td", null, value(each)) : h("th", { scope: "row" }, value(each)))),
      h("td", { class: "numeric" }, whole(each.cases)),
      sidesOf(each, (side) => side.mean_score, (side) => side.intervals.mean_score, score, scores),
      passing.map((k) => sidesOf(each, (side) => side.pass_at_k[k], (side) => side.intervals.pass_at_k[k], percent, percents)),
      each.evidence ? h("td", null, h("strong", null, each.evidence.ruling), `, p ${each.evidence.p_worse_adjusted.toPrecision(2)} for worse`) : null));
  }
  replace(byId(id), drawn);
}

function drawCases() {
  const columns = [{ name: "Case" }, { name: "Model" }, { name: "Outcome" }, { name: "Baseline", numeric: true }, { name: "Current", numeric: true }, { name: "Change, points", numeric: true }];
  const { table: drawn, body } = table("Cases", columns, { kind: "samples changes" });
  const rows = new Rows(body, caseRow);
  const kinds = ["regression", "improvement", "unchanged", "not comparable"].filter((kind) => everything.some((each) => each.kind === kind));
  replace(byId("filter-kind"), h("option", { value: "" }, "all"), kinds.map((kind) => h("option", { value: kind }, kind)));
  const draw = () => {
    const [text, kind] = [byId("search").value.trim().toLowerCase(), byId("filter-kind").value];
    const chosen = everything.filter((each) => (!kind || each.kind === kind) && (!text || `${each.name} ${each.model}`.toLowerCase().includes(text)));
    rows.show(chosen);
    byId("count").textContent = chosen.length === everything.length ? counted(everything.length, "row") : `${whole(chosen.length)} of ${counted(everything.length, "row")}`;
  };
  byId("search").addEventListener("input", calmly(draw, 80));
  byId("filter-kind").addEventListener("change", draw);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  replace(byId("cases"), drawn);
  arrowKeys(byId("cases"), rows);
  draw();
}

const TONES = { regression: "bad", improvement: "good", unchanged: "plain", "not comparable": "unknown" };

function caseRow(each) {
  const held = each.number !== undefined && byId(`data-change-${each.number}`);
  const cell = (label, content) => h("td", { class: "numeric", "data-label": label }, content);
  return h("tr", null,
    h("th", { scope: "row" }, held ? h("a", { href: changeAddress(each) }, each.name) : each.name),
    h("td", null, each.model),
    h("td", null, h("span", { class: `badge ${TONES[each.kind]}` }, each.reason || each.kind)),
    cell("Baseline", score(each.baseline)), cell("Current", score(each.current)),
    cell("Change", known(each.delta) ? points(each.delta) : UNKNOWN));
}

function side(title, samples, prefix, kinds, language) {
  const [first, ...others] = samples;
  if (!first) return h("div", null, h("h3", null, title), h("p", { class: "faint" }, "no sample"));
  return h("div", null, h("h3", null, title, ` (${first.provider}/${first.model}, attempt ${first.attempt ?? 1})`),
    first.reason ? h("p", { class: "reason" }, first.reason) : null,
    facts(first), integrity(first), flakiness(first), conditions(first),
    code(first, language, { prefix, kinds, label: `Code, ${title}` }), failures(first),
    others.length ? h("details", null, h("summary", null, `${counted(others.length, "more attempt")}`),
      others.map((each, number) => [h("h4", null, `attempt ${each.attempt ?? number + 2}`), each.reason ? h("p", null, each.reason) : null, code(each, language, { prefix: `${prefix}${number}-`, label: `Code, ${title}, attempt ${each.attempt}` }), failures(each)])) : null);
}

// Of several attempts, one that shows the change: a right one where the score is higher, a wrong one where it is lower.
function telling(samples, better) {
  const wished = samples.find((each) => known(each.correct) && each.correct === better) || samples[0];
  return wished ? [wished, ...samples.filter((each) => each !== wished)] : [];
}

function showChange(each) {
  const sides = read(`change-${each.number}`);
  const baseline = telling(sides.baseline, each.delta < 0);
  const current = telling(sides.current, each.delta > 0);
  const { removed, added } = differing(baseline[0]?.generated_code || "", current[0]?.generated_code || "");
  const heading = h("h2", { id: "change-heading", tabindex: "-1" }, each.name, " ", h("span", { class: `badge ${TONES[each.kind]}` }, each.kind));
  replace(byId("change"), h("nav", { class: "steps", "aria-label": "Back" }, h("a", { href: "#/", id: "back" }, "← All cases")), heading,
    h("p", { class: "subtitle" }, each.model, ": ", score(each.baseline), " → ", score(each.current), " (", points(each.delta), " points)"),
    h("div", { class: "sides" }, side("Baseline", baseline, "B", removed, sides.language), side("Current", current, "C", added, sides.language)));
  byId("change").setAttribute("aria-labelledby", "change-heading");
  heading.focus({ preventScroll: true });
}

let scrolledTo = 0;

function go() {
  const each = addresses.get(location.hash);
  const held = each && each.number !== undefined && byId(`data-change-${each.number}`);
  if (held && !byId("overview").hidden) scrolledTo = window.scrollY;
  byId("overview").hidden = Boolean(held);
  byId("change").hidden = !held;
  if (held) showChange(each);
  window.scrollTo(0, held ? 0 : scrolledTo);
}

drawTop();
drawModelTable("models", "Models", comparison.models, [{ name: "Model", value: (each) => each.model }]);
if (comparison.tags.length) {
  byId("tags-section").hidden = false;
  drawModelTable("tags", "Models by tag", comparison.tags, [{ name: "Tag", value: (each) => each.tag }, { name: "Model", value: (each) => each.model }]);
}
drawCases();
prepareTheme();
document.addEventListener("keydown", (event) => {
  const writing = event.target.closest("input, select");
  if (event.key === "Escape" && !writing && !byId("change").hidden) location.hash = "#/";
  if (event.key === "/" && !writing) {
    event.preventDefault();
    byId("search").focus();
  }
});
window.addEventListener("hashchange", go);
go();
document.documentElement.dataset.ready = "yes";
