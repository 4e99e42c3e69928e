// Cases by models: where each fails, at a glance.

function drawMatrix() {
  const { table: drawn, body } = table("Cases by models", [{ name: "Case" }, ...models.map((name) => ({ name }))], { kind: "matrix" });
  const rows = new Rows(body, matrixRow);
  const search = byId("matrix-search");
  const shown = byId("matrix-show");
  function draw() {
    const text = search.value.trim().toLowerCase();
    const chosen = cases.filter((each) =>
      (!text || `${each.set}/${each.id} ${each.tags.join(" ")}`.toLowerCase().includes(text)) && fits(each, shown.value));
    rows.show(chosen);
    byId("matrix-count").textContent = chosen.length === cases.length
      ? counted(cases.length, "case") : `${whole(chosen.length)} of ${counted(cases.length, "case")}`;
  }
  search.addEventListener("input", calmly(draw, 80));
  shown.addEventListener("change", draw);
  byId("matrix-filters").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("beforeprint", () => rows.more(2000));
  draw();
  replace(byId("matrix"), drawn);
  arrowKeys(byId("matrix"), rows);
}

function fits(each, wish) {
  const results = [...each.results.values()];
  if (wish === "failing") return results.some((result) => result.correct < result.judged);
  if (wish === "differing") return new Set(results.filter((result) => result.judged).map((result) => result.correct / result.judged)).size > 1;
  return true;
}

function matrixRow(each) {
  return h("tr", null,
    h("th", { scope: "row" }, h("a", { href: samplesAddress({ case: `${each.set}/${each.id}` }) }, each.name)),
    models.map((name, model) => h("td", null, matrixCell(each, name, each.results.get(model)))));
}

function matrixCell(each, name, result) {
  if (!result) return h("span", { class: "cell none", title: "not asked" }, "–");
  const { asked, judged, correct } = result;
  const tone = !judged ? "unknown" : correct === judged ? "good" : correct === 0 ? "bad" : "mixed";
  const mark = { unknown: "?", good: "✓", bad: "✗", mixed: "◐" }[tone];
  const share = judged > 1 ? ` ${correct}/${judged}` : "";
  const words = judged
    ? `${each.name}, ${name}: ${correct} of ${judged} correct, mean score ${score(result.score)}${asked > judged ? `, ${asked - judged} not judged` : ""}`
    : `${each.name}, ${name}: not judged`;
  return h("a", { class: `cell ${tone}`, href: samplesAddress({ case: `${each.set}/${each.id}`, model: name }), title: words, "aria-label": words },
    mark, share, asked > judged && judged ? h("sup", null, "?") : null);
}
