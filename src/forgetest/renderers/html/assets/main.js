// Where the address leads, the keys, the colours.

const VIEWS = { overview: byId("overview"), samples: byId("samples-view"), sample: byId("sample-view") };
let view = "";
const scrolled = {};

function go() {
  const [path, query] = location.hash.split("?");
  const from = view;
  if (from) scrolled[from] = window.scrollY;
  if (path.startsWith("#/sample/")) {
    const sample = addresses.get(path);
    show("sample");
    if (sample) {
      if (!listed.length) showSamples(new URLSearchParams());
      showSample(sample);
    } else {
      opened = null;
      replace(VIEWS.sample, h("h2", null, "Not in this page"),
        h("p", null, `There is no such sample here: ${decoded(path.slice(9))}. ${held.elsewhere} has every sample.`),
        h("p", null, h("a", { href: "#/samples" }, "All samples of this page")));
    }
    window.scrollTo(0, 0);
  } else if (path === "#/samples") {
    const back = from === "sample" && location.hash === listAddress;
    listAddress = location.hash;
    show("samples");
    if (!back) showSamples(new URLSearchParams(query || ""));
    window.scrollTo(0, back ? scrolled.samples || 0 : 0);
    if (back && opened) linkTo(opened)?.focus({ preventScroll: true });
  } else if (path === "" || path === "#/") {
    show("overview");
    window.scrollTo(0, from && from !== "overview" ? scrolled.overview || 0 : 0);
  }
}

const linkTo = (sample) => [...sampleRows.body.querySelectorAll("a")].find((link) => link.getAttribute("href") === address(sample));

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function show(name) {
  view = name;
  for (const [each, element] of Object.entries(VIEWS)) element.hidden = each !== name;
  for (const [id, current] of [["nav-overview", name === "overview"], ["nav-samples", name !== "overview"]]) {
    if (current) byId(id).setAttribute("aria-current", "page");
    else byId(id).removeAttribute("aria-current");
  }
}

let before = "";

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const writing = event.target.closest("input, select, textarea");
  if (event.key === "Escape") {
    if (writing) {
      event.preventDefault(); // it would clear the search
      writing.blur();
    } else if (view === "sample") location.hash = listAddress;
    return;
  }
  if (writing) return;
  const combined = before + event.key;
  before = event.key === "g" ? "g" : "";
  if (combined === "go") location.hash = "#/";
  else if (combined === "gs") location.hash = "#/samples";
  else if (event.key === "/") {
    event.preventDefault();
    byId(view === "overview" ? "matrix-search" : "search").focus();
  } else if (event.key === "?") byId("help").showModal();
  else if (view === "sample" && (event.key === "j" || event.key === "k")) byId(event.key === "j" ? "step-next" : "step-previous")?.click();
}

function drawRun() {
  byId("title").textContent = report.eval_sets.map((each) => each.name).join(", ");
  const { settings } = report;
  const toolchains = Object.values(settings.toolchains || {}).join(", ");
  replace(byId("run"), [
    ["Eval sets", report.eval_sets.map((each) => `${each.id} (${counted(each.case_count, "case")})`).join(", ") || "none"],
    ["Created", report.created_at.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC")],
    ["Duration", duration(report.duration_ms)],
    ["Samples per case", settings.samples],
    ["Temperature", settings.temperature],
    ["Toolchain", toolchains || null],
    ["Sandbox", settings.sandbox],
    ["Weights", settings.weights ? Object.entries(settings.weights).map(([name, weight]) => `${name} ${Math.round(100 * weight)}%`).join(", ") : null],
  ].filter(([, value]) => known(value)).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
  for (const { language, cases, reason } of settings.left_out ?? []) {
    byId("notices").append(h("p", { class: "notice" }, `${counted(cases, "case")} in ${language} left out, and in no rate: ${reason}`));
  }
  for (const sentence of [...(report.visible_gap ?? []), ...report.flaky]) byId("notices").append(h("p", { class: "notice" }, sentence));
  for (const [model, each] of Object.entries(report.per_model)) {
    if (each.samples.unjudged) {
      byId("notices").append(h("p", { class: "notice" }, h("strong", null, model),
        `: ${each.samples.unjudged} of ${counted(each.samples.asked, "sample")} not judged, and in no rate`));
    }
  }
}

// tall, and told by the matrix, too
function foldByCase() {
  const picture = byId("plot-score-by-case");
  if (!picture) return;
  byId("by-case").append(picture);
  byId("by-case").hidden = false;
}

drawRun();
foldByCase();
drawModels();
drawTags();
drawMatrix();
prepareSamples();
prepareTheme();
byId("help-button").addEventListener("click", () => byId("help").showModal());
byId("help-close").addEventListener("click", () => byId("help").close());
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", go);
go();
document.documentElement.dataset.ready = "yes";
