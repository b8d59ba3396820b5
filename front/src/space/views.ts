/** The views in space, by the names that Python gives them. */

import type { MakeView } from "../view.ts";
import { branches } from "./branches.ts";
import { columns } from "./columns.ts";
import { damping } from "./damping.ts";
import { hands } from "./hands.ts";
import { logarithm } from "./logarithm.ts";
import { model } from "./model.ts";
import { obstacle } from "./obstacle.ts";
import { path } from "./path.ts";
import { projection } from "./projection.ts";
import { race } from "./race.ts";
import { robot } from "./robot.ts";
import { screw } from "./screw.ts";
import { singularity } from "./singularity.ts";
import { stance } from "./stance.ts";
import { swing } from "./swing.ts";
import { twoFrames } from "./two_frames.ts";
import { weights } from "./weights.ts";

export const spaceViews: Record<string, MakeView> = {
  branches,
  columns,
  damping,
  hands,
  logarithm,
  model,
  obstacle,
  path,
  projection,
  race,
  robot,
  screw,
  singularity,
  stance,
  swing,
  two_frames: twoFrames,
  weights,
};
