/** The velocities of unit joint rates, from two rows of a Jacobian. */

import type { Matrix } from "../../../front/src/kernels.ts";
import { dot } from "../../../front/src/matrix.ts";

/** Return the singular values of two rows, largest first. */
export function principal(J: Matrix): [number, number] {
  const [a, b, c] = products(J);
  const middle = (a + c) / 2;
  const spread = Math.hypot((a - c) / 2, b);
  const larger = Math.sqrt(middle + spread);
  const volume = Math.sqrt(Math.max(a * c - b * b, 0));
  return [larger, larger > 0 ? volume / larger : 0];
}

/** Return the outline of {J q̇ : ‖q̇‖ = 1}, closed. */
export function ellipse(J: Matrix, steps = 90): [number, number][] {
  const [a, b, c] = products(J);
  const turn = Math.atan2(2 * b, a - c) / 2;
  const [long, short] = principal(J);
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
  return [...Array(steps).keys()].map((k) => {
    const angle = (2 * Math.PI * k) / steps;
    const [u, v] = [long * Math.cos(angle), short * Math.sin(angle)];
    return [cosine * u - sine * v, sine * u + cosine * v];
  });
}

/** Return the entries of J Jᵀ: first diagonal, off-diagonal, second diagonal. */
function products([x, y]: Matrix): [number, number, number] {
  return [dot(x, x), dot(x, y), dot(y, y)];
}
