import { afterEach, describe, expect, it } from "vitest";
import { closeTables, makeTable, schemaOf } from "./test-table.js";

afterEach(closeTables);

const LAYOUTS = [
  ["copies", {}],
  ["vectors, mapped columns", { "delta.enableDeletionVectors": "true", "delta.columnMapping.mode": "name" }],
] as const;

describe.each(LAYOUTS)("rows of another schema, %s", (_name, configuration) => {
  it("bring new columns by an append, which older rows have as NULL", async () => {
    const table = await makeTable(schemaOf("id long, v string"), { configuration });
    await table.append({ query: "SELECT 1::BIGINT AS id, 'a' AS v" });
    const source = { query: "SELECT 2::BIGINT AS id, 7::BIGINT AS n" };
    await table.append(source, { mergeSchema: schemaOf("id long, n long") });
    expect(await table.rows()).toEqual(["{'id': 1, 'v': a, 'n': NULL}", "{'id': 2, 'v': NULL, 'n': 7}"]);
  });

  it("bring new columns by a merge, and leave the columns alone that they lack", async () => {
    const table = await makeTable(schemaOf("id long, v string"), { configuration });
    await table.append({ query: "FROM (VALUES (1::BIGINT, 'a'), (2, 'b')) x(id, v)" });
    await table.merge({
      source: { query: "FROM (VALUES (2::BIGINT, 20::BIGINT), (3, 30)) x(id, n)" },
      keys: ["id"],
      mergeSchema: schemaOf("id long, n long"),
      matched: [{ kind: "update", set: "*" }],
      notMatched: [{ values: "*" }],
    });
    expect(await table.rows()).toEqual([
      "{'id': 1, 'v': a, 'n': NULL}",
      "{'id': 2, 'v': b, 'n': 20}",
      "{'id': 3, 'v': NULL, 'n': 30}",
    ]);
  });

  it("are refused without it, by the column that the table lacks, and with a type that does not fit", async () => {
    const table = await makeTable(schemaOf("id long, v string"), { configuration });
    const before = await table.snapshot();
    await expect(table.append({ query: "SELECT 2::BIGINT AS id, 7::BIGINT AS n" })).rejects.toMatchObject({
      code: "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      message: expect.stringContaining("column n"),
    });
    await expect(
      table.append({ query: "SELECT 'x' AS id" }, { mergeSchema: schemaOf("id string") }),
    ).rejects.toMatchObject({ code: "DELTA_FAILED_TO_MERGE_FIELDS" });
    expect((await table.snapshot()).version).toBe(before.version);
  });
});
