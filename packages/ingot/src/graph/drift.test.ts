import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType } from "../model/data-type.js";
import type { ContractColumn } from "../model/drift.js";
import { sqlText } from "../model/position.js";
import { parseType } from "../sql/ddl-types.js";
import { compareTypes } from "./compare-types.js";
import { columnsFound, compareColumns, inspectSource, takeOver } from "./drift.js";

const type = (text: string): DataType => parseType(sqlText(text));
const column = (name: string, text: string) => ({ name, type: type(text), nullable: true });

describe("compareTypes", () => {
  it.each([
    // SAP's amounts in S/4 are 23.2 where ECC has 13.2.
    ["DECIMAL(13,2)", "DECIMAL(23,2)", "widened"],
    ["DECIMAL(13,2)", "DECIMAL(13,3)", "retyped"],
    ["DECIMAL(13,2)", "DECIMAL(14,3)", "widened"],
    ["DECIMAL(13,2)", "DECIMAL(10,2)", "narrowed"],
    ["INT", "BIGINT", "widened"],
    ["BIGINT", "DECIMAL(19,0)", "widened"],
    ["BIGINT", "DECIMAL(18,0)", "retyped"],
    ["INT", "DOUBLE", "widened"],
    // 2^53 + 1 is no DOUBLE.
    ["BIGINT", "DOUBLE", "retyped"],
    ["INT", "FLOAT", "retyped"],
    ["DOUBLE", "FLOAT", "narrowed"],
    ["DECIMAL(13,2)", "STRING", "retyped"],
    ["STRING", "DATE", "retyped"],
    ["DATE", "TIMESTAMP", "retyped"],
    ["ARRAY<INT>", "ARRAY<BIGINT>", "widened"],
    ["STRUCT<a: INT>", "STRUCT<a: INT, b: INT>", "widened"],
    ["STRUCT<a: INT, b: INT>", "STRUCT<a: INT>", "narrowed"],
    ["STRUCT<a: INT, b: INT>", "STRUCT<a: BIGINT>", "retyped"],
    ["MAP<STRING, INT>", "MAP<STRING, STRING>", "retyped"],
    ["INT", "INT", "same"],
  ])("%s to %s is %s", (from, to, kind) => {
    expect(compareTypes(type(from), type(to))).toBe(kind);
  });
});

const types = ["INT", "BIGINT", "STRING", "DECIMAL(13,2)", "DECIMAL(23,2)"].map(type);
const columns = fc
  .uniqueArray(fc.record({ name: fc.constantFrom("a", "b", "c", "d"), type: fc.constantFrom(...types) }), {
    selector: ({ name }) => name,
  })
  .map((found): ContractColumn[] => found);
const byName = (found: readonly ContractColumn[]) => [...found].sort((a, b) => (a.name < b.name ? -1 : 1));

it("a contract that takes over all changes is the source", () => {
  fc.assert(
    fc.property(columns, columns, (before, now) => {
      const changes = compareColumns("s", before, now);
      const after = changes.reduce((contract, change) => takeOver(contract, change, now), before);
      expect(byName(after)).toEqual(byName(now));
      expect(compareColumns("s", after, now)).toEqual([]);
    }),
  );
});

describe("what a query finds", () => {
  const before = [column("id", "INT"), column("amount", "DECIMAL(13,2)"), column("gone", "STRING")];
  const now = [column("ID", "BIGINT"), column("amount", "DECIMAL(10,2)"), column("extra", "INT")];
  const found = (drift: Record<string, string> | string) =>
    columnsFound(now, inspectSource("s", { before, columns: now }, { drift }, []));

  it("keeps to the contract where the dataset stops", () => {
    expect(found("stop")).toEqual([
      column("ID", "INT"),
      column("amount", "DECIMAL(13,2)"),
      { ...column("extra", "INT"), hidden: true },
      column("gone", "STRING"),
    ]);
  });

  it("has wider types as they are, narrower ones as they were, and nothing new in *", () => {
    expect(found("notify")).toEqual([
      column("ID", "BIGINT"),
      column("amount", "DECIMAL(13,2)"),
      { ...column("extra", "INT"), hidden: true },
      column("gone", "STRING"),
    ]);
  });

  it("is the source where the dataset follows it", () => {
    expect(found("add")).toEqual(now);
  });
});
