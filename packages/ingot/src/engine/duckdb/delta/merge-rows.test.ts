import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeTables, makeTable, schemaOf, type TestDefinition } from "./test-table.js";

afterAll(closeTables);

const VECTORS = { "delta.enableDeletionVectors": "true" };
const FEED = { "delta.enableChangeDataFeed": "true" };
const ROW_TRACKING = { "delta.enableRowTracking": "true" };
const WAYS: readonly (readonly [name: string, TestDefinition["configuration"]])[] = [
  ["by deletion vectors, with a change feed", { ...VECTORS, ...FEED }],
  ["by copies, with a change feed", FEED],
];

const values = (rows: string, columns = "id, v") => ({ query: `SELECT * FROM (VALUES ${rows}) s(${columns})` });

describe.each(WAYS)("a merge %s", (_name, configuration) => {
  it("that updates where values differ tells the change feed just that, and nothing the second time (V46)", async () => {
    const table = await makeTable(schemaOf("id long, v string"), { configuration: configuration ?? {} });
    await table.append(values("(1::BIGINT, 'a'), (2, 'b')"));
    const merge = {
      source: values("(1::BIGINT, 'a'), (2, 'B'), (3, 'c')"),
      keys: ["id"],
      matched: [{ kind: "update", set: "*", condition: "t.v IS DISTINCT FROM s.v" }],
      notMatched: [{ values: "*" }],
    } as const;
    expect(await table.merge(merge)).toMatchObject({ version: 2n, rows: { updated: 1, inserted: 1, deleted: 0 } });
    expect(await table.changes(2n, "_change_type, id, v")).toEqual([
      "{'_change_type': insert, 'id': 3, 'v': c}",
      "{'_change_type': update_postimage, 'id': 2, 'v': B}",
      "{'_change_type': update_preimage, 'id': 2, 'v': b}",
    ]);
    expect(await table.merge(merge)).toMatchObject({ version: 2n, rows: { updated: 0, inserted: 0 } });
    expect(await table.rows()).toEqual(["{'id': 1, 'v': a}", "{'id': 2, 'v': B}", "{'id': 3, 'v': c}"]);
  });

  it("with two source rows for one key is refused before anything is written (V49)", async () => {
    const table = await makeTable(schemaOf("id long, v string"), { configuration: configuration ?? {} });
    await table.append(values("(1::BIGINT, 'a')"));
    const files = readdirSync(table.location);
    const clauses = { keys: ["id"], matched: [{ kind: "update", set: "*" }], notMatched: [{ values: "*" }] } as const;
    await expect(table.merge({ source: values("(1::BIGINT, 'b'), (1, 'c')"), ...clauses })).rejects.toMatchObject({
      code: "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
      message: expect.stringMatching(/\{'id': 1\} with 2 source rows/),
    });
    await expect(table.merge({ source: values("(2::BIGINT, 'x'), (2, 'y')"), ...clauses })).rejects.toMatchObject({
      code: "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
      message: expect.stringMatching(/\{'id': 2\} with 2 source rows/),
    });
    expect(readdirSync(table.location)).toEqual(files);
    expect(await table.rows()).toEqual(["{'id': 1, 'v': a}"]);
    // The result of a delete does not depend on how many rows match.
    const gone = { source: values("(1::BIGINT, 'b'), (1, 'c')"), keys: ["id"], matched: [{ kind: "delete" }] } as const;
    expect(await table.merge(gone)).toMatchObject({ rows: { deleted: 1 } });
  });

  it("takes values from a table beside the source, which rows that only go need not be in", async () => {
    const table = await makeTable(schemaOf("id long, v string, w string"), { configuration: configuration ?? {} });
    await table.append(values("(1::BIGINT, 'a', 'b'), (2, 'c', 'd')", "id, v, w"));
    await table.connection.run(`CREATE TEMP TABLE wide AS SELECT * FROM (VALUES ('e', 'f'), ('g', 'h')) s(v, w);
      CREATE TEMP TABLE narrow AS SELECT * FROM (VALUES (3::BIGINT, 0, false), (2, NULL, true), (1, 1, false)) s(id, "at", gone)`);
    const result = await table.merge({
      source: { table: "narrow", rest: { table: "wide", rowid: "at" } },
      keys: ["id"],
      matched: [
        { kind: "delete", condition: "s.gone" },
        { kind: "update", set: { v: "s.v" } },
      ],
      notMatched: [{ values: { id: "s.id", v: "s.v", w: "s.w" }, condition: "NOT s.gone" }],
    });
    expect(result.rows).toMatchObject({ inserted: 1, updated: 1, deleted: 1 });
    expect(await table.rows()).toEqual(["{'id': 1, 'v': g, 'w': b}", "{'id': 3, 'v': e, 'w': f}"]);
  });

  it("keeps the rows that it did not match (V50)", async () => {
    const table = await makeTable(schemaOf("id long, v long"), { configuration: configuration ?? {} });
    for (let part = 0; part < 4; part++)
      await table.append({
        query: `SELECT i AS id, i % 7 AS v FROM range(${part * 22500}, ${(part + 1) * 22500}) r(i)`,
      });
    const outside = "SELECT sum(v) FROM t WHERE id < 90000 AND id NOT BETWEEN 60000 AND 60399";
    const before = await table.rows(outside);
    const source = "SELECT i AS id FROM range(60000, 60400) r(i) UNION ALL SELECT i FROM range(95000, 99000) r(i)";
    const result = await table.merge({
      source: { query: source },
      keys: ["id"],
      matched: [{ kind: "update", set: { v: "-1" } }],
      notMatched: [{ values: { id: "s.id", v: "s.id % 7" } }],
    });
    expect(result.rows).toMatchObject({ updated: 400, inserted: 4000, deleted: 0 });
    expect(await table.rows(outside)).toEqual(before);
    expect(await table.rows("SELECT count(*) AS n, count(*) FILTER (v = -1 AND id < 90000) AS u FROM t")).toEqual([
      "{'n': 94000, 'u': 400}",
    ]);
    // Of four files only the one that holds the keys was touched.
    const { files } = await table.snapshot();
    expect(files.filter(({ deletionVector }) => deletionVector !== undefined)).toHaveLength(
      configuration?.["delta.enableDeletionVectors"] ? 1 : 0,
    );
  });

  it("takes of several clauses the first whose condition is true, and rows that the source lacks", async () => {
    const table = await makeTable(schemaOf("id long, v string, n long"), { configuration: configuration ?? {} });
    await table.append(
      values("(1::BIGINT, 'a', 10::BIGINT), (2, 'b', 20), (3, 'c', 30), (4, 'd', 40), (5, NULL, 50)", "id, v, n"),
    );
    const result = await table.merge({
      source: values("(1::BIGINT, 'D'), (2, 'U'), (3, 'N'), (7, 'I'), (8, 'S')", "id, op"),
      on: "t.id = s.id",
      matched: [
        { kind: "delete", condition: "s.op = 'D'" },
        { kind: "update", set: { v: "t.v || s.op" }, condition: "s.op = 'U'" },
      ],
      notMatched: [{ values: { id: "s.id", n: "1" }, condition: "s.op = 'I'" }],
      notMatchedBySource: [
        { kind: "update", set: { N: "t.n + 1" }, condition: "t.v IS NULL" },
        { kind: "delete", condition: "t.id = 4" },
      ],
    });
    expect(result.rows).toMatchObject({ updated: 2, inserted: 1, deleted: 2 });
    expect(await table.rows()).toEqual([
      "{'id': 2, 'v': bU, 'n': 20}",
      "{'id': 3, 'v': c, 'n': 30}",
      "{'id': 5, 'v': NULL, 'n': 51}",
      "{'id': 7, 'v': NULL, 'n': 1}",
    ]);
    expect(await table.changes(2n, "id, _change_type, v, n")).toEqual([
      "{'id': 1, '_change_type': delete, 'v': a, 'n': 10}",
      "{'id': 2, '_change_type': update_postimage, 'v': bU, 'n': 20}",
      "{'id': 2, '_change_type': update_preimage, 'v': b, 'n': 20}",
      "{'id': 4, '_change_type': delete, 'v': d, 'n': 40}",
      "{'id': 5, '_change_type': update_postimage, 'v': NULL, 'n': 51}",
      "{'id': 5, '_change_type': update_preimage, 'v': NULL, 'n': 50}",
      "{'id': 7, '_change_type': insert, 'v': NULL, 'n': 1}",
    ]);
  });

  it("keeps row ids, and gives new rows new ones", async () => {
    const table = await makeTable(schemaOf("id long, v string"), {
      configuration: { ...configuration, ...ROW_TRACKING },
    });
    await table.append(values("(1::BIGINT, 'a'), (2, 'b'), (3, 'c')"));
    const ids = () => rowIds(table);
    expect(await ids()).toEqual(["1 0 1", "2 1 1", "3 2 1"]);
    const clauses = { keys: ["id"], matched: [{ kind: "update", set: "*" }], notMatched: [{ values: "*" }] } as const;
    await table.merge({ source: values("(2::BIGINT, 'B'), (4, 'd')"), ...clauses });
    const second = await ids();
    expect(second.slice(0, 3)).toEqual(["1 0 1", "2 1 2", "3 2 1"]);
    await table.merge({ source: values("(2::BIGINT, 'BB'), (3, 'C')"), ...clauses });
    const third = await ids();
    expect(third).toEqual(["1 0 1", "2 1 3", "3 2 3", second[3]]);
    await table.optimize({ minFileSize: 1e9, maxDeletedRowsRatio: 0 });
    expect((await table.snapshot()).files).toHaveLength(1);
    expect(await ids()).toEqual(third);
  });
});

