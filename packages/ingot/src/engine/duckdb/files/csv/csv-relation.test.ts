import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columns, csvRead, type DeclaredCsvRead } from "../../../../graph/test-builders.js";
import { inspectFile } from "../../../../sources/files/inspect-file.js";
import { parseSchema } from "../../../../sql/ddl-types.js";
import { registerFileFunctions } from "../file-functions.js";
import { filesRelation } from "../files-relation.js";
import { asText } from "../test-relation.js";
import { csvRecords } from "./csv-relation.js";

const folder = mkdtempSync(join(tmpdir(), "ingot-csv-"));
let connection: DuckDBConnection;
const USE = { rowNumber: false, lineNumber: false };

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  await connection.run("SET TimeZone = 'UTC'");
  await registerFileFunctions(connection);
});
afterAll(() => {
  connection.closeSync();
  rmSync(folder, { recursive: true });
});

function readOf(schema: string, options: Partial<DeclaredCsvRead> = {}): DeclaredCsvRead {
  return csvRead(folder, { schema: parseSchema(schema), header: false, enforceSchema: true, ...options });
}

async function relationOf(contents: readonly (string | Buffer)[], read: DeclaredCsvRead) {
  const files = contents.map((content, i) => {
    const path = join(folder, `${String(i).padStart(4, "0")}.csv`);
    writeFileSync(path, content);
    return inspectFile(path, read);
  });
  const inspected = await Promise.all(files);
  return {
    sql: filesRelation(read, read.schema, inspected, USE),
    records: inspected.reduce((sum, file) => sum + file.records, 0),
  };
}

async function query(sql: string) {
  return (await connection.runAndReadAll(sql)).getRows();
}

/** Rows as texts, in the form of the fixture. */
async function textRows(contents: readonly (string | Buffer)[], read: DeclaredCsvRead) {
  const { sql, records } = await relationOf(contents, read);
  const columns = read.schema.map(asText);
  const rows = await query(`SELECT ${columns.join(", ")} FROM (${sql})`);
  expect(rows.length).toBe(records);
  return rows.map((row) => row.map((value) => (value === null ? null : String(value).slice(1))));
}

describe("records that do not fit", () => {
  it("keeps the shop's bad amount as NULL and the line as it is", async () => {
    const read = readOf(
      "order_id BIGINT, customer_id STRING, status STRING, amount DECIMAL(10,2), updated_at TIMESTAMP, _bad STRING",
      { header: true, enforceSchema: false, corruptRecordColumn: "_bad" },
    );
    const { sql } = await relationOf(
      ["order_id,customer_id,status,amount,updated_at\n1003,C03,placed,abc,2026-10-01 11:30:00\n"],
      read,
    );
    expect(
      await query(
        `SELECT COLUMNS(*)::VARCHAR FROM (SELECT * EXCLUDE (_metadata, "_metadata.content_hash") FROM (${sql}))`,
      ),
    ).toEqual([["1003", "C03", "placed", null, "2026-10-01 11:30:00+00", "1003,C03,placed,abc,2026-10-01 11:30:00"]]);
  });

  it.each([
    ["a filter on another column cannot drop it", "SELECT a FROM ? WHERE a > 5"],
    ["nor an aggregate over one column", "SELECT sum(a) FROM ?"],
  ])("stops without a corrupt-record column: %s", async (_, text) => {
    const { sql } = await relationOf(["a,b\n1,2\n\n3,x\n7,8\n3,x\n"], readOf("a INT, b INT", { header: true }));
    await expect(query(text.replace("?", `(${sql})`))).rejects.toThrow(
      /\[MALFORMED_RECORD\] .*0000\.csv:4: .*column b int cannot hold x\. Record: 3,x/,
    );
  });

  it("says how many fields a record has", async () => {
    const { sql } = await relationOf(["1,2,3\n"], readOf("a INT, b INT"));
    await expect(query(sql)).rejects.toThrow(/:1: .*it should have 2 fields and has 3/);
  });

  it("refuses what Spark would fill with the day of the run", async () => {
    const { sql } = await relationOf(["11:30:00\n"], readOf("a TIMESTAMP"));
    await expect(query(sql)).rejects.toThrow(/\[NOT_SUPPORTED\] .*"11:30:00" is a time without a day/);
  });

  it("refuses days that DuckDB cannot hold", async () => {
    const { sql } = await relationOf(["5881580-07-11\n"], readOf("a DATE"));
    await expect(query(sql)).rejects.toThrow(/\[NOT_SUPPORTED\] .*beyond what DuckDB can hold/);
  });
});

describe("dialects", () => {
  it.each([{ sep: "||" }, { sep: "" }, { sep: "\n" }, { quote: "''" }, { escape: "ab" }, { sep: '"' }])(
    "refuses %j",
    (dialect) => {
      expect(() => csvRecords(readOf("a INT", dialect), columns("a int"), [], { ...USE, other: false })).toThrow(
        expect.objectContaining({ code: "NOT_SUPPORTED" }),
      );
    },
  );
});

