/** URDF: from elements to links and joints, and to the chain between two links. The page's `robots/urdf_reader.py`. */

import { type Chain, Corners } from "../../../front/src/any_chain.ts";
import type { Kernels, Matrix } from "../../../front/src/kernels.ts";
import { dot, identity } from "../../../front/src/matrix.ts";

/** An element. */
export interface Part {
  tag: string;
  attributes: Record<string, string>;
  children: Part[];
  /** Line of its beginning, counted from 1. */
  line: number;
}

/** A fault of a file, in a sentence for the reader. */
export class UrdfProblem extends Error {}

interface Joint {
  name: string;
  kind: string;
  parent: string;
  child: string;
  xyz: number[];
  rpy: number[];
  axis: number[];
  limits: number[];
  mimic: { leader: string; ratio: number; offset: number } | undefined;
}

export interface Robot {
  name: string;
  links: string[];
  joints: Joint[];
  /** The joint above each link except the root. */
  above: Map<string, Joint>;
}

export const MOST_BYTES = 8 * 2 ** 20;
const MOST_JOINTS = 100; // on the way from base to tip
const MOST_LINKS = 2000;
const MOST_MIMICS = 16; // from a mimicking joint to its leader
const MOST_LETTERS = 256; // of a name
const MOST_TOLD = 60; // quoted letters
const LARGEST = 1e9; // of a length or an angle: products of a few larger ones overflow
const LARGEST_END = 1e30; // of a limit: some files write 1e16 for none
const KINDS = ["revolute", "continuous", "prismatic", "fixed", "planar", "floating"];
const NUMBER = /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)$/i;
const WHOLE = 1e-15; // an entry of a rotation this near to −1, 0 or 1 is that

/** Return links and joints. */
export function readRobot(root: Part, file: string): Robot {
  if (root.tag !== "robot") fail(`${file} must begin with <robot name=…>, got <${cut(root.tag)}>`);
  const name = requireName(root, `the <robot> of ${file}`);
  const parts = (tag: string) => root.children.filter((part) => part.tag === tag);
  const links = parts("link").map((link) => requireName(link, `a <link> of ${file}`));
  const joints = parts("joint").map((joint) => readJoint(joint, file));
  if (links.length === 0) fail(`robot ${quote(name)} must have at least one link, got none`);
  const most = Math.max(links.length, joints.length);
  if (most > MOST_LINKS) fail(`robot ${quote(name)} has ${most} links or joints; at most ${MOST_LINKS} are read`);
  const own = joints.map((joint) => joint.name);
  for (const [what, names] of [["link", links] as const, ["joint", own] as const]) {
    const twice = names.find((one, i) => names.indexOf(one) < i);
    const count = names.filter((one) => one === twice).length;
    if (twice !== undefined)
      fail(`${what}s of robot ${quote(name)} must have different names, got ${quote(twice)} ${count} times`);
  }
  const robot = { name, links, joints, above: checkTree(name, links, joints) };
  for (const joint of joints) leaderOf(robot, joint);
  return robot;
}

type Lead = { leader: Joint; ratio: number; offset: number };

/** Return the joint whose coordinate moves this one, and the relation θ = ratio · q + offset. */
function leaderOf({ joints }: Robot, joint: Joint): Lead {
  let [leader, ratio, offset] = [joint, 1, 0];
  for (let k = 0; k < MOST_MIMICS && leader.mimic; k++) {
    const { mimic, name } = leader;
    const next = joints.find((one) => one.name === mimic.leader);
    if (!next) {
      const names = joinNames(joints.map((one) => one.name));
      return fail(`joint ${quote(name)} must mimic a joint, got ${quote(mimic.leader)}; it has ${names}`);
    }
    offset += ratio * mimic.offset;
    ratio *= mimic.ratio;
    leader = next;
  }
  if (leader.mimic)
    fail(`joint ${quote(joint.name)} mimics joints that form a cycle, or a chain of more than ${MOST_MIMICS}`);
  if (leader !== joint && (leader.kind === "planar" || leader.kind === "floating")) {
    const description = `${quote(leader.name)} (${leader.kind})`;
    fail(`joint ${quote(joint.name)} must mimic a joint with one coordinate, got ${description}`);
  }
  return { leader, ratio, offset };
}

