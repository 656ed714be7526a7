import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType } from "../model/data-type.js";
import { type Contract, type ContractColumn, NO_CONTRACT } from "../model/drift.js";
import { sqlText } from "../model/position.js";
import { parseType } from "../sql/ddl-types.js";
import { compareTypes } from "./compare-types.js";
import { columnsFound, compareColumns, inspectSource, takeOver } from "./drift.js";
import { guessRenames } from "./guess-renames.js";

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
      const contract: Contract = { ...NO_CONTRACT, sources: { s: before } };
      const after = changes.reduce(
        (taken, change) => takeOver(taken, change, { source: "s", before, columns: now }),
        contract,
      ).sources["s"];
      expect(byName(after ?? [])).toEqual(byName(now));
      expect(compareColumns("s", after ?? [], now)).toEqual([]);
    }),
  );
});

describe("guessRenames", () => {
  const guesses = (before: string, now: string) => {
    const read = (text: string) =>
      text.split(", ").map((one) => column(one.split(" ")[0] ?? "", one.split(" ")[1] ?? ""));
    return guessRenames(read(before), read(now)).map(({ from, into, confidence }) => [
      from.name,
      into.name,
      confidence,
    ]);
  };

  it.each([
    // By hand: type 0.4, place 0.3, and 0.3 times the share of letters that stay.
    ["id INT, matnr STRING", "id INT, matnr_long STRING", [["matnr", "matnr_long", 0.85]]],
    ["id INT, a STRING", "id INT, zzz STRING", [["a", "zzz", 0.7]]],
    // Another place: 0.4 + 0.3 * 5/6 = 0.65.
    ["zterms STRING, id INT", "id INT, zterm STRING", [["zterms", "zterm", 0.65]]],
    // 0.4 + 0.3 * 3/5 = 0.58 is too little.
    ["kunnr STRING, id INT", "id INT, kunag STRING", []],
    // Wider: 0.2 + 0.3 + 0.3 * 4/5.
    ["menge INT", "meng2 BIGINT", [["menge", "meng2", 0.74]]],
    ["amount STRING", "amounts INT", []],
    ["amount BIGINT", "amounts INT", []],
    // The surest first, and each column once.
    [
      "aa STRING, ab STRING",
      "ac STRING, zz STRING",
      [
        ["aa", "ac", 0.85],
        ["ab", "zz", 0.7],
      ],
    ],
    ["a INT", "a INT, b INT", []],
  ])("%s, then %s", (before, now, found) => {
    expect(guesses(before, now)).toEqual(found);
  });
});

describe("a rename", () => {
  const before = [column("id", "INT"), column("zterm", "STRING")];
  const now = [column("id", "INT"), column("zterms", "STRING")];
  const changes = (dataset: Parameters<typeof inspectSource>[1], decisions: Parameters<typeof inspectSource>[2] = []) =>
    inspectSource({ source: "s", before, columns: now }, dataset, decisions).changes.map(({ kind }) => kind);

  it("is none where somebody has said so, or where the dataset declares the new column", () => {
    expect(changes({})).toEqual(["renamed"]);
    const decision = {
      source: "s",
      kind: "renamed",
      column: "zterm",
      into: "zterms",
      decision: "rejected",
      at: "",
    } as const;
    expect(changes({}, [decision])).toEqual(["removed", "added"]);
    expect(changes({ columns: [{ name: "zterms" }] })).toEqual(["removed", "added"]);
  });

  it("that is not taken over leaves the old column NULL and the new one out of *", () => {
    const found = (drift: string) =>
      columnsFound(now, inspectSource({ source: "s", before, columns: now }, { drift }, []));
    expect(found("notify")).toEqual([now[0], { ...now[1], hidden: true }, before[1]]);
    expect(found("add")).toEqual(now);
  });
});

it("a key is compared where the source has one and had one", () => {
  const key = (before: string[] | undefined, now: string[] | undefined) =>
    inspectSource(
      {
        source: "s",
        columns: [],
        before: [],
        ...(before === undefined ? {} : { keyBefore: before }),
        ...(now === undefined ? {} : { key: now }),
      },
      {},
      [],
    ).changes;
  expect(key(["mandt", "vbeln"], ["MANDT", "VBELN"])).toEqual([]);
  expect(key(undefined, ["vbeln"])).toEqual([]);
  expect(key(["vbeln"], undefined)).toEqual([]);
  expect(key(["mandt", "vbeln"], ["mandt", "vbeln", "posnr"])).toEqual([
    {
      source: "s",
      kind: "keyChanged",
      column: "(key)",
      from: "mandt, vbeln",
      to: "mandt, vbeln, posnr",
      action: "stop",
    },
  ]);
});

describe("what a query finds", () => {
  const before = [column("id", "INT"), column("amount", "DECIMAL(13,2)"), column("gone", "STRING")];
  const now = [column("ID", "BIGINT"), column("amount", "DECIMAL(10,2)"), column("extra", "INT")];
  const found = (drift: Record<string, string> | string) =>
    columnsFound(now, inspectSource({ source: "s", before, columns: now }, { drift }, []));

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
