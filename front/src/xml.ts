/** A URDF's text, parsed by the browser and cut down to the elements that are read. */

import { MOST_BYTES, type Part, UrdfProblem } from "./urdf.ts";

const KEPT = new Map([
  ["robot", ["link", "joint"]],
  ["joint", ["parent", "child", "origin", "axis", "limit", "mimic"]],
]);

/** Return the root of a text. */
export function parseXml(text: string, file: string): Part {
  if (text.length > MOST_BYTES) throw tooLarge(file);
  const type = /<!DOCTYPE\s*([^\s>[]{0,40})/i.exec(text.replace(/<!--[\s\S]*?-->/g, ""));
  if (type) throw new UrdfProblem(`${file} has a document type, <!DOCTYPE '${type[1]}' …>; a URDF has none`);
  const parsed = new DOMParser().parseFromString(text, "application/xml");
  const root = parsed.documentElement;
  const broken = parsed.querySelector("parsererror");
  if (broken) {
    const [, line = "1", column = "1"] = /line (\d+)\D+(\d+)/i.exec(broken.textContent ?? "") ?? [];
    throw new UrdfProblem(`${file} is not well-formed XML: look at line ${line}, column ${column}`);
  }
  for (const element of parsed.getElementsByTagName("*")) {
    if (!element.namespaceURI?.includes("xacro")) continue;
    throw new UrdfProblem(`${file} is a xacro file, from which the program xacro makes a URDF; run that first`);
  }
  return kept(root);
}

export function tooLarge(file: string): UrdfProblem {
  return new UrdfProblem(`${file} has more than ${(MOST_BYTES / 1e6).toFixed(1)} MB, which a URDF may have at most`);
}

function kept(element: Element): Part {
  const tag = element.namespaceURI ? `{${element.namespaceURI}}${element.localName}` : element.localName;
  const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
  const children = [...element.children].filter(
    (child) => !child.namespaceURI && KEPT.get(tag)?.includes(child.localName),
  );
  return { tag, attributes, children: children.map(kept) };
}
