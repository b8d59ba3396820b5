/**
 * Parse a URDF to the relevant elements with the browser's parser, which knows namespaces and no line numbers.
 *
 * URDF readers treat a prefix as part of the name, so each colon in a name is replaced by a letter meanwhile, and each
 * element gets its line number as an attribute.
 */

import { cut, MOST_BYTES, type Part, quote, UrdfProblem } from "./urdf.ts";

const ENTITIES = new Map([
  ["robot", ["link", "joint"]],
  ["joint", ["parent", "child", "origin", "axis", "limit", "mimic"]],
]);
const PARTS = ENTITIES.get("robot") ?? [];
const DEEPEST = 64; // a URDF needs seven levels
const NAME = String.raw`[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*`;
const NAMES = new RegExp(String.raw`\n|</?${NAME}|\s${NAME}(?=\s*=\s*["'])`, "g");
const COLON = "\u02d0"; // a letter in names of XML, and in no name of a URDF
const LINE = "line.of.text";

/** A robot's root with only links and joints, and the skipped elements that resemble them. */
export interface Document {
  root: Part;
  warning: string;
}

/** Return the root of a text. */
export function parseXml(text: string, file: string): Document {
  if (text.length > MOST_BYTES) throw tooLarge(file);
  const element = wellFormed(text, file);
  const root = part(element, file);
  const other = root.tag === "robot" ? unread(element) : undefined;
  if (!other) return { root, warning: "" };
  const tag = own(other.tagName);
  const [, local] = tag.split(/:(.*)/);
  const mend = PARTS.includes(local) ? `write <${local}>` : "convert the file to a URDF by the program xacro";
  const warning = `line ${other.getAttribute(LINE)} of ${file}: <${cut(tag)}> is not read; ${mend}`;
  if (!root.children.some(({ tag }) => tag === "link")) throw new UrdfProblem(`${warning}. No link is left`);
  return { root, warning };
}

export function tooLarge(file: string): UrdfProblem {
  return new UrdfProblem(`${file} must have at most ${(MOST_BYTES / 1e6).toFixed(1)} MB, got more`);
}

/** Return the root of a document from its first "<" on; a document type could define entities that expand. */
function wellFormed(text: string, file: string): Element {
  const type = /<!DOCTYPE\s+([^\s>[]+)/.exec(text.replace(/<!--[\s\S]*?-->/g, ""))?.[1];
  if (type) throw new UrdfProblem(`${file} must not have a document type, got <!DOCTYPE ${quote(type)} …>; delete it`);
  const prologLength = Math.max(text.indexOf("<"), 0);
  const before = text.slice(0, prologLength).split("\n").length - 1;
  let line = before + 1;
  const markedText = text.slice(prologLength).replace(NAMES, (entity) => {
    line += entity.split("\n").length - 1;
    const name = entity.replaceAll(":", COLON);
    return /^<[^/]/.test(name) ? `${name} ${LINE}="${line}"` : name;
  });
  const document = new DOMParser().parseFromString(markedText, "application/xml");
  const words = document.getElementsByTagName("parsererror")[0]?.textContent?.replaceAll(COLON, ":");
  if (words === undefined) return document.documentElement;
  const what = /(?:column \d+|Parsing Error): (.*?)(?:Below is|\n|$)/i.exec(words)?.[1] ?? "it cannot be read";
  const at = before + Number(/line (?:number )?(\d+)/i.exec(words)?.[1] ?? 1);
  const mend = /&(?!#?\w+;)/.test(text.split("\n")[at - 1]) ? "; write &amp; for &" : "";
  throw new UrdfProblem(`${file} is not well-formed XML: line ${at}: ${what}${mend}`);
}

function own(name: string): string {
  return name.replaceAll(COLON, ":");
}

/** Return an element with its original names, and what is read of its children. */
function part(element: Element, file: string, depth = 1): Part {
  if (depth > DEEPEST) {
    throw new UrdfProblem(`elements of ${file} must be nested at most ${DEEPEST} deep; a URDF needs seven levels`);
  }
  const { [LINE]: line, ...attributes } = Object.fromEntries(
    Array.from(element.attributes, ({ name, value }) => [own(name), own(value)]),
  );
  const tag = own(element.tagName);
  const inside = Array.from(element.childNodes).filter((node): node is Element => node.nodeType === 1);
  const children = inside.map((child) => part(child, file, depth + 1));
  return {
    tag,
    attributes,
    children: children.filter((child) => ENTITIES.get(tag)?.includes(child.tag)),
    line: Number(line),
  };
}

/** Return the first element with a prefix that should be part of the robot. */
function unread(root: Element): Element | undefined {
  const declared = Array.from(root.attributes).filter(
    ({ name, value }) => /^xmlns:/.test(own(name)) && /xacro/.test(value),
  );
  const xacro = ["xacro", ...declared.map(({ name }) => own(name).slice(6))];
  return Array.from(root.getElementsByTagName("*")).find((element) => {
    const [prefix, local] = own(element.tagName).split(/:(.*)/);
    return local !== undefined && (xacro.includes(prefix) || PARTS.includes(local));
  });
}
