import type { Position } from "../../model/position.js";

/** Something that a project says and a pipeline of Databricks cannot. */
export interface Gap {
  /** The dataset, and the flow where it has another name. */
  readonly object: string;
  readonly construct: string;
  /** What is different without it, one sentence. */
  readonly meaning: string;
  readonly at: Position;
}
