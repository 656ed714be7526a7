import { describe, expect, it } from "vitest";
import type { Dataset } from "../../model/definition.js";
import { IngotError } from "../../model/error.js";
import { sqlText } from "../../model/position.js";
import { applyIngotProperties, writeIngotProperties } from "./ingot-properties.js";

const at = { file: "a.sql", line: 1, column: 1 };
const base: Dataset = {
  kind: "streaming-table",
  name: { catalog: "c", schema: "s", table: "t" },
  at,
  columns: [{ name: "iban" }, { name: "a.b" }],
  expectations: [
    { name: "valid_id", condition: sqlText("id > 0"), action: "quarantine", at },
    { name: "with.dot", condition: sqlText("x"), action: "warn", at },
  ],
  properties: {},
};
const apply = (properties: Record<string, string>) =>
  applyIngotProperties(
    base,
    Object.entries(properties).map(([key, value], i) => ({ key, value, at: { ...at, line: 10 + i } })),
  );

function fault(properties: Record<string, string>): IngotError {
  try {
    apply(properties);
  } catch (error) {
    if (error instanceof IngotError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const ALL = {
  "ingot.quarantine": "q.t",
  "ingot.gate.maxFailedShare": "0.01",
  "ingot.gate.maxFailedRows": "100",
  "ingot.drift.added": "notify",
  "ingot.drift.keyChanged": "stop",
  "ingot.tags": "finance, pii",
  "ingot.dialect": "duckdb",
  "ingot.backfill.source": "read_files('/old')",
  "ingot.backfill.chunkBy": "gjahr",
  "ingot.expectation.valid_id.status": "INVALID_PRIMARY_KEY",
  "ingot.expectation.with.dot.comment": "why",
  "ingot.column.iban.sensitive": "true",
  "ingot.column.a.b.sensitive": "false",
};

describe("properties of Ingot", () => {
  it("become options of the dataset", () => {
    const [first, second] = base.expectations;
    expect(apply(ALL)).toEqual({
      ...base,
      quarantine: "q.t",
      gate: { maxFailedShare: 0.01, maxFailedRows: 100 },
      drift: { added: "notify", keyChanged: "stop" },
      tags: ["finance", "pii"],
      dialect: "duckdb",
      backfill: {
        source: { text: "read_files('/old')", segments: [{ start: 0, file: "a.sql", line: 17, column: 1 }] },
        chunkBy: "gjahr",
      },
      expectations: [
        { ...first, status: "INVALID_PRIMARY_KEY" },
        { ...second, comment: "why" },
      ],
      columns: [
        { name: "iban", sensitive: true },
        { name: "a.b", sensitive: false },
      ],
    });
  });

  it("are written back", () => {
    expect(writeIngotProperties(apply(ALL))).toEqual(ALL);
    expect(writeIngotProperties(apply({ "ingot.drift": "stop" }))).toEqual({ "ingot.drift": "stop" });
    expect(writeIngotProperties(base)).toEqual({});
  });

  it.each([
    ["a", ["a"]],
    ["", []],
    ['["a, b", " c"]', ["a, b", " c"]],
    ['["[x"]', ["[x"]],
  ])("read the tags %j", (value, tags) => {
    const dataset = apply({ "ingot.tags": value });
    expect(dataset.tags).toEqual(tags);
    expect(apply(writeIngotProperties(dataset))).toEqual(dataset);
  });

  it.each([
    [{ "ingot.quarantin": "q" }, "UNKNOWN_OPTION", "Did you mean ingot.quarantine?"],
    [{ "ingot.drift.aded": "stop" }, "UNKNOWN_OPTION", "Did you mean added?"],
    [{ "ingot.expectation.valid_di.status": "X" }, "UNKNOWN_OPTION", "Did you mean valid_id?"],
    [{ "ingot.column.ibna.sensitive": "true" }, "UNKNOWN_OPTION", "Did you mean iban?"],
    [{ "ingot.gate.maxFailedShare": "1.5" }, "BAD_OPTION", "It is a share, from 0 to 1."],
    [{ "ingot.gate.maxFailedShare": "" }, "BAD_OPTION", "It is a share, from 0 to 1."],
    [{ "ingot.gate.maxFailedRows": "1.5" }, "BAD_OPTION", "It is a whole number."],
    [{ "ingot.drift": "explode" }, "BAD_OPTION", "It is ignore, notify, add, quarantine, stop."],
    [
      { "ingot.drift": "stop", "ingot.drift.added": "add" },
      "BAD_OPTION",
      "Leave out ingot.drift, which stands for all kinds.",
    ],
    [{ "ingot.dialect": "sqlite" }, "BAD_OPTION", "It is duckdb; without it, Spark SQL."],
    [{ "ingot.tags": "a,,b" }, "BAD_OPTION", "It is a list: 'a, b', or a JSON array of strings."],
    [{ "ingot.tags": "[1]" }, "BAD_OPTION", "It is a list: 'a, b', or a JSON array of strings."],
    [{ "ingot.column.iban.sensitive": "yes" }, "BAD_OPTION", "It is true or false."],
    [
      { "ingot.backfill.source": "x" },
      "BAD_OPTION",
      "Give both: 'ingot.backfill.source' = 'history', 'ingot.backfill.chunkBy' = 'year'.",
    ],
  ])("refuse %j", (properties, code, hint) => {
    const error = fault(properties);
    expect([error.code, error.hint]).toEqual([code, hint]);
    expect(error.at?.line).toBeGreaterThanOrEqual(10);
  });
});
