// Code with line numbers, colours, and what was said of each line under it.

// `options.prefix` begins the lines' ids; `options.kinds` has a class for lines by their number.
function codeBlock(code, language, diagnostics, { prefix = "L", kinds = new Map(), label = "Code" } = {}) {
  const lines = linesOf(code, language);
  const notes = new Map();
  for (const each of diagnostics) {
    const span = each.spans?.[0];
    if (!span || span.line_start < 1) continue; // the list above has it
    const line = Math.min(span.line_end, lines.length);
    notes.set(line, [...(notes.get(line) || []), each]);
  }
  const block = h("div", { class: "code", role: "region", "aria-label": label, tabindex: "0" });
  lines.forEach((line, number) => {
    const hits = diagnostics.flatMap((each) => (each.spans || []).map((span) => [toneOfLevel(each.level), span]))
      .filter(([, span]) => span.line_start <= number + 1 && number + 1 <= span.line_end);
    block.append(h("div", { class: `line${hits.length ? " hit" : ""} ${kinds.get(number + 1) || ""}`.trim(), id: `${prefix}${number + 1}` },
      h("span", { class: "gutter", "aria-hidden": "true" }, number + 1),
      h("code", null, marked(line, hits, number + 1), "\n")));
    for (const each of notes.get(number + 1) || []) block.append(note(each));
  });
  return block;
}

const toneOfLevel = (level) => (level.startsWith("error") ? "error" : "warning");

function note(each) {
  const place = each.spans[0] ? ` (line ${each.spans[0].line_start})` : "";
  return h("p", { class: `note ${toneOfLevel(each.level)}` },
    h("strong", null, each.level, each.code ? ` ${each.code}` : ""), ` ${each.message}`, h("span", { class: "visually-hidden" }, place));
}

// A line's pieces, with the columns of a remark underlined. Compilers count characters, not UTF-16 units.
function marked(line, hits, number) {
  const spans = hits.filter(([, span]) => span.line_start === number && span.line_end === number && span.column_end > span.column_start);
  if (!spans.length) return line.map(([kind, text]) => (kind ? h("span", { class: kind }, text) : text));
  const [tone, { column_start: start, column_end: end }] = spans[0];
  let column = 1;
  const parts = [];
  for (const [kind, text] of line) {
    const characters = [...text];
    const cuts = [0, start - column, end - column, characters.length].map((cut) => Math.max(0, Math.min(cut, characters.length)));
    [["", 0], [` underlined ${tone}`, 1], ["", 2]].forEach(([more, at]) => {
      const part = characters.slice(cuts[at], cuts[at + 1]).join("");
      if (part) parts.push(h("span", { class: `${kind}${more}`.trim() || null }, part));
    });
    column += characters.length;
  }
  return parts;
}
