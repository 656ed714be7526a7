import { describe, expect, it } from "vitest";
import { api, declared, refusal, untyped } from "./api-fixture.js";

const { sql, ref, externalTable, changeFeed, readFiles } = api;

describe("relations", () => {
  it("write files as read_files with Spark's option names", () => {
    const files = readFiles("landing/*.csv", {
      format: "csv",
      header: true,
      maxFilesPerTrigger: 10,
      schema: { id: "BIGINT", "a b": { type: "STRING", notNull: true } },
      options: { sep: ";", "cloudFiles.x": 1 },
    });
    expect(sql`FROM STREAM ${files}`.text).toBe(
      "FROM STREAM read_files('landing/*.csv', format => 'csv', header => true, maxFilesPerTrigger => 10, " +
        "schema => 'id BIGINT, `a b` STRING NOT NULL', sep => ';', `cloudFiles.x` => 1)",
    );
    expect(files).toMatchObject({ kind: "files", path: "landing/*.csv" });
  });

  it("write a change feed with its start", () => {
    const t = externalTable("sap.bronze.vbak");
    expect(sql`${changeFeed(t)}`.text).toBe("sap.bronze.vbak WITH (readChangeFeed = true)");
    expect(sql`${changeFeed(t, { startingVersion: 7n })}`.text).toContain("startingVersion = 7)");
    expect(sql`${changeFeed(t, { startingVersion: "latest" })}`.text).toContain("startingVersion = 'latest')");
    expect(sql`${changeFeed(t, { startingTimestamp: "2026-01-01" })}`.text).toContain(
      "startingTimestamp = '2026-01-01')",
    );
    expect(changeFeed(t).of).toBe("sap.bronze.vbak");
  });

  it("know an external table by name or by folder, and record it", () => {
    const made = declared(() => {
      expect(sql`${externalTable("a.b.c", { schema: "id INT", path: "/x/`y" })}`.text).toBe("delta.`/x/``y`");
    });
    expect(made.externals).toMatchObject([
      {
        name: { catalog: "a", schema: "b", table: "c" },
        path: "/x/`y",
        schema: [{ name: "id", type: { kind: "int" }, nullable: true }],
      },
    ]);
  });

  it.each<[string, () => unknown, string]>([
    ["a misspelt file option", () => readFiles("x", untyped({ formt: "csv" })), "UNKNOWN_OPTION"],
    ["an unknown format", () => readFiles("x", untyped({ format: "xls" })), "BAD_OPTION"],
    ["no path", () => readFiles(untyped(undefined)), "BAD_OPTION"],
    ["a bad schema of files", () => readFiles("x", { schema: "id" }), "BAD_SCHEMA"],
    ["a known option among the rare ones", () => readFiles("x", { options: { header: true } }), "BAD_OPTION"],
    [
      "a sensitive column of files",
      () => readFiles("x", { schema: { a: { type: "INT", sensitive: true } } }),
      "BAD_OPTION",
    ],
    ["two starts", () => changeFeed(ref("t"), { startingVersion: 0, startingTimestamp: "x" }), "BAD_OPTION"],
    ["a negative start", () => changeFeed(ref("t"), { startingVersion: -1 }), "BAD_OPTION"],
    ["a change feed of files", () => changeFeed(untyped(readFiles("x"))), "BAD_OPTION"],
    ["a reference without a name", () => ref(""), "INVALID_IDENTIFIER"],
  ])("refuse %s", (_what, call, code) => {
    expect(refusal(call).code).toBe(code);
  });
});

describe("expectations", () => {
  it("over the whole table name their columns and the table", () => {
    const made = declared(() => {
      api.materializedView("m", {
        query: sql`SELECT 1`,
        expectations: [
          api.expectUnique(["a", "b c"]),
          api.expectReferences(["a"], "other.t", ["id"], { action: "quarantine", status: "NO_T" }),
          api.expectReferences(["b"], ref("u")),
          api.expectRowCount({ min: 0.5, max: 2, action: "warn" }),
          api.expectFreshness("d", "2 hours", { comment: "daily" }),
          api.expectSingleValue("e f"),
        ],
      });
    });
    expect(made.datasets[0]?.expectations).toMatchObject([
      { wholeTable: true, action: "fail", condition: { text: "UNIQUE (a, `b c`)" } },
      { action: "quarantine", status: "NO_T", condition: { text: "REFERENCES (a) IN other.t (id)" } },
      { name: "references_b", action: "fail", condition: { text: "REFERENCES (b) IN u (b)" } },
      { name: "row_count", action: "warn", condition: { text: "ROW COUNT BETWEEN 0.5 AND 2 OF LAST 5 RUNS" } },
      { name: "fresh_d", action: "fail", comment: "daily", condition: { text: "FRESHNESS (d) WITHIN 2 HOURS" } },
      { name: "single_e f", action: "warn", condition: { text: "SINGLE VALUE (`e f`)" } },
    ]);
  });

  it("carry status and comment, and refuse what is no condition", () => {
    const made = declared(() => {
      api.view("v", {
        query: sql`SELECT 1`,
        expectations: [api.expectOrQuarantine("valid", "x > 0", { status: "BAD_X", comment: "c" })],
      });
    });
    expect(made.datasets[0]?.expectations).toMatchObject([{ action: "quarantine", status: "BAD_X", comment: "c" }]);
    expect(refusal(() => api.expect("x", untyped(1))).code).toBe("BAD_OPTION");
    expect(refusal(() => api.expect("x", " ")).code).toBe("BAD_OPTION");
    expect(refusal(() => api.expectAll(untyped(["x"]))).code).toBe("BAD_OPTION");
    expect(refusal(() => api.expectUnique([])).code).toBe("BAD_OPTION");
    expect(refusal(() => api.expectReferences(["a"], "t", ["b", "c"])).code).toBe("BAD_OPTION");
    expect(refusal(() => api.expectReferences(["a"], untyped(readFiles("x")))).code).toBe("BAD_OPTION");
    expect(refusal(() => api.expectRowCount(untyped({ min: 2, max: 3 }))).code).toBe("BAD_OPTION");
    expect(refusal(() => api.expectRowCount(untyped({ max: 3 }))).code).toBe("BAD_OPTION");
    expect(refusal(() => api.expectFreshness("a", "soon")).code).toBe("BAD_OPTION");
  });
});
