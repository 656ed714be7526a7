import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonRead } from "../../../../model/file-read.js";
import { parseSchema } from "../../../../sql/ddl-types.js";
import { convertField } from "../csv/convert-field.js";
import { FILE_DEFAULTS } from "../test-reads.js";
import { TestFiles } from "../test-relation.js";
import { canConvert } from "./can-convert.js";

const files = new TestFiles();
beforeAll(() => files.open());
afterAll(() => files.close());

function jsonRead(more: Partial<JsonRead> = {}): JsonRead {
  return { ...FILE_DEFAULTS, path: files.folder, format: "json", encoding: "UTF-8", multiLine: false, ...more };
}
const RESCUED = { rescuedDataColumn: "_rescued" };

describe("without a schema", () => {
  it("takes every value as the text that stands in the file", async () => {
    const text =
      '{"id":1.50,"s":"a\\u00e9\\n","o":{"k" : [1, 2.0]}}\n\n{"s":true,"id":12345678901234567890,"x":null}\n{"id":-0,"x":NaN}';
    const { names, rows, records } = await files.read({ "a.json": text }, jsonRead());
    expect(names).toEqual(["id", "s", "o", "x"]);
    expect(rows).toEqual([
      ["1.50", "aé\n", '{"k" : [1, 2.0]}', null],
      ["12345678901234567890", "true", null, null],
      ["-0", null, null, "NaN"],
    ]);
    expect(records).toBe(3);
  });

  it.each([
    ['{"a": 01}', "it is no JSON"],
    ['{"a": 1', "it is no JSON"],
    ['{"a": 1} {"a": 2}', "more text stands behind the JSON value"],
    ['{"a": 1, "a": 2}', "the field a comes twice"],
    ['{"a": "\\ud83d"}', "it holds half a character"],
    ["17", "it is no JSON object"],
    ["null", "it is no JSON object"],
  ])("keeps %s whole, with its place", async (record, reason) => {
    const { rows, records } = await files.read({ "a.json": `{"a":1}\n\n${record}\n` }, jsonRead(RESCUED));
    expect(records).toBe(2);
    expect(rows[0]).toEqual(["1", null]);
    expect(JSON.parse(String(rows[1]?.[1]))).toEqual({
      _reason: reason,
      _record: record,
      _line: 3,
      _file_path: `file:${files.folder}/a.json`,
    });
  });

  it("reads the elements of a document, each with its line", async () => {
    const read = jsonRead({ multiLine: true, ...RESCUED });
    const text = '[\n {"a": 1},\n {"a":\n  {}}, 3]';
    const { rows, records } = await files.read({ "a.json": text }, read);
    expect(rows.slice(0, 2)).toEqual([
      ["1", null],
      ["{}", null],
    ]);
    expect(JSON.parse(String(rows[2]?.[1]))).toMatchObject({ _record: "3", _line: 4 });
    expect(records).toBe(3);
  });
});

describe("with a schema", () => {
  it("rescues other fields, other cases and other types", async () => {
    const read = jsonRead({ schema: parseSchema("a INT, b STRING, _rescued STRING"), ...RESCUED });
    const { rows } = await files.read({ "a.json": '{"a":"x","B":"y","c":[1],"b":2}\n{"a":3000000000}\n{"a":1}' }, read);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      [null, "2"],
      [null, null],
      [1, null],
    ]);
    expect(JSON.parse(String(rows[0]?.[2]))).toMatchObject({ a: "x", B: "y", c: "[1]", _line: 1 });
    expect(JSON.parse(String(rows[1]?.[2]))).toMatchObject({ a: "3000000000", _line: 2 });
    expect(rows[2]?.[2]).toBeNull();
  });

  it("stops at a record that has no place to go, and says where it stands", async () => {
    const read = jsonRead({ schema: parseSchema("a INT"), multiLine: true });
    await expect(files.read({ "a.json": '[{"a":1},\n\n{"a":"x"}]' }, read)).rejects.toThrow(
      /\[MALFORMED_RECORD\] .*a\.json:\d: .*column a int cannot hold x/,
    );
  });

  it("refuses nested types by name", async () => {
    const read = jsonRead({ schema: parseSchema("a STRUCT<b: INT>") });
    await expect(files.read({ "a.json": "{}" }, read)).rejects.toMatchObject({ code: "NOT_SUPPORTED", object: "a" });
  });
});