function checkTree(name: string, links: string[], joints: Joint[]): Map<string, Joint> {
  const linkNames = new Set(links);
  const above = new Map<string, Joint>();
  for (const joint of joints) {
    for (const [role, end] of [["parent", joint.parent] as const, ["child", joint.child] as const]) {
      if (linkNames.has(end)) continue;
      fail(`the ${role} of joint ${quote(joint.name)} must be a link, got ${quote(end)}; it has ${joinNames(links)}`);
    }
    const other = above.get(joint.child);
    if (other) {
      const both = `${quote(other.name)} and ${quote(joint.name)}`;
      fail(`link ${quote(joint.child)} must have one parent joint, got ${both}; closed loops are not supported`);
    }
    above.set(joint.child, joint);
  }
  const roots = links.filter((link) => !above.has(link));
  if (roots.length > 1) {
    fail(`robot ${quote(name)} must have one root, got ${joinNames(roots)}; connect them by joints`);
  }
  const connected = new Set(roots);
  const below = new Map<string, string[]>();
  for (const { parent, child } of joints) below.set(parent, [...(below.get(parent) ?? []), child]);
  for (const link of connected) for (const child of below.get(link) ?? []) connected.add(child);
  const separate = links.filter((link) => !connected.has(link));
  if (separate.length > 0) fail(`robot ${quote(name)} must be a tree, but has a cycle among ${joinNames(separate)}`);
  return above;
}

function readJoint(part: Part, file: string): Joint {
  const name = requireName(part, `a <joint> of ${file}`);
  const where = `joint ${quote(name)}`;
  const only = (tag: string) => {
    const children = part.children.filter((child) => child.tag === tag);
    if (children.length > 1) fail(`the <joint> of ${where} must have one <${tag}>, got ${children.length}`);
    return children[0] as Part | undefined;
  };
  const [parent, child] = ["parent", "child"].map((role) => {
    const child = only(role);
    if (!child) fail(`${where} must have a <${role} link=…>`);
    return child?.attributes.link || fail(`the <${role}> of ${where} must name a link: <${role} link=…>`);
  });
  const kind = part.attributes.type ?? "";
  if (!KINDS.includes(kind)) fail(`the type of ${where} must be one of ${KINDS.join(", ")}, got ${quote(kind)}`);
  const [origin, direction, limit, mimic] = ["origin", "axis", "limit", "mimic"].map(only);
  if (direction && direction.attributes.xyz === undefined && kind !== "fixed" && kind !== "floating") {
    fail(`the <axis> of ${where} must have xyz="…"; without an <axis> it is 1 0 0`);
  }
  const follows = mimic && {
    leader: mimic.attributes.joint || fail(`the <mimic> of ${where} must name a joint: <mimic joint=…>`),
    ratio: number(mimic.attributes.multiplier ?? "1", `${where}: multiplier of its <mimic>`, mimic.line, LARGEST),
    offset: number(mimic.attributes.offset ?? "0", `${where}: offset of its <mimic>`, mimic.line, LARGEST),
  };
  const [xyz, rpy] = ["xyz", "rpy"].map((attribute) => vector(origin, attribute, [0, 0, 0], where));
  const along = vector(direction, "xyz", [1, 0, 0], where);
  const length = Math.sqrt(dot(along, along));
  if (!(length > 0) && kind !== "fixed" && kind !== "floating") {
    fail(`the axis of ${where} must not be zero, got [${along.join(", ")}]`);
  }
  const axis = along.map((entry) => entry / length);
  const moves = ["revolute", "continuous", "prismatic"].includes(kind);
  const limits = readLimits(limit, where, kind);
  return { name, kind, parent, child, xyz, rpy, axis, limits, mimic: moves ? follows : undefined };
}