describe("laws", () => {
  const text = fc.string({
    // Not NUL: Spark loses it in a field with doubled quotes, and so do we.
    unit: fc.constantFrom("a", "1", '"', "\\", ",", ";", "'", " ", "\t", "é", "\u{1F600}", "\x1c", "\ufeff", "]"),
    minLength: 1,
  });

  it("reads back what is written by RFC 4180", async () => {
    const record = fc.tuple(text, text, text);
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1 }), fc.constantFrom(",", ";", "\t", "]"), async (rows, sep) => {
        const quoted = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(sep));
        const read = readOf("a STRING, b STRING, c STRING", { sep, escape: '"' });
        expect(await textRows([quoted.join("\n")], read)).toEqual(rows);
      }),
      { numRuns: 60 },
    );
  });

  it("converts alike by DuckDB's casts and by our functions, where both may be used", async () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${length}}$`));
    const number = fc.tuple(fc.constantFrom("", "-", "+"), digits(12), digits(30)).map(([s, w, f]) => `${s}${w}0.${f}`);
    const two = (max: number) => fc.nat(max).map((n) => String(n).padStart(2, "0"));
    const day = fc.tuple(fc.constantFrom("0000", "0001", "1900", "2024", "2026", "9999"), two(13), two(32));
    const clock = fc.tuple(two(23), two(59), two(59), fc.stringMatching(/^[0-9]{1,6}$/));
    const moment = fc.tuple(day, clock).map(([d, [h, m, s, f]]) => `${d.join("-")} ${h}:${m}:${s}.${f}`);
    const zone = fc.tuple(fc.constantFrom("+", "-"), two(14), two(59)).map(([s, h, m]) => `${s}${h}:${m}`);
    const pairs = (n: string, t: string, z: string) => [
      [`TRY_CAST('${n}' AS DECIMAL(14,3))`, `TRY_CAST(csv_decimal('.${n}', 3) AS DECIMAL(14,3))`],
      [`TRY_CAST('${n}' AS DOUBLE)`, `TRY_CAST(csv_floating('.${n}') AS DOUBLE)`],
      [`TRY_CAST('${t.slice(0, 10)}' AS DATE)`, `csv_date('.${t.slice(0, 10)}')`],
      [`TRY_CAST('${t}' AS TIMESTAMP)`, `make_timestamp(csv_timestamp_ntz('.${t}'))`],
      [`TRY_CAST('${t}${z}' AS TIMESTAMPTZ)`, `make_timestamptz(csv_timestamp('.${t}${z}'))`],
    ];
    await fc.assert(
      fc.asyncProperty(number, moment, zone, async (n, t, z) => {
        const columns = pairs(n, t, z).flatMap(([cast, own]) => [`(${cast})::VARCHAR`, `(${own})::VARCHAR`]);
        const [row = []] = await query(`SELECT ${columns.join(", ")}`);
        for (let i = 0; i < row.length; i += 2) expect(row[i]).toEqual(row[i + 1]);
      }),
    );
  });

  it("gives one row a record, in order, whatever ends the lines and of whatever files they are", async () => {
    const line = fc.oneof(
      { weight: 3, arbitrary: fc.stringMatching(/^[a-c]{1,3}$/) },
      fc.constantFrom("", " ", "\t\0"),
    );
    const end = fc.constantFrom("\n", "\r\n", "\r");
    const uniform = fc.tuple(fc.array(line), end).map(([lines, e]) => lines.map((l) => l + e).join(""));
    const mixed = fc.array(fc.tuple(line, end)).map((lines) => lines.map(([l, e]) => l + e).join(""));
    const file = fc.tuple(fc.oneof(uniform, mixed), line, fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (files) => {
        const contents = files.map(([body, last, mark]) => (mark ? "\ufeff" : "") + body + last);
        const expected = contents
          .flatMap((c) => c.replace(/^\ufeff/, "").split(/\r\n|\n|\r/))
          .filter((l) => /[a-c]/.test(l));
        const rows = await textRows(contents, readOf("a STRING"));
        expect(rows).toEqual(expected.map((l) => [l]));
      }),
      { numRuns: 60 },
    );
  });
});

it("reads lines longer than DuckDB's usual limit, and their neighbours", async () => {
  const long = "x".repeat(3_000_000);
  const { sql } = await relationOf([`a\n${long}\nb`], readOf("a STRING"));
  expect(await query(`SELECT length(a), left(a, 1) FROM (${sql})`)).toEqual([
    [1n, "a"],
    [3_000_000n, "x"],
    [1n, "b"],
  ]);
});

it("gives Spark's file metadata of the file that a row is of", async () => {
  const read = readOf("v STRING");
  // Spark 4.2 showed file:/tmp/…/ü%23%25%3F.csv for this name.
  const path = join(folder, "ü#%?.csv");
  writeFileSync(path, "a\nb\n");
  const other = join(folder, "c d[1].csv");
  writeFileSync(other, "c\n");
  const files = [await inspectFile(path, read), await inspectFile(other, read)];
  const columns =
    "v, _metadata.file_path, _metadata.file_name, _metadata.file_size, epoch_ms(_metadata.file_modification_time)";
  expect(await query(`SELECT ${columns} FROM (${filesRelation(read, read.schema, files, USE)})`)).toEqual([
    ["a", `file:${folder}/ü%23%25%3F.csv`, "ü#%?.csv", 4n, BigInt(files[0]?.mtimeMs ?? 0)],
    ["b", `file:${folder}/ü%23%25%3F.csv`, "ü#%?.csv", 4n, BigInt(files[0]?.mtimeMs ?? 0)],
    ["c", `file:${folder}/c%20d%5B1%5D.csv`, "c d[1].csv", 2n, BigInt(files[1]?.mtimeMs ?? 0)],
  ]);
});

it("has its columns without a file, too", async () => {
  const result = await connection.runAndReadAll(
    filesRelation(readOf("a INT, b TIMESTAMP"), columns("a int, b timestamp"), [], USE),
  );
  expect(result.columnNames().slice(0, 3)).toEqual(["a", "b", "_metadata"]);
});
