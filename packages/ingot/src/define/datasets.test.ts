import { describe, expect, it } from "vitest";
import { api, declared, refusal, untyped } from "./api-fixture.js";

const { sql, table, materializedView, temporaryView, view, createStreamingTable } = api;
const query = sql`SELECT 1`;

describe("datasets", () => {
  it("become model values, options by their fields", () => {
    const { datasets, flows } = declared(() => {
      table("cat.sch.t", {
        comment: "c",
        tags: ["x"],
        schema: { id: "BIGINT", v: { type: "DECIMAL(10,2)", notNull: true, comment: "value", sensitive: true } },
        expectations: [api.expect("e1", "id > 0"), api.expectAllOrDrop({ e2: "v > 0", e3: sql`v < ${9}` })],
        tableProperties: { "delta.enableChangeDataFeed": true, quality: "bronze", n: 5 },
        clusterBy: ["id"],
        partitionCols: ["v"],
        location: "/data/t",
        private: true,
        quarantine: "q",
        gate: { maxFailedShare: 0.01 },
        drift: { added: "notify" },
        backfill: { source: api.readFiles("history"), chunkBy: "id" },
        query,
      });
    });
    expect(datasets).toMatchObject([
      {
        kind: "streaming-table",
        name: { catalog: "cat", schema: "sch", table: "t" },
        comment: "c",
        tags: ["x"],
        columns: [
          { name: "id", type: { text: "BIGINT" } },
          { name: "v", type: { text: "DECIMAL(10,2)" }, notNull: true, comment: "value", sensitive: true },
        ],
        expectations: [
          { name: "e1", action: "warn", condition: { text: "id > 0" } },
          { name: "e2", action: "drop", condition: { text: "v > 0" } },
          { name: "e3", action: "drop", condition: { text: "v < 9" } },
        ],
        properties: { "delta.enableChangeDataFeed": "true", quality: "bronze", n: "5" },
        clusterBy: ["id"],
        partitionBy: ["v"],
        location: "/data/t",
        private: true,
        quarantine: "q",
        gate: { maxFailedShare: 0.01 },
        drift: { added: "notify" },
        backfill: { source: { text: "read_files('history')" }, chunkBy: "id" },
      },
    ]);
    expect(flows).toMatchObject([
      { kind: "query", name: "t", target: { catalog: "cat", schema: "sch", table: "t" }, query: { text: "SELECT 1" } },
    ]);
  });

  it("complete their names by the defaults and keep the declared one in the value", () => {
    const made = declared(() => {
      expect(view("a.b", query)).toMatchObject({ kind: "view", name: "a.b" });
      materializedView("`odd.name`", query);
      temporaryView("v", query);
      createStreamingTable("s");
    });
    expect(made.datasets.map(({ kind, name }) => [kind, name.catalog, name.schema, name.table])).toEqual([
      ["view", "spark_catalog", "a", "b"],
      ["materialized-view", "spark_catalog", "default", "odd.name"],
      ["temporary-view", "spark_catalog", "default", "v"],
      ["streaming-table", "spark_catalog", "default", "s"],
    ]);
    expect(made.flows).toHaveLength(3);
  });

  it("read DDL text, with what it says of a column", () => {
    const { datasets } = declared(() => {
      table("t", { schema: "a INT NOT NULL, `b c` STRUCT<x: INT, y: ARRAY<STRING>> COMMENT 'it'", query });
    });
    expect(datasets[0]?.columns).toMatchObject([
      { name: "a", type: { text: "INT" }, notNull: true },
      { name: "b c", type: { text: "STRUCT<x: INT, y: ARRAY<STRING>>" }, comment: "it" },
    ]);
  });

  it("are frozen values, and nothing is kept outside of collect", () => {
    const made = table("t", query);
    expect(Object.isFrozen(made)).toBe(true);
    expect(Object.keys(made)).toEqual(["kind", "name", "col"]);
    expect(declared(() => {}).datasets).toEqual([]);
  });

  it.each<[string, () => unknown, string, RegExp]>([
    [
      "a misspelt option",
      () => table("t", untyped({ coment: "x", query })),
      "UNKNOWN_OPTION",
      /Did you mean `comment`/,
    ],
    [
      "a misspelt option within",
      () => table("t", untyped({ drift: { aded: "stop" }, query })),
      "UNKNOWN_OPTION",
      /`added`/,
    ],
    [
      "an option of another kind",
      () => view("t", untyped({ gate: {}, query })),
      "UNKNOWN_OPTION",
      /Its options|Did you/,
    ],
    ["no query", () => table("t", untyped({ comment: "x" })), "BAD_OPTION", /sql`…`/],
    ["a query that is text", () => table("t", untyped("SELECT 1")), "BAD_OPTION", /a query must be a sql/],
    ["options that are none", () => table("t", untyped([query])), "BAD_OPTION", /object of options/],
    ["a text that is none", () => table("t", untyped({ comment: 1, query })), "BAD_OPTION", /must be a text, and is 1/],
    ["a word of none", () => table("t", untyped({ drift: "halt", query })), "BAD_OPTION", /"ignore".*"halt"/],
    ["a share beyond 1", () => table("t", { gate: { maxFailedShare: 2 }, query }), "BAD_OPTION", /0 to 1, and is 2/],
    [
      "a rule that is none",
      () => table("t", untyped({ expectations: ["x > 0"], query })),
      "BAD_OPTION",
      /expectations/,
    ],
    ["a type that is none", () => table("t", { schema: "a DECIMALL(1,2)", query }), "BAD_SCHEMA", /DECIMAL/],
    ["a type that is none, in an object", () => table("t", { schema: { a: "INTT" }, query }), "BAD_SCHEMA", /INT/],
    ["a doubled column", () => table("t", { schema: "a INT, A INT", query }), "COLUMN_ALREADY_EXISTS", /A/],
    ["an empty name", () => table("", query), "INVALID_IDENTIFIER", /empty/],
    ["an empty part", () => table("a..b", query), "INVALID_IDENTIFIER", /a\.\.b/],
    ["four parts", () => table("a.b.c.d", query), "INVALID_IDENTIFIER", /4 parts/],
    ["a name with a hyphen", () => table("a-b", query), "INVALID_IDENTIFIER", /back-ticks/],
    ["no name", () => table(untyped(undefined), query), "BAD_OPTION", /name/],
    [
      "a qualified temporary view",
      () => temporaryView("a.b", query),
      "MULTIPART_TEMPORARY_VIEW_NAME_NOT_SUPPORTED",
      /`b`/,
    ],
  ])("refuse %s", (_what, call, code, words) => {
    const refused = refusal(call);
    expect(refused.code).toBe(code);
    expect(`${refused.message} ${refused.hint}`).toMatch(words);
  });
});
