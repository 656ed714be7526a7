import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { closeTables, makeTable, schemaOf, type TestTable } from "./test-table.js";

afterEach(closeTables);

/** What DuckDB's own statements do to a table of its own is what ours must do to a Delta table. */
interface Operation {
  /** The model is `m`, alias `t`; a source is `(VALUES …) s(id, p, v)`. */
  readonly model: readonly string[];
  readonly run: (table: TestTable) => Promise<unknown>;
}

const text = fc.constantFrom("a", "b", "c");
const id = fc.integer({ min: 0, max: 30 });
const source = fc
  .uniqueArray(fc.record({ id, p: text, v: fc.option(fc.integer({ min: 0, max: 5 })) }), {
    selector: (row) => row.id,
    minLength: 1,
    maxLength: 20,
  })
  .map(
    (rows) =>
      `SELECT id::BIGINT AS id, p, v::BIGINT AS v FROM (VALUES ${rows.map((row) => `(${row.id}, '${row.p}', ${row.v ?? "NULL"})`).join(", ")}) s(id, p, v)`,
  );
const condition = fc.constantFrom("t.v > 2", "t.v IS NULL", "t.p = 'b'", "t.id % 2 = 0 AND t.p <> 'c'", "t.id < 0");
const joined = fc.constantFrom("s.v > t.v", "s.p = 'a'", "t.v IS NULL OR s.v IS NULL", "s.id % 3 = 0");

const remove = condition.map((where): Operation => {
  return { model: [`DELETE FROM m t WHERE ${where}`], run: (table) => table.delete({ where }) };
});
const update = fc.tuple(condition, fc.constantFrom("t.v + t.id", "NULL", "7")).map(([where, v]): Operation => {
  const set = { v, p: "CASE t.p WHEN 'a' THEN 'b' ELSE 'c' END" };
  return {
    model: [`UPDATE m t SET v = ${v}, p = ${set.p} WHERE ${where}`],
    run: (table) => table.update({ set, where }),
  };
});
const upsert = fc.tuple(source, joined).map(([query, where]): Operation => {
  return {
    model: [
      `MERGE INTO m t USING (${query}) s ON t.id = s.id WHEN MATCHED AND (${where}) THEN DELETE
       WHEN MATCHED THEN UPDATE SET p = s.p, v = s.v WHEN NOT MATCHED THEN INSERT (id, p, v) VALUES (s.id, s.p, s.v)`,
    ],
    run: (table) =>
      table.merge({
        source: { query },
        keys: ["id"],
        matched: [
          { kind: "delete", condition: where },
          { kind: "update", set: "*" },
        ],
        notMatched: [{ values: "*" }],
      }),
  };
});
const sync = fc.tuple(source, condition, joined).map(([query, where, on]): Operation => {
  return {
    model: [
      `MERGE INTO m t USING (${query}) s ON t.id = s.id WHEN MATCHED AND (${on}) THEN UPDATE SET v = t.v + s.v
       WHEN NOT MATCHED AND s.id > 10 THEN INSERT (id, p) VALUES (s.id, s.p)
       WHEN NOT MATCHED BY SOURCE AND (${where}) THEN UPDATE SET v = t.id WHEN NOT MATCHED BY SOURCE AND t.id > 25 THEN DELETE`,
    ],
    run: (table) =>
      table.merge({
        source: { query },
        on: "t.id = s.id",
        matched: [{ kind: "update", set: { v: "t.v + s.v" }, condition: on }],
        notMatched: [{ values: { id: "s.id", p: "s.p" }, condition: "s.id > 10" }],
        notMatchedBySource: [
          { kind: "update", set: { v: "t.id" }, condition: where },
          { kind: "delete", condition: "t.id > 25" },
        ],
      }),
  };
});
const replace = fc.tuple(source, text).map(([query, p]): Operation => {
  const rows = `SELECT id, '${p}' AS p, v FROM (${query}) WHERE id NOT IN (SELECT id FROM m WHERE p <> '${p}')`;
  return {
    model: [`DELETE FROM m t WHERE t.p = '${p}'`, `INSERT INTO m ${rows}`],
    run: (table) =>
      table.connection.run(`CREATE OR REPLACE TEMP TABLE fresh AS ${rows}`).then(() =>
        table.replaceWhere({
          source: { table: "fresh" },
          where: `t.p = '${p}'`,
          pruneBy: { kind: "compare", column: ["p"], operator: "=", value: p },
        }),
      ),
  };
});
const optimize: Operation = { model: [], run: (table) => table.optimize({ minFileSize: 1e9, maxDeletedRowsRatio: 0 }) };
const operation = fc.oneof(remove, update, upsert, sync, replace, fc.constant(optimize));

