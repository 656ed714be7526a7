import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { appendDelta, readDelta } from "./deltalake.js";
import { describeWith } from "./peer.js";
import { sortRows } from "./relation.js";

const field = (name: string, type: unknown) => ({ name, type, nullable: true, metadata: {} });
const SCHEMA = JSON.stringify({
  type: "struct",
  fields: [
    field("id", "long"),
    field("amount", "decimal(10,2)"),
    field("at", "timestamp"),
    field("day", "date"),
    field("bytes", "binary"),
    field("ratio", "double"),
    field("pair", { type: "struct", fields: [field("a", "integer"), field("b", "string")] }),
    field("list", { type: "array", elementType: "long", containsNull: true }),
    field("map", { type: "map", keyType: "string", valueType: "decimal(5,1)", valueContainsNull: true }),
  ],
});

const describeDeltalake = await describeWith("deltalake");

describeDeltalake("delta-rs", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ingot-interop-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("reads what it wrote: types by Spark's names, values exact", async () => {
    const table = join(folder, "t");
    const full = [
      "-9223372036854775808",
      "-0.05",
      "2026-10-01 09:15:00.120000",
      "0001-01-01",
      "00FF",
      "NaN",
      { a: 1, b: "x" },
      ["1", null],
      [["k", "1000.0"]],
    ];
    await appendDelta(table, [full], SCHEMA);
    await appendDelta(table, [Array(9).fill(null)]);

    const [relation] = await readDelta(table);
    expect(relation?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "id bigint",
      "amount decimal(10,2)",
      "at timestamp",
      "day date",
      "bytes binary",
      "ratio double",
      "pair struct<a:int,b:string>",
      "list array<bigint>",
      "map map<string,decimal(5,1)>",
    ]);
    expect(sortRows(relation?.rows ?? [])).toEqual([full.with(2, "2026-10-01 09:15:00.12"), Array(9).fill(null)]);
  });

  it("names the table that it cannot read", async () => {
    await expect(readDelta(join(folder, "nothing"))).rejects.toThrow(/nothing/);
  });
});
