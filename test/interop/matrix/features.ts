import type { WriteFeature } from "./features/feature.js";
import { LOG_FEATURES } from "./features/log.js";
import { ROW_FEATURES } from "./features/rows.js";
import { SCHEMA_FEATURES } from "./features/schema.js";

/** All that we write, each a table that both of our engines write and that the peers read. */
export const WRITE_FEATURES: readonly WriteFeature[] = [...ROW_FEATURES, ...SCHEMA_FEATURES, ...LOG_FEATURES];
