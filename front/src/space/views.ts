/** The views in space, by the names that Python gives them. */

import type { MakeView } from "../view.ts";
import { model } from "./model.ts";
import { screw } from "./screw.ts";
import { twoFrames } from "./two_frames.ts";

export const spaceViews: Record<string, MakeView> = { model, screw, two_frames: twoFrames };
