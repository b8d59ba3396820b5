/** Create page elements. Text is set as text, so that no name of a robot or a joint is read as markup. */

const SVG = "http://www.w3.org/2000/svg";

export type Attributes = Record<string, string | number>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  parent?: Element,
  text = "",
): HTMLElementTagNameMap[K] {
  const child = document.createElement(tag);
  child.className = className;
  if (text) child.textContent = text;
  parent?.append(child);
  return child;
}

export function drawElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  parent: Element,
  attributes: Attributes = {},
  text = "",
): SVGElementTagNameMap[K] {
  const child = document.createElementNS(SVG, tag);
  if (text) child.textContent = text;
  setAttributes(child, attributes);
  parent.append(child);
  return child;
}

/** Add a curve for each colour of the style sheet, which other classes may follow. */
export function drawCurves(svg: SVGSVGElement, ...colours: string[]): SVGPathElement[] {
  return colours.map((colour) => drawElement("path", svg, { class: `live-curve live-${colour}` }));
}

export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    target.setAttribute(name, typeof value === "number" ? value.toFixed(2) : value);
  }
}

/** Show or hide a drawn element. */
export function show(target: SVGElement | HTMLElement, visible: boolean): void {
  target.style.display = visible ? "" : "none";
}

/** Write a sentence; "v_{b}" becomes v with subscript b, and nothing else is markup. */
export function say(target: Element, sentence: string): void {
  target.replaceChildren(
    ...sentence.split(/(_\{[^{}]+\})/).map((piece) => {
      if (!piece.startsWith("_{")) return document.createTextNode(piece);
      const low = document.createElement("sub");
      low.textContent = piece.slice(2, -1);
      return low;
    }),
  );
}

export function addButton(parent: Element, text: string, pressed: () => void): HTMLButtonElement {
  const button = element("button", "", parent, text);
  button.type = "button";
  button.addEventListener("click", pressed);
  return button;
}

/** Add a menu behind its label; of the options only the first letters may be shown. */
export function addMenu(parent: Element, words: string, options: string[], most?: number): HTMLSelectElement {
  const label = element("label", "live-choice", parent);
  say(element("span", "", label), words);
  const menu = element("select", "", label);
  for (const option of options) element("option", "", menu, option.slice(0, most)).value = option;
  return menu;
}

/** Add two boxes side by side: pictures, or a picture and what is beside it. */
export function addTwo(parent: Element, kind: string, second = "live-panel-picture"): [HTMLElement, HTMLElement] {
  const row = element("div", kind, parent);
  return [element("div", "live-panel-picture", row), element("div", second, row)];
}

/** Add the legend and further notes below a picture. */
export function addKey(parent: Element, colours: [string, string][], rest = ""): void {
  const key = element("p", "live-key", parent);
  for (const [colour, words] of colours) {
    element("span", `live-${colour}`, key);
    key.append(words);
  }
  key.append(rest);
}

/** Write a table: optional headings, and rows that begin with their name, each in a colour of the style sheet. */
export function fillTable(table: HTMLTableElement, heads: string[], body: string[][], colours?: string[]): void {
  const rows = heads.length > 0 ? [heads, ...body] : body;
  while (table.rows.length > rows.length) table.deleteRow(-1);
  rows.forEach((cells, i) => {
    const row = table.rows[i] ?? table.insertRow();
    const isHead = i === 0 && heads.length > 0;
    while (row.cells.length > cells.length) row.deleteCell(-1);
    cells.forEach((cell, j) => {
      const place = row.cells[j] ?? row.appendChild(document.createElement(isHead || j === 0 ? "th" : "td"));
      if (place.dataset.cell === cell) return;
      place.dataset.cell = cell;
      if (j === 0 && !isHead) place.className = colours ? `live-${colours[i - 1]}` : "";
      say(place, cell);
    });
  });
}
