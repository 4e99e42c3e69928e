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
    flakiness(detail),
    conditions(detail),
    failures(detail),
    code(detail, question?.language),
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
