// The list of samples: filters, search and order, all kept in the address.

const FILTERS = { kind: "filter-kind", model: "filter-model", set: "filter-set", tag: "filter-tag", sort: "filter-sort", q: "search" };
const ORDERS = {
  case: (each) => each.number,
  score: (each) => each.score,
  model: (each) => models[each.model],
  time: (each) => each.ms,
  lints: (each) => each.lints,
};

let listed = [];
let listAddress = "#/samples";
let sampleRows = null;

function samplesAddress(wishes) {
  const query = new URLSearchParams(Object.entries(wishes).filter(([, value]) => value));
  return query.size ? `#/samples?${query}` : "#/samples";
}

function prepareSamples() {
  fill("filter-kind", "any", [...kinds, "wrong", "flaky"].filter((kind) => kind === "wrong" || samples.some((each) => isOf(each, kind))));
  fill("filter-model", "all", models);
  fill("filter-set", "all", report.eval_sets.map((each) => each.id));
  fill("filter-tag", "any", [...new Set(cases.flatMap((each) => each.tags))].sort());
  for (const [name, id] of Object.entries(FILTERS)) {
    if (name !== "q") byId(id).addEventListener("change", follow);
  }
  byId("search").addEventListener("input", calmly(follow, 150));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    location.hash = "#/samples";
  });
  const columns = ["Case", "Model", "Attempt", "Result", "Score", "Tests", "Lints", "Time", "Reason"];
  const numeric = new Set(["Attempt", "Score", "Tests", "Lints", "Time"]);
  const { table: drawn, body } = table("Samples", columns.map((name) => ({ name, numeric: numeric.has(name) })), { kind: "samples" });
  sampleRows = new Rows(body, sampleRow);
  replace(byId("samples"), drawn);
  arrowKeys(byId("samples"), sampleRows);
  sayWhatIsHeld();
}

function fill(id, all, values) {
  replace(byId(id), h("option", { value: "" }, all), values.map((value) => h("option", { value }, value)));
  byId(id).closest("label").hidden = values.length < 2;
}

function sayWhatIsHeld() {
  const total = held.failed_total + held.correct_total;
  if (held.failed + held.correct === total) return;
  const text = `This page holds ${whole(held.failed + held.correct)} of ${counted(total, "sample")}, evenly spread: `
    + `${whole(held.failed)} of ${whole(held.failed_total)} that failed or were not judged, `
    + `${whole(held.correct)} of ${whole(held.correct_total)} correct ones. `
    + `All numbers of the overview count every sample; ${held.elsewhere} has them all.`;
  byId("held").hidden = false;
  byId("held").textContent = text;
  byId("notices").append(h("p", { class: "notice" }, text));
}

// The form has changed: the address follows, without a step of history for each letter.
function follow() {
  const wishes = Object.fromEntries(Object.entries(FILTERS).map(([name, id]) => [name, byId(id).value.trim()]));
  if (wishes.sort === "case") delete wishes.sort;
  const current = new URLSearchParams(location.hash.split("?")[1] || "");
  if (current.get("case")) wishes.case = current.get("case");
  listAddress = samplesAddress(wishes);
  history.replaceState(null, "", listAddress);
  showSamples(new URLSearchParams(location.hash.split("?")[1] || ""));
}

function showSamples(query) {
  for (const [name, id] of Object.entries(FILTERS)) {
    const value = query.get(name) || (name === "sort" ? "case" : "");
    if (byId(id).value.trim() !== value) byId(id).value = value;
  }
  listed = ordered(samples.filter(filter(query)), query.get("sort") || "case");
  sampleRows.show(listed);
  const only = query.get("case");
  replace(byId("samples-count"),
    listed.length === samples.length ? counted(samples.length, "sample") : `${whole(listed.length)} of ${counted(samples.length, "sample")}`,
    only ? [" of ", h("strong", null, only)] : null);
}

const isOf = (each, kind) => each.kind === kind || (kind === "wrong" && toneOf(each.kind) === "bad") || (kind === "flaky" && each.flaky);

function filter(query) {
  const [kind, model, set, tag, only] = ["kind", "model", "set", "tag", "case"].map((name) => query.get(name));
  const text = (query.get("q") || "").toLowerCase();
  return (each) =>
    (!kind || isOf(each, kind))
    && (!model || models[each.model] === model)
    && (!set || each.case.set === set)
    && (!tag || each.case.tags.includes(tag))
    && (!only || `${each.case.set}/${each.case.id}` === only)
    && (!text || mentions(each, text));
}

function ordered(found, order) {
  const descending = order.startsWith("-");
  const value = ORDERS[descending ? order.slice(1) : order] || ORDERS.case;
  return found.sort((one, other) => compared(value(one), value(other), descending) || one.number - other.number);
}

function sampleRow(each) {
  return h("tr", null,
    h("th", { scope: "row", "data-label": "Case" }, h("a", { href: address(each) }, each.case.name)),
    h("td", { "data-label": "Model", title: models[each.model] }, models[each.model]),
    h("td", { class: "numeric", "data-label": "Attempt" }, each.attempt),
    h("td", { "data-label": "Result" }, badge(each.kind), each.flaky ? h("span", { class: "badge mixed" }, "flaky") : null),
    h("td", { class: "numeric", "data-label": "Score" }, score(each.score)),
    h("td", { class: "numeric", "data-label": "Tests" }, each.passed + each.failed ? `${each.passed}/${each.passed + each.failed}` : "–"),
    h("td", { class: "numeric", "data-label": "Lints" }, each.lints ?? "–"),
    h("td", { class: "numeric", "data-label": "Time" }, duration(each.ms)),
    h("td", { class: "reason", "data-label": "Reason" }, each.reason));
}
