import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sqlText } from "../model/position.js";
import { parseChunks } from "./chunks.js";
import { dataset } from "./test-builders.js";

const table = dataset("t", "streaming-table", { backfill: { source: sqlText("s"), chunkBy: "gjahr" } });

describe("parseChunks", () => {
  it.each([
    ["GJAHR 2018..2020", ["2018", "2019", "2020"]],
    ["`gjahr` 007..010", ["007", "008", "009", "010"]],
    ["gjahr 9..11", ["9", "10", "11"]],
    [" gjahr  2018, 2020 .. 2021 ", ["2018", "2020", "2021"]],
    ["gjahr 0000000000000000001..0000000000000000002", ["0000000000000000001", "0000000000000000002"]],
  ])("%s", (text, values) => {
    expect(parseChunks(text, table)).toEqual(values);
  });

  it("gives each number of a range once, as wide as its start or as it needs", () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 1000 }), (from, count) => {
        const values = parseChunks(`gjahr ${from}..${from + count - 1}`, table);
        expect(values.map(Number)).toEqual(Array.from({ length: count }, (_, i) => from + i));
      }),
    );
  });

  it.each(["gjahr", "gjahr x", "gjahr 1..", "gjahr 010..9", "gjahr -1..2", "gjahr 1,,2", "year 1..2", "gjahr 1,1"])(
    "%s is refused",
    (text) => {
      expect(() => parseChunks(text, table)).toThrow(expect.objectContaining({ code: "BAD_CHUNKS" }));
    },
  );
});
