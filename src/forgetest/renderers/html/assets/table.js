// Tables: headings that sort, rows drawn as they come into sight, arrow keys from row to row.

const BATCH = 100;

function table(caption, columns, options = {}) {
  const headings = columns.map((column) => heading(column, options));
  const body = h("tbody");
  const drawn = h("table", { class: options.kind || null },
    h("caption", { class: "visually-hidden" }, caption),
    h("thead", null, h("tr", null, headings)),
    body);
  return { table: drawn, body, headings };
}

function heading(column, options) {
  const th = h("th", { scope: "col", class: column.numeric ? "numeric" : null, title: column.title });
  if (column.sort && options.onSort) {
    th.append(h("button", { type: "button", onclick: () => options.onSort(column, th) }, column.name));
  } else {
    th.append(column.name);
  }
  return th;
}

function showSorting(headings, chosen, descending) {
  for (const th of headings) {
    if (th === chosen) th.setAttribute("aria-sort", descending ? "descending" : "ascending");
    else th.removeAttribute("aria-sort");
  }
}

// Draws rows in batches: the next one when the end of the last comes near the window.
class Rows {
  constructor(body, draw) {
    this.body = body;
    this.draw = draw;
    this.values = [];
    this.shown = 0;
    this.end = h("tr", { class: "more", "aria-hidden": "true" }, h("td"));
    this.observer = new IntersectionObserver((seen) => {
      if (seen.some((each) => each.isIntersecting)) this.more();
    }, { rootMargin: "800px" });
    this.observer.observe(this.end);
  }

  show(values) {
    this.values = values;
    this.shown = 0;
    this.body.replaceChildren();
    this.more();
  }

  more(count = BATCH) {
    const next = this.values.slice(this.shown, this.shown + count);
    this.end.remove();
    const fragment = document.createDocumentFragment();
    for (const value of next) fragment.append(this.draw(value));
    this.body.append(fragment);
    this.shown += next.length;
    if (this.shown < this.values.length) {
      this.body.append(this.end);
      // observing anew reports at once whether it is still in sight
      this.observer.unobserve(this.end);
      this.observer.observe(this.end);
    }
  }
}

// Arrow keys go from the focused link to the one in the same column of the next row.
function arrowKeys(container, rows) {
  container.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest("tbody tr");
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!row) {
      container.querySelector("tbody a")?.focus();
      return;
    }
    if (step > 0 && rows && row.nextElementSibling === rows.end) rows.more();
    const column = [...row.querySelectorAll("a")].indexOf(event.target);
    const links = (step > 0 ? row.nextElementSibling : row.previousElementSibling)?.querySelectorAll("a") || [];
    (links[column] || links[0])?.focus();
  });
}
