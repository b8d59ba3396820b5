/**
 * A URDF's text: well-formed, and cut down to the elements that are read. The page's `robots/urdf_text.py`.
 *
 * A browser's own parser knows namespaces, of which readers of URDFs know nothing, and tells of no lines.
 */

import { cut, MOST_BYTES, type Part, quoted, UrdfProblem } from "./urdf.ts";

const KEPT = new Map([
  ["robot", ["link", "joint"]],
  ["joint", ["parent", "child", "origin", "axis", "limit", "mimic"]],
]);
const PARTS = KEPT.get("robot") ?? [];
const DEEPEST = 64; // a URDF needs seven levels
const NAME = String.raw`[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*`;
const START = new RegExp(`<(${NAME})`, "y");
const ATTRIBUTE = new RegExp(String.raw`[ \t\n\r]+(${NAME})[ \t\n\r]*=[ \t\n\r]*("[^<"]*"|'[^<']*')`, "y");
const STOP = /[ \t\n\r]*(\/?)>/y;
const END = new RegExp(String.raw`</(${NAME})[ \t\n\r]*>`, "y");
const DOCTYPE = new RegExp(String.raw`<!DOCTYPE[ \t\n\r]+(${NAME})`, "y");
const INSTRUCTION = new RegExp(String.raw`<\?(${NAME})(?=[ \t\n\r?])`, "y");
const REFERENCE = new RegExp(`&(?:#([0-9]+);|#x([0-9a-fA-F]+);|(${NAME});)?`, "g");
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const ENTITIES = new Map(Object.entries({ lt: "<", gt: ">", amp: "&", apos: "'", quot: '"' }));
const INVALID = "not well-formed (invalid token)";
const MENDS: Record<string, string> = {
  [INVALID]: "; & is written &amp; and < in a value &lt;, and a comment holds no --",
  "XML or text declaration not at start of entity": "; <?xml …?> stands first and once, or is left out",
  "junk after document element": "; a file ends with its one </robot>",
  "undefined entity": "; XML itself knows &amp; &lt; &gt; &quot; and &apos;",
  "mismatched tag": "; what is begun last ends first, by its own name",
  "duplicate attribute": "; leave one of the two out",
  "no element found": "; it ends before its </robot>",
  "unclosed token": "; what begins there has no end",
};

/** A robot's root, with links and joints alone, and what of the file was not read that looked like more of them. */
export interface Document {
  root: Part;
  warning: string;
}

/** Return the root of a text. */
export function parseXml(text: string, file: string): Document {
  if (text.length > MOST_BYTES) throw tooLarge(file);
  const root = new Reader(text, file).document();
  const other = root.tag === "robot" ? unread(root) : undefined;
  if (!other) return { root: kept(root), warning: "" };
  const [, local] = other.tag.split(/:(.*)/);
  const mend = PARTS.includes(local) ? `<${local}> would be` : "the program xacro makes a URDF of such a file";
  const warning = `line ${other.line} of ${file}: <${cut(other.tag)}> is not read; ${mend}`;
  if (!root.children.some(({ tag }) => tag === "link")) throw new UrdfProblem(`${warning}, and no link is left`);
  return { root: kept(root), warning };
}

export function tooLarge(file: string): UrdfProblem {
  return new UrdfProblem(`${file} has more than ${(MOST_BYTES / 1e6).toFixed(1)} MB, which a URDF may have at most`);
}

function kept(element: Part): Part {
  const children = element.children.filter((child) => KEPT.get(element.tag)?.includes(child.tag));
  return { ...element, children: children.map(kept) };
}

/** Return the first element that was meant to become a part of the robot, but has a prefix. */
function unread(root: Part): Part | undefined {
  const named = Object.entries(root.attributes).filter(([key, value]) => /^xmlns:/.test(key) && /xacro/.test(value));
  const xacro = ["xacro", ...named.map(([key]) => key.slice(6))];
  const found = (element: Part): Part | undefined => {
    const [prefix, local] = element.tag.split(/:(.*)/);
    if (local !== undefined && (xacro.includes(prefix) || PARTS.includes(local))) return element;
    for (const child of element.children) {
      const inside = found(child);
      if (inside) return inside;
    }
    return undefined;
  };
  return found(root);
}

