import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { localStore, type Store } from "@ingot/delta";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeProjects, writeProject } from "../../define/project-fixture.js";
import { columns, compiled, csvRead } from "../../graph/test-builders.js";
import type { BatchFile } from "../../model/batch.js";
import type { CsvRead } from "../../model/file-read.js";
import { inspectFile } from "../../sources/files/inspect-file.js";
import type { BoundQuery, WriteStep } from "../engine.js";
import { DuckdbEngine } from "./duckdb-engine.js";

afterAll(removeProjects);

const SIGNAL = new AbortController().signal;
const LOG = "_delta_log";
const commitFile = (version: number) => `${String(version).padStart(20, "0")}.json`;
const ONE = compiled({ reads: [], schema: columns("a int"), duckdb: "SELECT 1::INTEGER AS a" });

let table = "";
const engines: DuckdbEngine[] = [];
beforeEach(() => {
  table = join(writeProject({}), "t");
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function engineOver(store: Partial<Store> = {}): DuckdbEngine {
  const engine = new DuckdbEngine(writeProject({}), { ...localStore, ...store });
  engines.push(engine);
  return engine;
}

/** Batch `version` of one flow into the table. */
function append(version: bigint, bound: BoundQuery = { query: ONE, inputs: new Map() }, rows?: number): WriteStep {
  const part = { bound, transaction: { appId: "flow", version } };
  return {
    target: { location: table, name: "t", schema: columns("a int"), properties: {} },
    mode: "append",
    parts: [rows === undefined ? part : { ...part, expectedRows: rows }],
    note: `batch ${version}`,
  };
}

const parquetFiles = () => readdirSync(table).filter((name) => name.endsWith(".parquet"));

async function rowsOf(version: bigint): Promise<number> {
  const read = { id: "r0", kind: "path", path: table, stream: false, at: { file: "", line: 1, column: 1 } } as const;
  const query = compiled({ reads: [read], schema: columns("a int"), duckdb: 'SELECT a FROM "r0"' });
  const inputs = new Map([["r0", { kind: "snapshot", location: table, version } as const]]);
  return (await engineOver().query({ query, inputs }, { signal: SIGNAL })).rows.length;
}

describe("a query whose columns are not those that it was typed with", () => {
  it.each([
    ["another type", "SELECT 1::BIGINT AS a", "a BIGINT"],
    ["a type that DuckDB could cast", "SELECT '1' AS a", "a VARCHAR"],
    ["another name", "SELECT 1::INTEGER AS b", "b INTEGER"],
    ["a column more", "SELECT 1::INTEGER AS a, 2::INTEGER AS b", "a INTEGER, b INTEGER"],
    ["another type of one row", "SELECT 1::INTEGER AS a UNION ALL SELECT 2.5", "a DECIMAL(11,1)"],
  ])("%s is a fault of ours, when it is read and before it is written", async (_, duckdb, found) => {
    const engine = engineOver();
    const bound = { query: { ...ONE, duckdb }, inputs: new Map() };
    const fault = (object: string) => ({
      code: "INTERNAL_ERROR",
      message: `${object}: the query was typed as (a int), and DuckDB gives (${found})`,
    });
    await expect(engine.query(bound, { signal: SIGNAL })).rejects.toMatchObject(fault("the query"));
    await expect(engine.write(append(0n, bound), SIGNAL)).rejects.toMatchObject(fault("t"));
    expect(await engine.describe(table)).toBeUndefined();
  });
});

describe("a commit that ends with an error", () => {
  it("keeps its files when it was made and only the answer was lost", async () => {
    const lost = engineOver({
      async putIfAbsent(path, content) {
        await localStore.putIfAbsent(path, content);
        throw new Error("connection reset");
      },
    });
    expect(await lost.write(append(0n), SIGNAL)).toMatchObject({ version: 0n });
    expect(await rowsOf(0n)).toBe(1);
  });

  it("keeps its files when the log tells later that it was made", async () => {
    let down = false;
    const lost = engineOver({
      async putIfAbsent(path, content) {
        await localStore.putIfAbsent(path, content);
        down = true;
        throw new Error("connection reset");
      },
      async read(path) {
        const wasDown = down;
        down = false;
        if (wasDown) throw new Error("connection refused");
        return localStore.read(path);
      },
    });
    await expect(lost.write(append(0n), SIGNAL)).rejects.toThrow("connection reset");
    expect(await rowsOf(0n)).toBe(1);
    expect(await engineOver().write(append(0n), SIGNAL)).toMatchObject({ version: 0n, parts: [{ rows: 0 }] });
  });

  it("keeps its files when the log cannot be read: they may be a table's", async () => {
    await engineOver().write(append(0n), SIGNAL);
    const damaging = engineOver({
      async putIfAbsent(path, content) {
        writeFileSync(path, "{");
        return localStore.putIfAbsent(path, content);
      },
    });
    await expect(damaging.write(append(1n), SIGNAL)).rejects.toMatchObject({ code: "DELTA_TABLE_UNREADABLE" });
    expect(parquetFiles()).toHaveLength(2);
    rmSync(join(table, LOG, commitFile(1)));
    expect(await engineOver().write(append(1n), SIGNAL)).toMatchObject({ version: 1n });
    expect(await rowsOf(1n)).toBe(2);
  });

  it("takes its files away when the log proves that it was not made", async () => {
    await engineOver().write(append(0n), SIGNAL);
    const before = parquetFiles();
    const full = engineOver({ putIfAbsent: () => Promise.reject(new Error("disk full")) });
    await expect(full.write(append(1n), SIGNAL)).rejects.toThrow("disk full");
    expect(parquetFiles()).toEqual(before);
  });
});

describe("records that do not fit", () => {
  async function step(more: Partial<CsvRead>, columnNames: string, records: number) {
    const read = csvRead("a.csv", { header: false, ...more });
    const path = join(writeProject({ "a.csv": "1\n\nx\n3,4\n" }), "a.csv");
    const file = await inspectFile(path, read);
    const files = { kind: "files", read, columns: columns(columnNames), files: [file] } as const;
    const relation = {
      id: "r0",
      stream: true,
      at: { file: "", line: 1, column: 1 },
      kind: "files",
      files: read,
    } as const;
    const names = columns(columnNames).map(({ name }) => name);
    const query = compiled({
      reads: [relation],
      schema: columns(columnNames),
      duckdb: `SELECT ${names.join(", ")} FROM "r0"`,
    });
    const written = append(1n, { query, inputs: new Map([["r0", files]]) }, records);
    return { ...written, target: { ...written.target, schema: columns(columnNames) } };
  }

  it("are dropped where asked, and counted: records are rows and dropped ones", async () => {
    const { parts } = await engineOver().write(await step({ mode: "DROPMALFORMED" }, "a int", 3), SIGNAL);
    expect(parts).toEqual([{ rows: 1, bytes: expect.any(Number), droppedRecords: 2 }]);
  });

  it("do not pass for dropped ones when the sum is another", async () => {
    await expect(engineOver().write(await step({ mode: "DROPMALFORMED" }, "a int", 4), SIGNAL)).rejects.toMatchObject({
      code: "BALANCE",
      message: expect.stringContaining("1 rows came out of them and 2 were dropped"),
    });
  });

  it("are rescued with the line on which they stand", async () => {
    const rescuing = { rescuedDataColumn: "r", schema: columns("a int, r string") };
    const engine = engineOver();
    const { parts } = await engine.write(await step(rescuing, "a int, r string", 3), SIGNAL);
    expect(parts[0]?.rows).toBe(3);
    const read = { id: "r0", kind: "path", path: table, stream: false, at: { file: "", line: 1, column: 1 } } as const;
    const query = compiled({ reads: [read], schema: columns("r string"), duckdb: 'SELECT r FROM "r0"' });
    const inputs = new Map([["r0", { kind: "snapshot", location: table, version: 0n } as const]]);
    const { rows } = await engine.query({ query, inputs }, { signal: SIGNAL });
    const lines = rows.map(([rescued]) => (rescued === null ? null : JSON.parse(String(rescued))._line));
    expect(lines).toEqual([null, 3, 4]);
  });
});

describe("a file that changes after its manifest was written", () => {
  async function reading(change: (file: BatchFile) => void, throughView: boolean): Promise<WriteStep> {
    const read = csvRead("a.csv", { header: false });
    const path = join(writeProject({ "a.csv": "1\n" }), "a.csv");
    const file = await inspectFile(path, read);
    change(file);
    const relation = {
      id: "r0",
      kind: "files",
      files: read,
      stream: true,
      at: { file: "", line: 1, column: 1 },
    } as const;
    const query = compiled({ reads: [relation], schema: columns("a int"), duckdb: 'SELECT a FROM "r0"' });
    const files: BoundQuery = {
      query,
      inputs: new Map([["r0", { kind: "files", read, columns: read.schema, files: [file] }]]),
    };
    if (!throughView) return append(0n, files, 1);
    return append(0n, { query, inputs: new Map([["r0", { kind: "view", view: files }]]) }, 1);
  }

  it.each([
    ["of the same size", "2\n", false],
    ["read through a view", "2\n", true],
    ["with more rows: the file is at fault, not the balance", "1\n2\n", false],
  ])("is refused, and nothing stays: %s", async (_name, text, throughView) => {
    const step = await reading(({ path, mtimeMs }) => {
      writeFileSync(path, text);
      // File times count in milliseconds: the change must not fall into the one of the inspection.
      utimesSync(path, new Date(), new Date(mtimeMs + 1000));
    }, throughView);
    await expect(engineOver().write(step, SIGNAL)).rejects.toMatchObject({ code: "FILE_CHANGED" });
    expect(readdirSync(table)).toEqual([]);
  });

  it("is read where it did not change", async () => {
    const step = await reading(() => undefined, true);
    expect(await engineOver().write(step, SIGNAL)).toMatchObject({ version: 0n, parts: [{ rows: 1 }] });
  });
});