describe("a document that grows", () => {
  const schema = parseSchema("a INT, b STRING, _bad STRING");
  const read = jsonRead({ schema, corruptRecordColumn: "_bad", multiLine: true });
  const documentOf = (records: number, last: string) =>
    `[${Array.from({ length: records }, (_, i) => `{"a":${i},"b":"${"x".repeat(100)}"},`).join("\n")}\n${last}]`;

  it("costs each record its own text", async () => {
    const text = documentOf(5000, '{"a":5000}');
    await files.read({ "a.json": text }, read);
    const reading = JSON.stringify({ multiLine: true, isDeclared: true, other: false, columns: [] });
    const found = await files.query(
      `SELECT count(*), sum(length(line)) FROM json_records('${files.folder}/a.json', '${reading}')`,
    );
    const [[count, length] = []] = found.rows;
    expect(Number(count)).toBe(5001);
    expect(Number(length)).toBeLessThan(text.length);
  });

  it("is told whole beside each record where one does not fit, as Spark does", async () => {
    const text = documentOf(3000, '{"a":3000000000}');
    const { rows } = await files.read(
      { "a.json": text },
      read,
      "SELECT count(*), count(DISTINCT _bad), max(_bad) FROM ?",
    );
    expect(rows).toEqual([["3001", "1", text]]);
  });
});

it("takes a text of a record for what SQL converts it to", async () => {
  const types = [
    "TINYINT",
    "SMALLINT",
    "INT",
    "BIGINT",
    "DECIMAL(3,2)",
    "DECIMAL(38,0)",
    "DATE",
    "TIMESTAMP",
    "TIMESTAMP_NTZ",
  ];
  const texts: Readonly<Record<string, readonly string[]>> = {
    INT: ["0", "-128", "127", "128", "-129", "32768", "-2147483648", "2147483648", "9223372036854775808", "00"],
    DECIMAL: [
      "9.994",
      "9.995",
      "-9.99",
      "0.004",
      "1,0",
      "1e1",
      "10",
      `${"9".repeat(38)}`,
      `1${"0".repeat(38)}`,
      "x",
      ".",
    ],
    DATE: ["2020-02-29", "2021-02-29", "2020", "2020-1-1", "2020-01-01T99", "0000-01-01", "+12345-01-01", "x"],
    TIME: [
      "2020-01-01",
      "2020-01-01 24:00:00",
      "2020-01-01 23:59:59.1234567",
      "2020-01-01 10:00:00+25:00",
      "2020-01-01 10:00:00 Europe/Berlin",
      "2020-01-01T10:00:00Z",
      "x",
    ],
  };
  const regions: ReadonlySet<string> = new Set(["Europe/Berlin"]);
  for (const type of types) {
    const [key = ""] = Object.keys(texts)
      .filter((name) => type.includes(name))
      .slice(-1);
    const [{ type: parsed } = { type: { kind: "void" } as const }] = parseSchema(`c ${type}`);
    for (const text of texts[key] ?? []) {
      const { rows } = await files.query(`SELECT ${convertField(`'${text}'`, parsed)} IS NOT NULL`);
      expect([type, text, canConvert(text, parsed, regions)]).toEqual([type, text, rows[0]?.[0]]);
    }
  }
});

it("reads back random records, written in lines or as a document", async () => {
  const unit = fc.constantFrom("a", '"', "\\", "/", "é", "\u{1F600}", "\n", "\r", "\u2028", "{", "]", ",", "'", "\t");
  const value = fc.oneof(
    fc.string({ unit, maxLength: 6 }),
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(fc.string({ unit, maxLength: 3 }), { maxLength: 2 }),
  );
  const record = fc.dictionary(fc.constantFrom("k", "a", "b", "c d", "é"), value);
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1 }),
      fc.boolean(),
      fc.boolean(),
      async (records, multiLine, wide) => {
        const given = records.map((fields) => ({ k: "", ...fields }));
        const print = (fields: object) => JSON.stringify(fields, null, wide && multiLine ? 2 : 0);
        const lines = given.map(print);
        const text = multiLine ? `[${lines.join(",")}]` : lines.join("\n");
        const found = await files.read({ "p.json": text }, jsonRead({ multiLine }));
        const textOf = (field: unknown) => (typeof field === "string" ? field : JSON.stringify(field));
        const rows = found.rows.map((row) => found.names.map((name, i) => [name, row[i]]));
        const compact = (field: unknown) =>
          String(field).startsWith("[\n") ? JSON.stringify(JSON.parse(String(field))) : field;
        expect(
          rows.map((row) => Object.fromEntries(row.filter(([, v]) => v !== null).map(([n, v]) => [n, compact(v)]))),
        ).toEqual(
          given.map((fields) =>
            Object.fromEntries(Object.entries(fields).flatMap(([n, v]) => (v === null ? [] : [[n, textOf(v)]]))),
          ),
        );
      },
    ),
    { numRuns: 60 },
  );
});