/** Reads a document from its first "<" on. */
class Reader {
  at: number;
  text: string;
  file: string;
  line = 1;
  counted = 0; // up to where lines are counted

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
    this.at = Math.max(text.indexOf("<"), 0);
  }

  document(): Part {
    const whole: Part = { tag: "", attributes: {}, children: [], line: 0 };
    const open = [whole];
    const none = this.text.slice(this.at).search(NO_CHARACTER);
    if (none >= 0) this.wrong(INVALID, this.at + none);
    if (/^<\?xml[ \t\n\r]/.test(this.text.slice(this.at, this.at + 6))) this.beyond("?>");
    while (this.at < this.text.length) {
      if (this.text[this.at] !== "<") this.words(open.length > 1, whole.children.length > 0);
      else if (this.text.startsWith("<!--", this.at)) this.comment();
      else if (this.text.startsWith("<?", this.at)) this.instruction();
      else if (open.length > 1 && this.text.startsWith("<![CDATA[", this.at)) this.beyond("]]>");
      else if (this.text.startsWith("</", this.at)) this.end(open);
      else this.start(open);
    }
    if (open.length > 1 || whole.children.length === 0) this.wrong("no element found");
    return whole.children[0];
  }

  start(open: Part[]): void {
    const [, type] = this.taken(DOCTYPE) ?? [];
    if (type) throw new UrdfProblem(`${this.file} has a document type, <!DOCTYPE ${quoted(type)} …>; a URDF has none`);
    if (open.length === 1 && open[0].children.length > 0) this.wrong("junk after document element");
    const line = this.lineOf(this.at);
    const [, tag] = this.taken(START) ?? this.wrong(INVALID);
    const element: Part = { tag, attributes: {}, children: [], line };
    for (let found = this.taken(ATTRIBUTE); found; found = this.taken(ATTRIBUTE)) {
      if (Object.hasOwn(element.attributes, found[1])) this.wrong("duplicate attribute");
      element.attributes[found[1]] = this.meant(found[2].slice(1, -1).replace(/[\t\n\r]/g, " "));
    }
    const [, closed] = this.taken(STOP) ?? this.wrong(this.text.includes(">", this.at) ? INVALID : "unclosed token");
    open[open.length - 1].children.push(element);
    if (!closed) open.push(element);
    if (open.length <= DEEPEST + 1) return;
    throw new UrdfProblem(`${this.file} nests elements more than ${DEEPEST} deep; a URDF needs seven levels`);
  }

  end(open: Part[]): void {
    const place = this.at;
    const [, tag] = this.taken(END) ?? this.wrong(this.text.includes(">", this.at) ? INVALID : "unclosed token");
    if (open.length === 1) this.wrong("junk after document element", place);
    if (open.pop()?.tag !== tag) this.wrong("mismatched tag", place + 2);
  }

  words(inside: boolean, after: boolean): void {
    const next = this.text.indexOf("<", this.at);
    const words = this.text.slice(this.at, next < 0 ? this.text.length : next);
    const place = this.at + words.search(/\S/);
    if (!inside && words.trim()) this.wrong(after ? "junk after document element" : "syntax error", place);
    this.meant(words);
    if (words.includes("]]>")) this.wrong(INVALID);
    this.at += words.length;
  }

  comment(): void {
    const place = this.at;
    this.at += 4;
    this.beyond("--");
    if (this.text[this.at++] !== ">") this.wrong(INVALID, place);
  }

  instruction(): void {
    const place = this.at;
    const [, target] = this.taken(INSTRUCTION) ?? this.wrong(INVALID);
    if (/^xml$/i.test(target)) this.wrong("XML or text declaration not at start of entity", place);
    this.beyond("?>");
  }

  beyond(end: string): void {
    const found = this.text.indexOf(end, this.at);
    if (found < 0) this.wrong("unclosed token");
    this.at = found + end.length;
  }

  taken(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found ?? undefined;
  }

  /** Return words with each reference, &amp; for instance, as what it stands for. */
  meant(words: string): string {
    return words.replace(REFERENCE, (whole, ten?: string, sixteen?: string, name?: string) => {
      if (whole === "&") this.wrong(INVALID);
      if (name !== undefined) return ENTITIES.get(name) ?? this.wrong("undefined entity");
      const code = Number(ten ?? `0x${sixteen}`);
      const wrong = !(code <= 0x10ffff) || String.fromCodePoint(code).search(NO_CHARACTER) >= 0;
      return wrong ? this.wrong("reference to invalid character number") : String.fromCodePoint(code);
    });
  }

  lineOf(place: number): number {
    for (let next = this.text.indexOf("\n", this.counted); next >= 0 && next < place; ) {
      this.line += 1;
      this.counted = next + 1;
      next = this.text.indexOf("\n", this.counted);
    }
    return this.line;
  }

  wrong(what: string, place = this.at): never {
    const where = `line ${this.lineOf(place)}, column ${place - this.text.lastIndexOf("\n", place - 1) - 1}`;
    throw new UrdfProblem(`${this.file} is not well-formed XML: ${what}: ${where}${MENDS[what] ?? ""}`);
  }
}
