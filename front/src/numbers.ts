/** Format numbers for readers: a true minus, no "-0.00", no NaN. */

export const DEGREE = Math.PI / 180;
export const TURN = 2 * Math.PI; // rad

const ROUNDED = 1e-12; // a smaller size is zero except for rounding
const TINY = 1e-6; // degrees: far below every tolerance

/** Return an angle modulo 2π, in [−π, π]. */
export function wrapped(angle: number): number {
  return angle - TURN * Math.round(angle / TURN);
}

/** Return a number with fixed decimals; infinity as ∞, NaN as a dash. */
export function fixed(value: number, decimals: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** Return a size with fixed decimals; if it is not zero but would print as zero, as less than the last place. */
export function amount(value: number, decimals: number): string {
  const text = fixed(value, decimals);
  return value > ROUNDED && Number(text) === 0 ? `less than ${fixed(10 ** -decimals, decimals)}` : text;
}

/** Return an angle in rad as whole degrees or finer, with its sign. */
export function degrees(angle: number, decimals = 1): string {
  return `${fixed(angle / DEGREE, decimals)}°`;
}

/** Return the number of decimals of a grid step. */
export function decimalsOf(step: number): number {
  const [mantissa, exponent = "0"] = step.toString().split("e");
  return Math.max(0, (mantissa.split(".")[1] ?? "").length - Number(exponent));
}

/** Return the fewest decimals, but at least some, with which a value above a limit is printed above it. */
export function decimalsAbove(value: number, limit: number, least: number): number {
  let decimals = least;
  while (decimals < 15 && Number(value.toFixed(decimals)) <= limit) decimals++;
  return decimals;
}

/** Return the rotation of a joint [rad] in degrees: one decimal, or more if it is not zero but would print as zero. */
export function degreesTurned(angle: number): string {
  const size = Math.abs(angle / DEGREE);
  return degrees(angle, size < TINY ? 1 : decimalsAbove(size, 0, 1));
}

/** Return the multiple of the step nearest to a value, without the rounding error of the product. */
export function nearestPlace(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(12)) + 0;
}

/** Return the shortest text of a value: on the grid with the step's decimals, otherwise with its own. */
export function asTyped(value: number, step: number): string {
  if (step === 0) return String(Number(value.toPrecision(6)));
  const onGrid = Math.abs(value - nearestPlace(value, step)) < 1e-9 * Math.max(1, step);
  return onGrid
    ? (value + 0).toFixed(decimalsOf(step)).replace(/^-(0(\.0*)?)$/, "$1")
    : String(Number(value.toPrecision(6)));
}

/** Return an entry; beyond an end, the entry at that end. */
export function entryOf(entries: number[], index: number): number {
  return entries[Math.min(Math.max(index, 0), entries.length - 1)];
}

/** Return the index of the ordered value nearest to a value: by ratio, near zero by difference. */
export function nearestOf(places: number[], value: number): number {
  const above = places.findIndex((place) => place >= value);
  if (above <= 0) return above === 0 ? 0 : places.length - 1;
  const [low, high] = [places[above - 1], places[above]];
  return value < (low > 0 ? Math.sqrt(low * high) : high / 2) ? above - 1 : above;
}
