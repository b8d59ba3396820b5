/** Small makers of page elements. Text is set as text, so that no name of a robot or a joint is ever read as markup. */

const SVG = "http://www.w3.org/2000/svg";

export type Attributes = Record<string, string | number>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  parent?: Element,
  text = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  if (text) made.textContent = text;
  parent?.append(made);
  return made;
}

export function drawn<K extends keyof SVGElementTagNameMap>(
  tag: K,
  parent: Element,
  attributes: Attributes = {},
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag);
  put(made, attributes);
  parent.append(made);
  return made;
}

export function put(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    target.setAttribute(name, typeof value === "number" ? value.toFixed(2) : value);
  }
}

/** Show or hide a drawn element. */
export function show(target: SVGElement | HTMLElement, visible: boolean): void {
  target.style.display = visible ? "" : "none";
}

/** Write a sentence, in which "v_{b}" is a v with a low b; nothing else in it is markup. */
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
