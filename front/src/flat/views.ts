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

register("arena", arena);
register("ball", ball);
register("basin", basin);
register("elbow", elbow);
register("lanes", lanes);
register("limits", limits);
register("newton", newton);
register("pushes", pushes);
register("servo", servo);
register("source", source);
register("timing", timing);
register("tradeoff", tradeoff);
