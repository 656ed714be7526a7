import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AddFile, Snapshot } from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { writeProject } from "../../define/project-fixture.js";
import { columns } from "../../graph/test-builders.js";
import { quoteText } from "../../sql/lower/lower-text.js";
import { toDeltaSchema } from "../tables/delta-schema.js";
import { scanFiles, scanSnapshot } from "./scan.js";
import { runSql } from "./test-session.js";

type Part = readonly [path: string, select: string, partition?: Readonly<Record<string, string | null>>];

/** What one file is read by all threads for; a hint that need not be true. */
const LARGE = 1 << 20;

/** A table whose files hold these rows, as its log would tell it. */
async function table(schema: string, parts: readonly Part[], partitionColumns: readonly string[] = []) {
  const folder = writeProject({});
  const files: AddFile[] = [];
  for (const [path, select, partitionValues = {}] of parts) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    await runSql(folder, `COPY (${select}) TO ${quoteText(file)} (FORMAT parquet)`);
    files.push({ path, uri: encodeURI(path), partitionValues, size: LARGE, modificationTime: 0, dataChange: true });
  }
  const snapshot: Snapshot = {
    table: folder,
    version: 0n,
    timestamp: 0,
    protocol: { minReaderVersion: 1, minWriterVersion: 2 },
    metadata: {
      id: "id",
      format: { provider: "parquet", options: {} },
      schemaString: "",
      partitionColumns,
      configuration: {},
    },
    schema: toDeltaSchema(columns(schema)),
    files,
    transactions: new Map(),
    domains: new Map(),
    commitInfo: undefined,
    warnings: [],
  };
  const rows = async (sql = scanSnapshot(snapshot)) =>
    (await runSql(folder, `SELECT * FROM (${sql}) ORDER BY ALL`)).map((r) => r.map(String).join(" "));
  return { folder, snapshot, files, rows };
}

describe("scanSnapshot", () => {
  it("gives the rows of all files, columns in the order of the schema", async () => {
    const { rows } = await table("id int, name string", [
      ["a.parquet", "SELECT 1 AS id, 'x' AS name"],
      ["b.parquet", "SELECT 'y' AS name, 2 AS id"],
    ]);
    expect(await rows()).toEqual(["1 x", "2 y"]);
  });

  it("gives a table without files its columns and types", async () => {
    const { folder, snapshot, rows } = await table("id bigint, at timestamp", []);
    expect(await rows()).toEqual([]);
    const described = await runSql(folder, `DESCRIBE ${scanSnapshot(snapshot)}`);
    expect(described.map((r) => r.slice(0, 2))).toEqual([
      ["id", "BIGINT"],
      ["at", "TIMESTAMP WITH TIME ZONE"],
    ]);
  });

  it("reads a column that a file lacks as NULL, and leaves out one that the table has dropped", async () => {
    const { rows } = await table("id int, later string", [["a.parquet", "SELECT 1 AS id, 'gone' AS dropped"]]);
    expect(await rows()).toEqual(["1 null"]);
  });

  it("has the types of the schema, whatever the files have", async () => {
    const { folder, snapshot } = await table("id bigint", [["a.parquet", "SELECT 1::INTEGER AS id"]]);
    expect(await runSql(folder, `SELECT typeof(id) FROM (${scanSnapshot(snapshot)})`)).toEqual([["BIGINT"]]);
  });

  it("takes partition values from the log, never from the path; null and the empty text are NULL", async () => {
    const { rows } = await table(
      "day date, id int, region string",
      [
        ["a.parquet", "SELECT 1 AS id", { day: "2026-10-01", region: "it's" }],
        ["b.parquet", "SELECT 2 AS id", { day: null, region: "" }],
        ["id=9/c.parquet", "SELECT 3 AS id", { day: "2026-10-02", region: "right" }],
      ],
      ["day", "region"],
    );
    expect(await rows()).toEqual(["2026-10-01 1 it's", "2026-10-02 3 right", "null 2 null"]);
  });

  it("finds files with odd names, and absolute ones", async () => {
    const { folder, snapshot, files, rows } = await table("id int", [["part [1]*?%20'.parquet", "SELECT 1 AS id"]]);
    expect(await rows()).toEqual(["1"]);
    const absolute = files.map((file) => ({ ...file, path: join(folder, file.path) }));
    expect(await rows(scanFiles({ ...snapshot, table: "/elsewhere" }, absolute))).toEqual(["1"]);
  });
});

it("reads the row groups of one large file in their order", async () => {
  const { folder, snapshot } = await table("id int", [["a.parquet", "SELECT range AS id FROM range(300000)"]]);
  const inOrder = `SELECT count(*)::INTEGER, bool_and(id = place) FROM (
    SELECT id, row_number() OVER () - 1 AS place FROM (${scanSnapshot(snapshot)}))`;
  expect(await runSql(folder, inOrder)).toEqual([[300_000, true]]);
});

it("scanFiles reads the named files alone", async () => {
  const { snapshot, files, rows } = await table("id int", [
    ["a.parquet", "SELECT 1 AS id"],
    ["b.parquet", "SELECT 2 AS id"],
  ]);
  expect(await rows(scanFiles(snapshot, files.slice(1)))).toEqual(["2"]);
  expect(await rows(scanFiles(snapshot, []))).toEqual([]);
});
