// The models, ranked; and the same per tag.

function estimated(value, interval, write, writeEnds, scale) {
  const text = h("span", null, write(value), interval ? h("small", { class: "interval" }, writeEnds(interval)) : null);
  if (!scale || !known(value)) return text;
  const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", { class: "fill" }));
  bar.firstChild.style.width = `${100 * value}%`;
  if (interval) {
    const whisker = h("span", { class: "whisker" });
    whisker.style.left = `${100 * interval[0]}%`;
    whisker.style.width = `${100 * (interval[1] - interval[0])}%`;
    bar.append(whisker);
  }
  return [text, bar];
}

function covered(text, knownCount, total) {
  return text === UNKNOWN || knownCount === total ? text : `${text} (${knownCount}/${total})`;
}

function modelColumns() {
  const passing = report.settings.pass_k.map((k) => ({
    name: `Pass@${k}`, numeric: true, sort: (each) => each.pass_at_k[k],
    cell: (each) => {
      const { known: sure, total } = each.pass_at_k_cases[k];
      return estimated(each.pass_at_k[k], each.intervals.pass_at_k[k], (v) => covered(percent(v), sure, total), percents, true);
    },
  }));
  return [
    { name: "Score", numeric: true, sort: (each) => each.mean_score, cell: (each) => estimated(each.mean_score, each.intervals.mean_score, score, scores, true) },
    ...passing,
    { name: "Compile", numeric: true, sort: (each) => each.compilation_rate, cell: (each) => estimated(each.compilation_rate, each.intervals.compilation_rate, percent, percents) },
    { name: "Tests", numeric: true, sort: (each) => each.mean_test_pass_rate, cell: (each) => estimated(each.mean_test_pass_rate, each.intervals.mean_test_pass_rate, percent, percents) },
    { name: "Cost", numeric: true, sort: (each) => each.total_cost_usd, cell: (each) => covered(dollars(each.total_cost_usd), each.samples_known.cost, each.samples.asked) },
    { name: "Latency", numeric: true, sort: (each) => each.mean_latency_ms, cell: (each) => estimated(each.mean_latency_ms, each.intervals.mean_latency_ms, duration, durations) },
    { name: "Tokens out", numeric: true, sort: (each) => each.completion_tokens, cell: (each) => (known(each.completion_tokens) ? whole(each.completion_tokens) : UNKNOWN) },
    { name: "Judged", numeric: true, sort: (each) => each.samples.judged, cell: (each) => (each.samples.unjudged ? `${whole(each.samples.judged)}/${whole(each.samples.asked)}` : whole(each.samples.judged)) },
  ];
}

// Highest first; what is not known comes last, whichever way.
function compared(one, other, descending) {
  if (!known(one) || !known(other)) return known(one) ? -1 : known(other) ? 1 : 0;
  const order = typeof one === "string" ? one.localeCompare(other) : one - other;
  return descending ? -order : order;
}

function drawModels() {
  const columns = [{ name: "Model", sort: (each) => each.name }, ...modelColumns()];
  let chosen = 1;
  let descending = true;
  const { table: drawn, body, headings } = table("Models, ranked", columns, {
    kind: "models",
    onSort(column, th) {
      const number = headings.indexOf(th);
      descending = number === chosen ? !descending : number !== 0;
      chosen = number;
      draw();
    },
  });
  function draw() {
    const ranked = models.map((name) => ({ name, ...report.per_model[name] }));
    ranked.sort((one, other) => compared(columns[chosen].sort(one), columns[chosen].sort(other), descending) || one.name.localeCompare(other.name));
    replace(body, ranked.map((each) => h("tr", null,
      h("th", { scope: "row" }, h("a", { href: samplesAddress({ model: each.name }) }, each.name)),
      columns.slice(1).map((column) => h("td", { class: "numeric" }, column.cell(each))))));
    showSorting(headings, headings[chosen], descending);
  }
  draw();
  replace(byId("models"), drawn);
}

function drawTags() {
  const tags = Object.entries(report.per_tag);
  if (!tags.length) return;
  byId("tags-section").hidden = false;
  const columns = modelColumns().filter((column) => !["Cost", "Latency", "Tokens out"].includes(column.name));
  const { table: drawn, body } = table("Models by tag", [{ name: "Tag" }, { name: "Model" }, ...columns], { kind: "models" });
  for (const [tag, ofModels] of tags) {
    for (const [model, each] of Object.entries(ofModels)) {
      body.append(h("tr", null,
        h("th", { scope: "row" }, h("a", { href: samplesAddress({ tag }) }, tag)),
        h("td", null, model),
        columns.map((column) => h("td", { class: "numeric" }, column.cell(each)))));
    }
  }
  replace(byId("tags"), drawn);
}
