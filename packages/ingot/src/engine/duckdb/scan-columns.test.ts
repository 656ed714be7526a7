import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { localStore } from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { writeProject } from "../../define/project-fixture.js";
import { quoteText } from "../../sql/lower/lower-text.js";
import { TextCopies } from "./files/text-copies.js";
import { queryText } from "./relations.js";
import { runSql } from "./test-session.js";

interface DataFile {
  readonly select: string;
  /** Further options of DuckDB's COPY. */
  readonly options?: string;
  readonly add?: object;
}

interface Definition {
  readonly fields: readonly object[];
  readonly partitionColumns?: readonly string[];
  readonly mode?: "name" | "id";
}

const PROTOCOL = {
  minReaderVersion: 3,
  minWriterVersion: 7,
  readerFeatures: ["columnMapping", "deletionVectors", "timestampNtz", "typeWidening"],
  writerFeatures: ["columnMapping", "deletionVectors", "timestampNtz", "typeWidening"],
};

/** The rows of a table made by hand of a log and of DuckDB's Parquet files, as text, in order. */
async function rowsOf({ fields, partitionColumns = [], mode }: Definition, files: readonly DataFile[]) {
  const table = writeProject({});
  const metaData = {
    id: "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
    format: { provider: "parquet", options: {} },
    schemaString: JSON.stringify({ type: "struct", fields }),
    partitionColumns,
    configuration: mode === undefined ? {} : { "delta.columnMapping.mode": mode },
  };
  const actions: object[] = [{ protocol: PROTOCOL }, { metaData }];
  for (const [i, { select, options = "", add = {} }] of files.entries()) {
    const path = `part-${i}.parquet`;
    await runSql(table, `COPY (${select}) TO ${quoteText(join(table, path))} (FORMAT parquet${options})`);
    // So large that one file is read by all threads; a hint that need not be true.
    const size = 1 << 20;
    actions.push({ add: { path, partitionValues: {}, size, modificationTime: 0, dataChange: true, ...add } });
  }
  await mkdir(join(table, "_delta_log"));
  await writeFile(
    join(table, "_delta_log", "00000000000000000000.json"),
    actions.map((action) => JSON.stringify(action)).join("\n"),
  );
  const at = { file: "q.sql", line: 1, column: 1 };
  const text = await queryText(
    {
      query: {
        reads: [{ id: "r0", stream: false, kind: "path", path: table, at }],
        schema: [],
        duckdb: 'SELECT t::VARCHAR FROM "r0" t ORDER BY 1',
        deterministic: true,
        preservesRows: true,
      },
      inputs: new Map([["r0", { kind: "snapshot", location: table, version: 0n }]]),
    },
    { store: localStore, copies: new TextCopies(table), lineNumber: false },
  );
  return (await runSql(table, text)).map(([row]) => String(row));
}

let nextId = 0;
function field(name: string, type: unknown, physicalName?: string, id = ++nextId): object {
  const marks = { "delta.columnMapping.id": id, "delta.columnMapping.physicalName": physicalName };
  return { name, type, nullable: true, metadata: physicalName === undefined ? {} : marks };
}
const struct = (...fields: object[]) => ({ type: "struct", fields });
const array = (elementType: unknown) => ({ type: "array", elementType, containsNull: true });
const map = (keyType: unknown, valueType: unknown) => ({ type: "map", keyType, valueType, valueContainsNull: true });

describe("column mapping", () => {
  it("by name finds columns at every depth, widens them, and gives NULL for what a file lacks", async () => {
    const item = struct(field("new name", "long", "p-x"), field("added", "string", "p-later"));
    const fields = [
      field("id.1", "long", "p-id"),
      field("s", item, "p-s"),
      field("list", array(item), "p-l"),
      field("by key", map("string", item), "p-m"),
    ];
    const select = `SELECT 1::INTEGER AS "p-id", {'p-x': 2::INTEGER} AS "p-s", [{'p-x': 3::INTEGER}, NULL] AS "p-l",
      MAP {'k': {'p-x': 4::INTEGER}} AS "p-m", 'old' AS "id.1"
      UNION ALL SELECT 5, NULL, NULL, NULL, 'old'`;
    expect(await rowsOf({ fields, mode: "name" }, [{ select }])).toEqual([
      "{'id.1': 1, 's': {'new name': 2, 'added': NULL}, 'list': [{'new name': 3, 'added': NULL}, NULL], " +
        "'by key': {k={'new name': 4, 'added': NULL}}}",
      "{'id.1': 5, 's': NULL, 'list': NULL, 'by key': NULL}",
    ]);
  });

  it("by id finds a column under whatever name the file gives it", async () => {
    const fields = [field("a", "long", "p-a", 7), field("b", "string", "p-b", 8), field("c", "date", "p-c", 9)];
    const select = "SELECT 1::INTEGER AS other, 'x' AS \"p-a\"";
    const options = ", FIELD_IDS {other: 7, 'p-a': 8}";
    expect(await rowsOf({ fields, mode: "id" }, [{ select, options }])).toEqual(["{'a': 1, 'b': x, 'c': NULL}"]);
  });

  it("by id reads nested fields, or refuses a file that names them otherwise", async () => {
    const fields = [field("s", struct(field("x", "long", "p-x", 12)), "p-s", 11)];
    const options = ", FIELD_IDS {other: {__duckdb_field_id: 11, 'p-x': 12}}";
    expect(await rowsOf({ fields, mode: "id" }, [{ select: "SELECT {'p-x': 1} AS other", options }])).toEqual([
      "{'s': {'x': 1}}",
    ]);
    const renamed = { select: "SELECT {'y': 1, 'p-x': 2} AS other", options: options.replace("'p-x'", "y") };
    await expect(rowsOf({ fields, mode: "id" }, [renamed])).rejects.toThrow("[DELTA_UNSUPPORTED_FEATURES_FOR_READ]");
  });

  it("keeps partition values under the physical name", async () => {
    const definition = {
      fields: [field("id", "long", "p-1"), field("day", "date", "p-2")],
      partitionColumns: ["day"],
      mode: "name",
    } as const;
    const add = { partitionValues: { "p-2": "2026-10-01" } };
    expect(await rowsOf(definition, [{ select: 'SELECT 1 AS "p-1"', add }])).toEqual(["{'id': 1, 'day': 2026-10-01}"]);
  });
});

