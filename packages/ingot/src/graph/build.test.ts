import { describe, expect, it } from "vitest";
import { formatType } from "../model/data-type.js";
import type { Definitions } from "../model/definition.js";
import { sqlText } from "../model/position.js";
import type { AsOf } from "../model/query.js";
import type { TableState } from "../model/table.js";
import { compileExpression } from "../sql/compile-expression.js";
import { bindQuery, buildGraph } from "./build.js";
import type { GraphContext } from "./graph-context.js";
import {
  at,
  columns,
  compiled,
  dataset,
  keyOf,
  PLACES,
  queryFlow,
  rejected,
  tableState,
  testCompiler,
} from "./test-builders.js";

/** Datasets as `[kind, name, query]`, over tables by folder. */
type Line = readonly [kind: "st" | "mv" | "tv" | "v", name: string, query: string];
const KINDS = { st: "streaming-table", mv: "materialized-view", tv: "temporary-view", v: "view" } as const;

function project(lines: readonly Line[]): Definitions {
  return {
    datasets: lines.map(([kind, name], i) => dataset(name, KINDS[kind], { at: at(i + 1) })),
    flows: lines.map(([, name, query], i) => queryFlow(name, query, { at: at(i + 1) })),
    externals: [],
    notices: [],
  };
}

function context(tables: Readonly<Record<string, TableState>> = {}, resets: readonly string[] = []): GraphContext {
  const describe = async (location: string, asOf?: AsOf) => {
    const state = tables[location];
    return state === undefined || asOf === undefined ? state : { ...state, version: 7n, schema: columns("past int") };
  };
  return {
    places: PLACES,
    compiler: testCompiler,
    dialects: {},
    describe,
    declare: async ({ properties }) => properties,
    contract: async () => undefined,
    fileColumns: async (read) => read.schema ?? [],
    compileExpression: async (text, columns, name) => compileExpression(text, columns, name),
    role: (key) => (resets.includes(key) ? "reset" : "refresh"),
  };
}

const build = (lines: readonly Line[], ...more: Parameters<typeof context>) =>
  buildGraph(project(lines), context(...more));

async function faults(lines: readonly Line[], ...more: Parameters<typeof context>): Promise<string[]> {
  const error = await rejected(build(lines, ...more));
  return [error, ...error.others].map((e) => `${e.code} ${e.object ?? ""}`);
}

const SHOP: readonly Line[] = [
  ["mv", "gold", "SELECT * FROM silver"],
  ["st", "silver", "SELECT id int FROM STREAM recent"],
  ["tv", "recent", "SELECT * FROM STREAM bronze, other.prices"],
  ["st", "bronze", "SELECT * FROM STREAM 'landing'"],
];
const PRICES = { "/p/tables/other/prices": tableState({ schema: columns("price double") }) };

describe("a dataset in the SQL of an engine", () => {
  const definitions = {
    ...project([["mv", "own", "SELECT a int FROM t"]]),
    datasets: [dataset("own", "materialized-view", { at: at(1), dialect: "duckdb" })],
  };
  const t = context({ "/p/tables/default/t": tableState() });

  it("is compiled by the engine's own compiler", async () => {
    const own = { ...testCompiler, compile: async () => compiled({ schema: columns("mine int"), dialect: "duckdb" }) };
    const { nodes } = await buildGraph(definitions, { ...t, dialects: { duckdb: own } });
    expect(nodes[0]?.flows[0]?.query.dialect).toBe("duckdb");
    expect(nodes[0]?.schema.map((f) => f.name)).toEqual(["mine"]);
  });

  it("is refused on an engine without it", async () => {
    expect(await rejected(buildGraph(definitions, t))).toMatchObject({ code: "NOT_SUPPORTED", at: { line: 1 } });
  });
});

