// The values that stand in the page. A sample's own is read only when somebody opens it.

const report = read("report");
const { rows: heldRows, held } = read("samples");
const models = report.models_evaluated;
const kinds = report.kinds;

const cases = report.cases.map(([set, id, tags, results], number) => ({
  number, set, id, tags,
  name: report.eval_sets.length > 1 ? `${set}/${id}` : id,
  results: new Map(results.map(([model, asked, judged, correct, score]) => [model, { asked, judged, correct, score }])),
}));

const samples = heldRows.map(([caseNumber, model, attempt, kind, score, passed, failed, lints, findings, ms, flaky, reason, words], number) => ({
  number, case: cases[caseNumber], model, attempt, kind: kinds[kind], score, passed, failed, lints, findings, ms, flaky, reason,
  searched: `${cases[caseNumber].set}/${cases[caseNumber].id} ${models[model]} ${reason} ${words}`.toLowerCase(),
}));

const address = (sample) =>
  `#/sample/${[sample.case.set, sample.case.id, models[sample.model], sample.attempt].map(encodeURIComponent).join("/")}`;

const addresses = new Map(samples.map((sample) => [address(sample), sample]));

const detailOf = (sample) => read(`sample-${sample.number}`);
const questionOf = (sample) => read(`case-${sample.case.number}`);

// Whether the text is anywhere in what is known of the sample; its JSON is looked through, not parsed.
function mentions(sample, lowered) {
  if (sample.searched.includes(lowered)) return true;
  if (lowered.length < 3) return false;
  const written = JSON.stringify(lowered).slice(1, -1).replace(/[<>&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);
  return byId(`data-sample-${sample.number}`).textContent.toLowerCase().includes(written);
}
