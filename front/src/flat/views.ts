/** The views in the plane, by the names that Python gives them. */

import { register } from "../view.ts";
import { basin } from "./basin.ts";
import { columns } from "./columns.ts";
import { elbow } from "./elbow.ts";

register("basin", basin);
register("columns", columns);
register("elbow", elbow);