describe("buildGraph", () => {
  it("puts upstream first and knows what each table reads, views looked through", async () => {
    const { nodes } = await build(SHOP, PRICES);
    expect(nodes.map((n) => [n.dataset.name.table, [...n.upstream]])).toEqual([
      ["bronze", []],
      ["recent", [keyOf("bronze")]],
      ["silver", [keyOf("bronze")]],
      ["gold", [keyOf("silver")]],
    ]);
    expect(nodes.map((n) => n.location)).toEqual([
      "/p/tables/default/bronze",
      undefined,
      "/p/tables/default/silver",
      "/p/tables/default/gold",
    ]);
  });

  it("types each query by what it reads, through views", async () => {
    const { nodes } = await build(SHOP, PRICES);
    const recent = nodes.find((n) => n.dataset.name.table === "recent");
    expect(recent?.schema.map((f) => `${f.name} ${formatType(f.type)}`)).toEqual(["a int", "price double"]);
    expect(recent?.streaming).toBe(true);
    expect(nodes.map((n) => n.flows[0]?.inputs.get("r0")?.kind)).toEqual(["files", "table", "view", "table"]);
  });

  it("gives one reading of the tables to all flows: what is there before the run", async () => {
    const old = tableState({ schema: columns("old int") });
    const { nodes } = await build(SHOP, { ...PRICES, "/p/tables/default/bronze": old });
    expect(nodes[0]).toMatchObject({ existing: old, schema: columns("old int, a int") });
    expect(nodes[1]?.schema).toEqual(columns("old int, a int, price double"));
  });

  it("forgets the columns of a table that starts again", async () => {
    const old = tableState({ schema: columns("a string") });
    const tables = { ...PRICES, "/p/tables/default/bronze": old };
    expect(await faults(SHOP, tables)).toEqual(["CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE spark_catalog.default.bronze"]);
    const { nodes } = await build(SHOP, tables, [keyOf("bronze")]);
    expect(nodes[0]).toMatchObject({ existing: old, schema: columns("a int") });
  });

  it("reads a past version with its own columns, and waits for nobody", async () => {
    const lines: Line[] = [SHOP[3] as Line, ["mv", "m", "SELECT * FROM bronze@3"]];
    const { nodes } = await build(lines, { "/p/tables/default/bronze": tableState() });
    expect(nodes[1]?.schema).toEqual(columns("past int"));
    expect(nodes[1]?.flows[0]?.inputs.get("r0")).toMatchObject({ kind: "table", version: 7n });
    expect(nodes[1]?.upstream.size).toBe(0);
  });

  it.each<[string, readonly Line[], string[]]>([
    ["a table that is not there", [["mv", "m", "SELECT a int FROM gone"]], ["UNKNOWN_TABLE gone"]],
    ["a folder without a table", [["mv", "m", "SELECT a int FROM /gone"]], ["NO_DELTA_TABLE delta.`/gone`"]],
    [
      "a past version of a view",
      [
        ["v", "v", "SELECT a int"],
        ["mv", "m", "SELECT a int FROM v@1"],
      ],
      ["UNSUPPORTED_CLAUSE spark_catalog.default.v"],
    ],
    [
      "a past version of a stream",
      [
        ["st", "s", "SELECT a int FROM STREAM 'x'"],
        ["st", "t", "SELECT a int FROM STREAM s@1"],
      ],
      ["UNSUPPORTED_CLAUSE "],
    ],
    [
      "a batch query of a streaming table",
      [["st", "s", "SELECT a int"]],
      ["INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE spark_catalog.default.s"],
    ],
    [
      "a stream of a materialized view",
      [
        ["mv", "m", "SELECT a int"],
        ["st", "s", "SELECT a int FROM STREAM m"],
      ],
      ["INCOMPATIBLE_STREAMING_VIEW_READ spark_catalog.default.m"],
    ],
    [
      "a cycle",
      [
        ["mv", "m", "SELECT a int FROM n"],
        ["mv", "n", "SELECT a int FROM m"],
      ],
      ["CYCLE spark_catalog.default.m"],
    ],
  ])("refuses %s", async (_, lines, expected) => {
    expect(await faults(lines)).toEqual(expected);
  });

  it("tells all faults of a stage at once, and none that only follows", async () => {
    const lines: Line[] = [
      ["mv", "a", "SELECT x int FROM gone"],
      ["mv", "b", "SELECT x int FROM a"],
      ["st", "c", "SELECT x int"],
    ];
    expect(await faults(lines)).toEqual([
      "UNKNOWN_TABLE gone",
      "INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE spark_catalog.default.c",
    ]);
  });

  it("refuses two tables in one folder", async () => {
    const definitions = project([SHOP[3] as Line, ["mv", "m", "SELECT a int"]]);
    const location = "tables/default/bronze";
    const datasets = definitions.datasets.map((d) => (d.name.table === "m" ? { ...d, location } : d));
    const error = await rejected(buildGraph({ ...definitions, datasets }, context()));
    expect(error).toMatchObject({ code: "LOCATION_ALREADY_EXISTS", object: "spark_catalog.default.m", at: at(2) });
  });
});

describe("bindQuery", () => {
  it("reads tables as they are now, not as the next run will leave them", async () => {
    const tables = { ...PRICES, "/p/tables/default/bronze": tableState({ schema: columns("old int") }) };
    const graph = await buildGraph(project(SHOP), { ...context(tables), role: () => "excluded" });
    const { flow } = await bindQuery(sqlText("SELECT * FROM bronze"), graph, context());
    expect(flow.query.schema).toEqual(columns("old int"));
    expect(flow.inputs.get("r0")).toMatchObject({ kind: "table", location: "/p/tables/default/bronze" });
  });

  it("looks a table up that the project does not declare", async () => {
    const graph = await build(SHOP, PRICES);
    const { flow } = await bindQuery(sqlText("SELECT * FROM other.prices"), graph, context(PRICES));
    expect(flow.query.schema).toEqual(columns("price double"));
  });
});