/** Return lower and upper limit, with URDF's defaults. */
function readLimits(limit: Part | undefined, where: string, kind: string): number[] {
  const bounded = kind === "revolute" || kind === "prismatic";
  if (!limit) {
    const mend = kind === "revolute" ? "; without limits its type is continuous" : "";
    const example = '<limit lower="…" upper="…" velocity="…" effort="…"/>';
    if (bounded) fail(`the ${kind} ${where} must have limits: ${example}${mend}`);
    return [-Infinity, Infinity];
  }
  const [lower, upper, speed] = ["lower", "upper", "velocity"].map((name) => {
    const value = limit.attributes[name] ?? "0";
    return number(value, `${where}: ${name} of its <limit>`, limit.line, LARGEST_END, true);
  });
  if (bounded && limit.attributes.velocity === undefined) {
    fail(`the <limit> of ${where} must have a velocity, in rad/s or m/s`);
  }
  if (speed < 0) fail(`the velocity limit of ${where} must be zero or more, got ${speed}`);
  if (!bounded) return [-Infinity, Infinity];
  const ends = `[${[lower, upper].map((end) => String(end).replace("Infinity", "inf")).join(", ")}]`;
  if (lower > upper) fail(`limits of ${where} must have lower ≤ upper, got ${ends}`);
  if (lower === Infinity || upper === -Infinity) fail(`limits of ${where} must contain a finite value, got ${ends}`);
  return [lower, upper];
}

/** Return the root, and the end of the path with the most moving joints. */
export function longestWay({ links, above }: Robot): string[] {
  const moving = (link: string): number => {
    let count = 0;
    for (let joint = above.get(link); joint; joint = above.get(joint.parent)) count += Number(joint.kind !== "fixed");
    return count;
  };
  const parents = new Set([...above.values()].map((joint) => joint.parent));
  const leaves = links.filter((link) => !parents.has(link)).map((link) => ({ link, count: moving(link) }));
  const root = links.find((link) => !above.has(link)) ?? links[0];
  return [root, leaves.reduce((best, leaf) => (leaf.count > best.count ? leaf : best)).link];
}

/** Return the chain from one link to another; on the way up from the base a joint moves in the opposite sense. */
export function chainBetween(kernels: Kernels, robot: Robot, base: string, tip: string): Chain {
  const upward = (link: string) => {
    const way: Joint[] = [];
    for (let joint = robot.above.get(link); joint; joint = robot.above.get(joint.parent)) way.push(joint);
    return way;
  };
  const [fromBase, fromTip] = [upward(base), upward(tip)];
  const common = new Set(fromBase.filter((joint) => fromTip.includes(joint)));
  const up = fromBase.filter((joint) => !common.has(joint));
  const down = fromTip.filter((joint) => !common.has(joint)).reverse();
  const way = [...up, ...down];
  const led = new Map(way.map((joint) => [joint, leaderOf(robot, joint)]));
  const leads = (joint: Joint) => led.get(joint) as Lead;
  const stays = (joint: Joint) =>
    joint.kind === "fixed" || leads(joint).leader.kind === "fixed" || leads(joint).ratio === 0;
  const moving = way.filter((joint) => !stays(joint));
  const ends = `${quote(tip)} against ${quote(base)}`;
  if (moving.length === 0)
    fail(`no joint of ${quote(robot.name)} moves ${ends}; choose two links with a joint between`);
  if (moving.length > MOST_JOINTS) fail(`${moving.length} joints move ${ends}; this page takes at most ${MOST_JOINTS}`);
  for (const { name, kind } of moving) {
    const mend = "this page takes joints that turn or slide by themselves: choose another base or tip";
    if (kind === "floating" || kind === "planar") fail(`joint ${quote(name)} is ${kind}; ${mend}`);
  }
  const still = [0, 0, 0];
  const own = ({ kind, axis }: Joint) => (kind === "prismatic" ? [...still, ...axis] : [...axis, ...still]);
  const pass = ({ kind }: Joint) => kernels[kind === "prismatic" ? "slide_kernel" : "turn_kernel"];
  const poses = new Map<string, Matrix>();
  const poseOf = (link: string): Matrix => {
    const pose = poses.get(link);
    if (pose) return pose;
    const joint = robot.above.get(link);
    let T = joint
      ? kernels.product_kernel(poseOf(joint.parent), whole(kernels.placement_kernel(joint.xyz, joint.rpy).T)).T
      : identity(4);
    if (joint?.mimic) T = pass(joint)(T, own(joint), [leaderOf(robot, joint).offset]).T_after;
    poses.set(link, T);
    return T;
  };
  const T_base = poseOf(base);
  const fromBaseTo = (link: string): Matrix => kernels.between_kernel(T_base, poseOf(link)).T_between;
  const screws = moving.map((joint) => {
    const { column } = pass(joint)(fromBaseTo(joint.child), own(joint), [0]);
    return column.map((entry) => (up.includes(joint) ? -entry : entry) + 0);
  });
  const corners = new Corners();
  for (const joint of way) {
    corners.reach(fromBaseTo(joint.child));
    if (!stays(joint)) corners.addJoint(joint.kind === "prismatic", fromBaseTo(joint.child));
  }
  const home = fromBaseTo(tip);
  corners.reach(home);
  const leaders = [...new Set(moving.map((joint) => leads(joint).leader))];
  const moves = moving.map((joint) => {
    const by = leaders.indexOf(leads(joint).leader);
    return { name: joint.name, slides: joint.kind === "prismatic", by, ratio: leads(joint).ratio };
  });
  const limits = leaders.map((leader) => {
    const followers = moving.filter((one) => leads(one).leader === leader);
    return narrowLimits(
      leader,
      followers.map((one) => ({ ...leads(one), limits: one.limits })),
    );
  });
  const [names, kinds] = [leaders.map(({ name }) => name), leaders.map(({ kind }) => kind)];
  return { name: robot.name, names, kinds, limits, screws, moves, home, ...corners };
}

