import { describe, expect, it } from "vitest";
import type { AutoCdcFlow, Dataset, DatasetKind, Flow } from "../model/definition.js";
import type { IngotError } from "../model/error.js";
import { sqlText } from "../model/position.js";
import { refuseUnimplemented } from "./refuse.js";
import { at, DEFAULTS, dataset, tableName } from "./test-builders.js";

function refused(datasets: readonly Dataset[], flows: readonly Flow[] = []): string[] {
  const errors: IngotError[] = [];
  refuseUnimplemented(datasets, flows, DEFAULTS.catalog, errors);
  return errors.map((e) => `${e.code} ${e.at?.line}: ${e.message}`);
}

const NAME = "spark_catalog.default.t";
const condition = { text: "a > 0", segments: [{ start: 0, ...at(5) }] };

describe("refuseUnimplemented", () => {
  it.each<[string, Partial<Dataset>, DatasetKind?]>([
    ["the option `quarantine` of a view", { quarantine: "q" }, "view"],
    ["the option `gate` of a view", { gate: { maxFailedRows: 1 } }, "view"],
    ["the option `drift` of a view that outlives the run", { drift: "stop" }, "view"],
    ["the option `tags`", { tags: ["a"] }],
    [
      "the option `backfill` of what is no streaming table",
      { backfill: { source: condition, chunkBy: "a" } },
      "materialized-view",
    ],
    ["WITH ROW FILTER", { rowFilter: { function: "f", columns: ["a"] } }],
    ['CLUSTER BY AUTO (`clusterBy: "auto"`)', { clusterBy: "auto" }],
    ["PRIMARY KEY / FOREIGN KEY", { constraints: [condition] }],
    ["NOT NULL of the column a of a view", { columns: [{ name: "a", notNull: true }] }, "view"],
    ["LOCATION of a view", { location: "x" }, "view"],
    ["table properties of a view", { properties: { quality: "silver" } }, "temporary-view"],
    [
      "the table property `Delta.AutoOptimize.optimizeWrite`",
      { properties: { "Delta.AutoOptimize.optimizeWrite": "true" } },
    ],
    ["the table property `delta.constraints.c`", { properties: { "delta.constraints.c": "a > 0" } }],
    ["the table property `delta.minReaderVersion`", { properties: { "delta.minReaderVersion": "2" } }],
    [
      "the table property `delta.parquet.compression.codec`",
      { properties: { "delta.parquet.compression.codec": "gzip" } },
    ],
    ["the table property `pipelines.trigger.interval`", { properties: { "pipelines.trigger.interval": "1 hour" } }],
    ["setting `pipelines.pipelineId` by hand", { properties: { "pipelines.pipelineId": "x" } }],
  ])("refuses %s", (what, more, kind) => {
    expect(refused([dataset("t", kind, more)])).toEqual([
      `NOT_SUPPORTED 1: ${NAME}: ${what} has no implementation yet`,
    ]);
  });

  it("refuses expectations and clauses of columns where they stand", () => {
    const expectation = { name: "positive", condition, action: "drop", at: at(3) } as const;
    const extra = { text: "DEFAULT 0", segments: [{ start: 0, ...at(4) }] };
    const more = { expectations: [expectation], columns: [{ name: "a", extra: [extra] }] };
    expect(refused([dataset("t", "view", more)])).toEqual([
      `NOT_SUPPORTED 3: ${NAME}: the expectation \`positive\` of a view that outlives the run has no implementation yet`,
      `NOT_SUPPORTED 4: ${NAME}: \`DEFAULT 0\` of the column a has no implementation yet`,
    ]);
  });

  it.each<[Partial<AutoCdcFlow>, string]>([
    [{ storedAs: "bitemporal" }, "STORED AS BITEMPORAL"],
    [{ systemSequenceBy: condition }, "SYSTEM SEQUENCE BY"],
  ])("refuses AUTO CDC with %j", (more, what) => {
    const text = sqlText("STREAM s");
    const base = { name: "f", target: tableName("t"), at: at(2), defaults: DEFAULTS, source: text } as const;
    const flow: AutoCdcFlow = { ...base, kind: "auto-cdc", keys: ["k"], sequenceBy: text, storedAs: "scd1" };
    expect(refused([], [flow])).toEqual([]);
    expect(refused([], [{ ...flow, ...more }])).toEqual([`NOT_SUPPORTED 2: flow f: ${what} has no implementation yet`]);
  });

  it("refuses an age of tombstones that is no number of seconds", () => {
    const properties = { "pipelines.cdc.tombstoneGCThresholdInSeconds": "2 days" };
    expect(refused([dataset("t", "streaming-table", { properties })])).toEqual([
      `BAD_OPTION 1: ${NAME}: the table property \`pipelines.cdc.tombstoneGCThresholdInSeconds\` is '2 days'`,
    ]);
  });

  it("refuses a protection that says neither true nor false", () => {
    const properties = { "pipelines.reset.allowed": "no" };
    expect(refused([dataset("t", "streaming-table", { properties })])).toEqual([
      `BAD_OPTION 1: ${NAME}: the table property \`pipelines.reset.allowed\` is 'no'`,
    ]);
  });

  it("takes what it can do", () => {
    const properties = {
      "delta.appendOnly": "true",
      "delta.enableChangeDataFeed": "true",
      quality: "gold",
      "pipelines.reset.allowed": "False",
      "pipelines.cdc.tombstoneGCThresholdInSeconds": "172800",
    };
    const columns = [{ name: "a", notNull: true, comment: "key" }];
    const more = { properties, columns, comment: "c", private: true, location: "x", refreshPolicy: "full" } as const;
    expect(refused([dataset("t", "streaming-table", more)])).toEqual([]);
  });
});