/** Key, row id and commit version of each row, read from the files and the log as the protocol says. */
async function rowIds(table: Awaited<ReturnType<typeof makeTable>>): Promise<string[]> {
  const { liveFiles, localStore } = await import("@ingot/delta");
  const { files, metadata } = await table.snapshot();
  const [id, version] = ["Id", "CommitVersion"].map(
    (n) => metadata.configuration[`delta.rowTracking.materializedRow${n}ColumnName`],
  );
  const live = await liveFiles(localStore, { table: table.location }, files);
  const parts = live.map(({ file, deleted }) => {
    const schema = `MAP {'id': {name: 'k', type: 'BIGINT', default_value: NULL}, '${id}': {name: 'i', type: 'BIGINT', default_value: NULL}, '${version}': {name: 'c', type: 'BIGINT', default_value: NULL}}`;
    const hidden = deleted === undefined ? "" : ` WHERE file_row_number NOT IN (${[...deleted].join(",")})`;
    return `SELECT k, coalesce(i, ${file.baseRowId} + file_row_number) AS i, coalesce(c, ${file.defaultRowCommitVersion}) AS c FROM read_parquet('${join(table.location, file.path)}', schema = ${schema})${hidden}`;
  });
  const rows = await table.connection.runAndReadAll(
    `SELECT k || ' ' || i || ' ' || c FROM (${parts.join(" UNION ALL ")}) ORDER BY k`,
  );
  return rows.getRows().map(([row]) => String(row));
}
