import type { BoundQuery } from "../../packages/ingot/src/engine/engine.js";
import type { Field } from "../../packages/ingot/src/model/data-type.js";

/** A query over one version of a table, which it calls `t`, in DuckDB's words. */
export function tableQuery(
  location: string,
  version: bigint,
  duckdb: string,
  schema: readonly Field[] = [],
): BoundQuery {
  const at = { file: location, line: 1, column: 1 };
  return {
    query: {
      reads: [{ id: "t", stream: false, kind: "path", path: location, at }],
      schema,
      duckdb,
      deterministic: true,
      preservesRows: false,
    },
    inputs: new Map([["t", { kind: "snapshot", location, version }]]),
  };
}
