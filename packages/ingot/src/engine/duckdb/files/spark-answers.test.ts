import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CSV_DEFAULTS } from "../../../graph/test-builders.js";
import type { CsvRead, JsonRead } from "../../../model/file-read.js";
import { parseSchema } from "../../../sql/ddl-types.js";
import { asText, TestFiles } from "./test-relation.js";

const files = new TestFiles();
beforeAll(() => files.open());
afterAll(() => files.close());

interface SparkCase {
  readonly name: string;
  readonly schema: string;
  readonly options: Readonly<Record<string, string>>;
  readonly text: string;
  readonly rows?: readonly (readonly (string | null)[])[];
  readonly error?: string;
}

function readOf(format: "csv" | "json", { schema, options }: SparkCase): CsvRead | JsonRead {
  const { columnNameOfCorruptRecord = "_bad", ...others } = options;
  const fields = parseSchema(schema);
  const given = Object.fromEntries(
    Object.entries(others).map(([key, value]) => [key, /^(true|false)$/.test(value) ? value === "true" : value]),
  );
  const corrupt = fields.some(({ name }) => name === columnNameOfCorruptRecord)
    ? { corruptRecordColumn: columnNameOfCorruptRecord }
    : {};
  return { ...CSV_DEFAULTS, path: files.folder, schema: fields, ...corrupt, ...given, format } as CsvRead | JsonRead;
}

async function answer(format: "csv" | "json", sparkCase: SparkCase) {
  const read = readOf(format, sparkCase);
  const fields = read.schema ?? [];
  const found = await files.read(
    { [`a.${format}`]: sparkCase.text },
    read,
    `SELECT ${fields.map(asText).join(", ")} FROM ?`,
  );
  expect(found.rows.length + found.dropped).toBe(found.records);
  const isFloating = fields.map(({ type }) => type.kind === "float" || type.kind === "double");
  const comparable = (value: unknown, i: number) =>
    isFloating[i] && value !== null ? Number(String(value).replace(/inf$/, "Infinity")) : value;
  return {
    found: found.rows.map((row) =>
      row.map((value, i) => comparable(value === null ? null : String(value).slice(1), i)),
    ),
    expected: sparkCase.rows?.map((row) => row.map(comparable)),
  };
}

/** Spark reads the first value and forgets the rest; with us nothing is lost, so such a record does not fit. */
const FORGETS = ["more text behind the value", "multiLine: two objects"];

const REFUSALS: Readonly<Record<string, RegExp>> = {
  header: /FILE_HEADER_MISMATCH/,
  "FAILED_READ_FILE.NO_HINT": /MALFORMED_RECORD/,
};

describe.each([
  ["csv", "csv"],
  ["csv-options", "csv"],
  ["json", "json"],
] as const)("what Spark 4.2 reads: %s", (name, format) => {
  const cases = JSON.parse(readFileSync(`test/fixtures/files/${name}.json`, "utf8")) as SparkCase[];

  it.each(cases.filter(({ error, name: own }) => error === undefined && !FORGETS.includes(own)))(
    "$name",
    async (sparkCase) => {
      const { found, expected } = await answer(format, sparkCase);
      expect(found).toEqual(expected);
    },
  );

  it.each(cases.filter(({ error }) => error !== undefined))("refuses $name", async (sparkCase) => {
    const refusal = await answer(format, sparkCase).catch((error) => error);
    expect(`${refusal.code} ${refusal.message}`).toMatch(REFUSALS[sparkCase.error ?? ""] ?? /NOT_SUPPORTED/);
  });
});

it.each(["\n", " "])("keeps the whole of a record that Spark would read in part (%j)", async (between) => {
  const text = `{"a":1}${between}{"a":2}`;
  const { found } = await answer("json", {
    name: "",
    schema: "a INT, _bad STRING",
    options: { multiLine: "true" },
    text,
  });
  expect(found).toEqual([[null, text]]);
});