/** Return the limits of a coordinate within which all joints that follow it are within theirs. */
function narrowLimits({ name, limits }: Joint, followers: (Lead & { limits: number[] })[]): number[] {
  let [lower, upper] = limits;
  for (const { limits: ends, ratio, offset } of followers) {
    if (!(ends[0] < ends[1])) continue; // limits of zero width are URDF's default for omitted ones
    const [a, b] = ends.map((end) => (end - offset) / ratio);
    [lower, upper] = [Math.max(lower, Math.min(a, b)), Math.min(upper, Math.max(a, b))];
  }
  const range = [lower, upper].map((end) => Number(end.toPrecision(6))).join(" ≤ q ≤ ");
  if (lower > upper)
    fail(`limits of ${quote(name)}: the joints that follow it allow no common value; they need ${range}`);
  return [lower, upper];
}

/** Return a pose with exact right angles. */
export function whole(T: Matrix): Matrix {
  return T.map((row) =>
    row.map((entry, j) => (j < 3 && Math.abs(entry - Math.round(entry)) < WHOLE ? Math.round(entry) + 0 : entry)),
  );
}

function vector(part: Part | undefined, attribute: string, leftOut: number[], where: string): number[] {
  const text = part?.attributes[attribute];
  if (part === undefined || text === undefined) return leftOut;
  const words = text.split(/[ \t\n\r]+/).filter(Boolean);
  const what = `${where}: ${attribute} of its <${part.tag}>`;
  if (words.length !== 3) fail(`${what} must be three numbers, got ${words.length}`);
  return words.map((word) => number(word, what, part.line, LARGEST));
}

function number(word: string, what: string, line: number, most: number, endless = false): number {
  const bare = word.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "");
  const xacro = /\$[({]/.test(word) ? ` (line ${line}); run the program xacro first, which evaluates it` : "";
  if (!NUMBER.test(bare)) fail(`${what} must be a number, got ${quote(word)}${xacro}`);
  const value = Number(bare.replace(/inf(inity)?/i, "Infinity"));
  if (endless && /inf/i.test(bare)) return value;
  if (!(Math.abs(value) <= most)) {
    const size = most === LARGEST ? "1e+09" : "1e+30";
    fail(`${what} must be a number of size at most ${size}, got ${quote(word)}`);
  }
  return value;
}

function requireName({ attributes }: Part, what: string): string {
  const { name } = attributes;
  if (!name) return fail(`${what} must have a name, as the robot, each link and each joint of a URDF`);
  if (name.length <= MOST_LETTERS) return name;
  return fail(`the name of ${what} must have at most ${MOST_LETTERS} characters, got ${name.length}`);
}

function joinNames(names: string[]): string {
  return names.slice(0, 6).map(quote).join(", ") + (names.length > 6 ? ", …" : "");
}

export function quote(text: string): string {
  return cut(`'${text}'`);
}

export function cut(text: string): string {
  return text.length <= MOST_TOLD ? text : `${text.slice(0, MOST_TOLD)}…`;
}

export function fail(sentence: string): never {
  throw new UrdfProblem(sentence);
}
