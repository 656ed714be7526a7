import { describe, expect, it } from "vitest";
import type { GraphInput } from "../graph/graph.js";
import {
  columns,
  csvRead,
  dataset,
  filesInput,
  graphFlow,
  graphNode,
  queryFlow,
  tableState,
} from "../graph/test-builders.js";
import type { Dataset } from "../model/definition.js";
import type { TableState } from "../model/table.js";
import { fingerprint, isRedefined } from "./fingerprint.js";

const files = filesInput("landing");
const table: GraphInput = { kind: "table", stream: false, location: "/p/t", name: "t" };
const over = (view: ReturnType<typeof graphFlow>): GraphInput => ({ kind: "view", stream: true, view });

describe("fingerprint", () => {
  const of = (inputs: Record<string, GraphInput>, duckdb = "q", schema = columns("a int"), flow = queryFlow("t")) => {
    const built = graphFlow(flow, inputs, { duckdb });
    return fingerprint(graphNode(dataset("t"), [built], { schema }), built);
  };
  const before = of({ r0: files });

  it("stays with the same lowered query, however it is written", () => {
    expect(of({ r0: files }, "q", columns("a int"), queryFlow("t", "SELECT  a int -- why"))).toBe(before);
  });

  it("changes with the query, a view below, an input, the options of a read, and the columns", () => {
    const view = (duckdb: string) => over(graphFlow(queryFlow("v"), { r0: files }, { duckdb }));
    const prints = [
      before,
      of({ r0: files }, "other"),
      of({ r0: table }),
      of({ r0: { ...table, name: "u" } }),
      of({ r0: { ...files, read: csvRead("landing", { header: false }) } }),
      of({ r0: files }, "q", columns("a bigint")),
      of({ r0: view("a") }),
      of({ r0: view("b") }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe("isRedefined", () => {
  const declared: Partial<Dataset> = { comment: "c", properties: { quality: "gold", a: "1" } };
  const stands: Partial<TableState> = {
    comment: "c",
    properties: { a: "1", quality: "gold", "pipelines.pipelineId": "x" },
  };
  const of = (declaration: Partial<Dataset>, state: Partial<TableState>, schema = columns("a int")) =>
    isRedefined(graphNode(dataset("t", "streaming-table", declaration), [], { schema }), tableState(state));

  it("is false for a table as it is declared, the owner's mark aside", () => {
    expect(of(declared, stands)).toBe(false);
    expect(of({}, {})).toBe(false);
    const feature = { "delta.feature.a": "supported" };
    expect(of(declared, { ...stands, properties: { ...stands.properties, ...feature } })).toBe(false);
    expect(of({ properties: feature }, { properties: { ...feature, "delta.feature.b": "supported" } })).toBe(false);
  });

  it.each<[string, Partial<Dataset>, Partial<TableState>]>([
    ["another comment", { ...declared, comment: "d" }, stands],
    ["no comment any more", { properties: declared.properties ?? {} }, stands],
    ["another property", { ...declared, properties: { quality: "silver", a: "1" } }, stands],
    ["a feature more", { ...declared, properties: { ...declared.properties, "delta.feature.a": "supported" } }, stands],
    ["a property less", { ...declared, properties: { a: "1" } }, stands],
    ["a new column", declared, { ...stands, schema: [] }],
    ["another type", declared, { ...stands, schema: columns("a bigint") }],
    ["a column's comment", declared, { ...stands, schema: columns("a int").map((f) => ({ ...f, comment: "c" })) }],
    ["NOT NULL", declared, { ...stands, schema: columns("a int").map((f) => ({ ...f, nullable: false })) }],
  ])("is true for %s", (_, declaration, state) => {
    expect(of(declaration, state)).toBe(true);
  });
});