it("widens every type that the protocol lets change", async () => {
  const fields = [
    field("a", "long"),
    field("b", "double"),
    field("c", "decimal(12,2)"),
    field("d", "timestamp_ntz"),
    field("e", "decimal(20,4)"),
    field("f", "double"),
    field("g", map("integer", array("long"))),
  ];
  const select = `SELECT 1::TINYINT a, 1.5::FLOAT b, 7::SMALLINT c, DATE '2026-10-01' d, 1.25::DECIMAL(5,2) e, 3::INTEGER f,
    MAP {1::TINYINT: [2::SMALLINT]} g`;
  expect(await rowsOf({ fields }, [{ select }])).toEqual([
    "{'a': 1, 'b': 1.5, 'c': 7.00, 'd': '2026-10-01 00:00:00', 'e': 1.2500, 'f': 3.0, 'g': {1=[2]}}",
  ]);
});

it("reads partition values of every type from their text", async () => {
  const values: readonly [type: string, text: string | null, value: string][] = [
    ["byte", "-128", "-128"],
    ["long", "9223372036854775807", "9223372036854775807"],
    ["boolean", "true", "true"],
    ["double", "-Infinity", "-inf"],
    ["float", "NaN", "nan"],
    ["decimal(38,2)", "123456789012345678901234567890123456.78", "123456789012345678901234567890123456.78"],
    ["string", "it's \u0000 a/b=c%20ü", "it's \u0000 a/b=c%20ü"],
    ["binary", "\u0001a\\xü", "\\x01a\\x5Cx\\xC3\\xBC"],
    ["date", "0001-01-01", "0001-01-01"],
    ["timestamp", "2024-05-01 10:00:00.123456", "2024-05-01 10:00:00.123456+00"],
    ["timestamp", "2024-05-01T10:00:00.123456Z", "2024-05-01 10:00:00.123456+00"],
    ["timestamp_ntz", "2024-05-01 10:00:00.5", "2024-05-01 10:00:00.5"],
    ["string", "", "NULL"],
    ["long", null, "NULL"],
  ];
  for (const [type, text, value] of values) {
    const definition = { fields: [field("p", type)], partitionColumns: ["p"] };
    const [row] = await rowsOf(definition, [{ select: "SELECT 1 AS ignored", add: { partitionValues: { p: text } } }]);
    expect(row?.replace(/^\{'p': '?(.*?)'?\}$/s, "$1").replaceAll("\\'", "'"), type).toBe(value);
  }
});

/** A vector of a test of delta-kernel-rs. */
const VECTOR = {
  deletionVector: {
    storageType: "i",
    pathOrInlineDv: "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L",
    sizeInBytes: 44,
    cardinality: 6,
  },
};
const HIDDEN = [3, 4, 7, 11, 18, 29];

it("many files with deletion vectors, beside files without, lose their rows and no others", async () => {
  const marked = Array.from({ length: 33 }, (_, file) => ({
    select: `SELECT ${file} AS file, i AS row FROM range(31) t(i)`,
    add: VECTOR,
  }));
  const whole = { select: "SELECT 33 AS file, i AS row FROM range(31) t(i)" };
  const rows = await rowsOf({ fields: [field("file", "long"), field("row", "long")] }, [...marked, whole]);
  const expected = Array.from({ length: 34 * 31 }, (_, i) => [Math.floor(i / 31), i % 31] as const)
    .filter(([file, row]) => file === 33 || !HIDDEN.includes(row))
    .map(([file, row]) => `{'file': ${file}, 'row': ${row}}`);
  expect(rows).toEqual(expected.sort());
});

describe("columns of data files", () => {
  it("that the schema does not have are ignored: change types, materialized row ids", async () => {
    const select = "SELECT 1 AS id, 'insert' AS _change_type, 5 AS \"_row-id-col-1\"";
    expect(await rowsOf({ fields: [field("id", "long")] }, [{ select }])).toEqual(["{'id': 1}"]);
  });

  it("may have the names of DuckDB's virtual columns, beside a deletion vector", async () => {
    const fields = [field("file_row_number", "long"), field("filename", "string"), field("c0", "long")];
    const select = "SELECT 99 - i AS file_row_number, 'f' AS filename, i AS c0 FROM range(30) t(i)";
    const rows = await rowsOf({ fields }, [{ select, add: VECTOR }]);
    const kept = rows.map((row) => Number(/'c0': (\d+)/.exec(row)?.[1])).sort((a, b) => a - b);
    expect(kept).toEqual(Array.from({ length: 30 }, (_, i) => i).filter((i) => !HIDDEN.includes(i)));
  });
});
