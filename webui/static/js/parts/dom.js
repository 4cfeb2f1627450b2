// Small helpers for building what is on the page.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node[name] = value;
    else if (name === "value" || name === "checked") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An HTML element: `el("button", { class: "link", onclick: act }, "Undo")`; null children are left out. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element, likewise. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/**
 * Makes the children of a place like the given ones, changing only what differs: whoever has the focus, is typing, or
 * holds a button down keeps it. Elements with the same `data-key` are the same element, wherever they move.
 */
export function redraw(place, ...children) {
  patchChildren(place, children.flat().filter(Boolean).map((child) => (child instanceof Node ? child : document.createTextNode(child))));
}

const HANDLERS = ["onclick", "onchange", "onsubmit", "onkeydown"];

function patchChildren(place, wanted) {
  const byKey = new Map([...place.children].filter((child) => child.dataset.key).map((child) => [child.dataset.key, child]));
  const staying = new Set(wanted.map((child) => child.dataset?.key).filter(Boolean));
  byKey.forEach((child, key) => !staying.has(key) && child.remove());
  let here = place.firstChild;
  for (const child of wanted) {
    const key = child.dataset?.key;
    const match = key ? byKey.get(key) : sameKind(here, child) ? here : null;
    if (match && match !== child && sameKind(match, child)) {
      if (match === here) here = here.nextSibling;
      else place.insertBefore(match, here);
      patch(match, child);
    } else {
      if (here === child) here = here.nextSibling;
      else place.insertBefore(child, here);
    }
  }
  while (here) {
    const gone = here;
    here = here.nextSibling;
    gone.remove();
  }
}

function sameKind(node, other) {
  return node !== null && node.nodeName === other.nodeName && node.nodeName !== "CANVAS" && node.dataset?.key === other.dataset?.key;
}

function patch(node, like) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== like.data) node.data = like.data;
    return;
  }
  for (const { name } of [...node.attributes]) {
    if (!like.hasAttribute(name) && name !== "open" && name !== "style") node.removeAttribute(name);
  }
  for (const { name, value } of like.attributes) {
    if (name !== "style" && node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  if (node.style.cssText !== like.style.cssText) node.style.cssText = like.style.cssText;
  for (const handler of HANDLERS) node[handler] = like[handler];
  if (node.nodeName === "INPUT" && node !== document.activeElement) node.value = like.value;
  patchChildren(node, [...like.childNodes]);
}

/** Focuses the element with that `data-key`; whether it has the focus now. */
export function focusKey(key, place = document) {
  const node = [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  node?.focus({ preventScroll: true });
  return Boolean(node) && node === document.activeElement;
}