describe.each([
  ["by deletion vectors", { "delta.enableDeletionVectors": "true", "delta.enableRowTracking": "true" }, []],
  ["by copies", {}, []],
  ["by deletion vectors in partitions", { "delta.enableDeletionVectors": "true" }, ["p"]],
  ["by copies in partitions, with mapped columns", { "delta.columnMapping.mode": "name" }, ["p"]],
] as const)("changes %s", (_name, configuration, partitionColumns) => {
  it("leave the rows that DuckDB's own statements leave, and a change feed that tells just the difference", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 5 }), async (operations) => {
        const table = await makeTable(schemaOf("id long, p string, v long"), {
          configuration: { ...configuration, "delta.enableChangeDataFeed": "true" },
          partitionColumns,
        });
        const run = (sql: string) => table.connection.run(sql);
        const first = "SELECT i AS id, chr((97 + i % 3)::INTEGER) AS p, nullif(i % 6, 5) AS v FROM range(28) r(i)";
        await run(`CREATE TEMP TABLE m AS ${first}`);
        await table.append({ query: `${first} WHERE i < 15` });
        await table.append({ query: `${first} WHERE i >= 15` });
        for (const { model, run: change } of operations) {
          const { version } = await table.snapshot();
          await run("CREATE OR REPLACE TEMP TABLE before AS FROM m");
          await change(table);
          for (const statement of model) await run(statement);
          const rows = (
            await table.connection.runAndReadAll("SELECT x::VARCHAR FROM (SELECT * FROM m ORDER BY ALL) x")
          ).getRows();
          expect(await table.rows()).toEqual(rows.map(([row]) => String(row)));
          await run(`CREATE OR REPLACE TEMP TABLE feed AS ${await feedOf(table, version + 1n)}`);
          expect(await difference(table)).toEqual([]);
        }
        await closeTables();
      }),
      { numRuns: 6, seed: 4 },
    );
  });
});

async function feedOf(table: TestTable, from: bigint): Promise<string> {
  const { readChangeFeed, localStore } = await import("@ingot/delta");
  const { scanChanges } = await import("../scan-changes.js");
  const snapshot = await table.snapshot();
  const feed = [];
  if (from <= snapshot.version)
    for await (const version of readChangeFeed(localStore, snapshot, from)) feed.push(version);
  return scanChanges(snapshot, feed);
}

/** What the feed makes of the rows before, against the rows after; and updates that have lost one of their sides. */
async function difference({ connection }: TestTable): Promise<unknown[]> {
  const gone = "SELECT id, p, v FROM feed WHERE _change_type IN ('delete', 'update_preimage')";
  const come = "SELECT id, p, v FROM feed WHERE _change_type IN ('insert', 'update_postimage')";
  const result = await connection.runAndReadAll(
    `((SELECT * FROM before UNION ALL ${come}) EXCEPT ALL (SELECT * FROM m UNION ALL ${gone}))
     UNION ALL ((SELECT * FROM m UNION ALL ${gone}) EXCEPT ALL (SELECT * FROM before UNION ALL ${come}))
     UNION ALL (SELECT id, 'one side', count(*) FROM feed WHERE _change_type LIKE 'update%' GROUP BY id HAVING count(*) <> 2)`,
  );
  return result.getRows();
}
