import { sql, temporaryView } from "ingot";
import { BATCHES } from "../lib/batch-level";

// Of one plant each, or of all: their plant is blank then.
temporaryView(
  "batches",
  BATCHES === "MCHA" ? sql`SELECT *, werks AS plant FROM extract.mcha` : sql`SELECT *, '' AS plant FROM extract.mch1`,
);
