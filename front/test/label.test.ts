import assert from "node:assert/strict";
import test from "node:test";
import { besideOf, CLEAR } from "../src/space/label.ts";

const BOX: [number, number] = [22, 12]; // pixels, half a label's width and height
const FROM: [number, number] = [200, 150];

test("a label beside an arrow stands clear of it, whichever way the arrow points", () => {
  for (let degrees = 0; degrees < 360; degrees += 5) {
    const angle = (degrees * Math.PI) / 180;
    const to: [number, number] = [200 + 120 * Math.cos(angle), 150 + 120 * Math.sin(angle)];
    const [x, y] = besideOf(FROM, to, BOX);
    const across = [-Math.sin(angle), Math.cos(angle)];
    const far = Math.abs((x - 200) * across[0] + (y - 150) * across[1]); // of its middle from the arrow's line
    const reach = Math.abs(across[0]) * BOX[0] + Math.abs(across[1]) * BOX[1]; // of its corners towards that line
    assert.ok(Math.abs(far - reach - CLEAR) < 1e-9, `at ${degrees}° ${far - reach} pixels are left`);
    const along = (x - 200) * Math.cos(angle) + (y - 150) * Math.sin(angle);
    assert.ok(Math.abs(along - 60) < 1e-9, `at ${degrees}° it is not beside the middle`);
    assert.ok(y <= (150 + to[1]) / 2 + 1e-9, `at ${degrees}° it is below the arrow`);
  }
});
