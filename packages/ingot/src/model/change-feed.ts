import type { Field } from "./data-type.js";

/** What Delta's change feed has behind the columns of its table, as Spark names and types it. */
export const CHANGE_COLUMNS: readonly Field[] = [
  /** insert, delete, update_preimage, update_postimage. */
  { name: "_change_type", type: { kind: "string" }, nullable: true },
  { name: "_commit_version", type: { kind: "bigint" }, nullable: true },
  { name: "_commit_timestamp", type: { kind: "timestamp" }, nullable: true },
];
