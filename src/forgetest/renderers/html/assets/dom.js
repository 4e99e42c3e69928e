// Elements from values. Text is only ever a text node: what a model wrote cannot become markup.

const SVG = "http://www.w3.org/2000/svg";

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "onclick") element.addEventListener("click", value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

const byId = (id) => document.getElementById(id);

// A value that stands in the page.
const read = (id) => {
  const element = byId(`data-${id}`);
  return element ? JSON.parse(element.textContent) : null;
};

// Calls back at most once in a while, after the last of many events.
function calmly(callback, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(callback, milliseconds);
  };
}
