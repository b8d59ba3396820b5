/** The views in the plane, by the names that Python gives them. */

import { register } from "../view.ts";
import { arena } from "./arena.ts";
import { ball } from "./ball.ts";
import { basin } from "./basin.ts";
import { elbow } from "./elbow.ts";
import { lanes } from "./lanes.ts";
import { limits } from "./limits.ts";
import { newton } from "./newton.ts";
import { pushes } from "./pushes.ts";
import { servo } from "./servo.ts";
import { source } from "./source.ts";
import { timing } from "./timing.ts";
import { tradeoff } from "./tradeoff.ts";

const views = { arena, ball, basin, elbow, lanes, limits, newton, pushes, servo, source, timing, tradeoff };
for (const [name, make] of Object.entries(views)) register(name, make);
