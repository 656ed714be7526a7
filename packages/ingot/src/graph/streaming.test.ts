import { describe, expect, it } from "vitest";
import type { DatasetKind } from "../model/definition.js";
import { checkFlowKind, checkRead, checkTemporary } from "./streaming.js";
import { at, dataset, queryFlow } from "./test-builders.js";

const relation = (stream: boolean) => ({ kind: "table", id: "r0", name: ["s"], stream, at: at(2) }) as const;

// Spark 4.2: INVALID_FLOW_QUERY_TYPE and its sub-conditions.
it.each<[DatasetKind, boolean, boolean, string | undefined]>([
  ["streaming-table", true, false, undefined],
  ["streaming-table", false, false, "BATCH_RELATION_FOR_STREAMING_TABLE"],
  ["streaming-table", false, true, undefined],
  ["streaming-table", true, true, "STREAMING_RELATION_FOR_ONCE_FLOW"],
  ["materialized-view", false, false, undefined],
  ["materialized-view", true, false, "STREAMING_RELATION_FOR_MATERIALIZED_VIEW"],
  ["view", false, false, undefined],
  ["view", true, false, "STREAMING_RELATION_FOR_PERSISTED_VIEW"],
  ["temporary-view", true, false, undefined],
  ["temporary-view", false, false, undefined],
])("a %s with a query that streams=%s and once=%s: %s", (kind, streaming, once, condition) => {
  const flow = queryFlow("t", "SELECT 1", { once });
  const error = checkFlowKind(dataset("t", kind), flow, streaming);
  expect(error?.code).toBe(condition === undefined ? undefined : `INVALID_FLOW_QUERY_TYPE.${condition}`);
  if (error !== undefined) expect(error).toMatchObject({ at: { line: 1, column: 1 }, sqlState: "42000" });
});

it.each<[DatasetKind, boolean, boolean, string | undefined]>([
  ["streaming-table", false, true, undefined],
  ["streaming-table", false, false, undefined],
  ["temporary-view", true, true, undefined],
  ["temporary-view", true, false, "INCOMPATIBLE_BATCH_VIEW_READ"],
  ["temporary-view", false, true, "INCOMPATIBLE_STREAMING_VIEW_READ"],
  ["materialized-view", false, true, "INCOMPATIBLE_STREAMING_VIEW_READ"],
  ["materialized-view", false, false, undefined],
  ["view", false, true, "INCOMPATIBLE_STREAMING_VIEW_READ"],
  ["view", false, false, undefined],
])("a %s that streams=%s, read with STREAM=%s: %s", (kind, streaming, stream, code) => {
  const error = checkRead(relation(stream), dataset("s", kind), streaming);
  expect(error?.code).toBe(code);
  if (error !== undefined) expect(error.at).toEqual(at(2));
});

describe("checkTemporary", () => {
  it("refuses a persisted view over a temporary one, and nothing else", () => {
    const kinds = ["streaming-table", "materialized-view", "view", "temporary-view"] as const;
    const refused = kinds.flatMap((reader) =>
      kinds.flatMap((source) => {
        const error = checkTemporary(relation(false), dataset("s", source), dataset("t", reader));
        return error === undefined ? [] : `${reader} ${source} ${error.code}`;
      }),
    );
    expect(refused).toEqual(["view temporary-view INVALID_TEMP_OBJ_REFERENCE"]);
    expect(checkTemporary(relation(false), dataset("s", "temporary-view"), undefined)).toBeUndefined();
  });
});
