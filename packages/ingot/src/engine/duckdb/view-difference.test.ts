import { changeRows, localStore } from "@ingot/delta";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { closeTables, makeTable, schemaOf } from "./delta/test-table.js";
import { ViewDifference } from "./view-difference.js";

afterEach(closeTables);

const text = fc.constantFrom("'a'", "'b'", "NULL");
const number = fc.constantFrom("0.0::DOUBLE", "'-0.0'::DOUBLE", "'NaN'::DOUBLE", "1.5::DOUBLE", "NULL::DOUBLE");
const row = fc.tuple(text, number).map(([p, d]) => `(${p}, ${d})`);
const relation = fc.array(row, { maxLength: 8 });
const queryOf = (rows: readonly string[]) =>
  rows.length === 0
    ? "SELECT NULL::VARCHAR AS p, NULL::DOUBLE AS d WHERE false"
    : `SELECT p::VARCHAR AS p, d::DOUBLE AS d FROM (VALUES ${rows.join(", ")}) v(p, d)`;
const forms = fc.record({
  vectors: fc.boolean(),
  feed: fc.boolean(),
  partitionColumns: fc.constantFrom<readonly string[]>([], ["p"]),
});

it("gives the table the rows of the relation, each as often, and takes and brings no other", async () => {
  await fc.assert(
    fc.asyncProperty(
      relation,
      fc.array(relation, { minLength: 1, maxLength: 2 }),
      forms,
      async (first, later, form) => {
        const { partitionColumns } = form;
        const table = await makeTable(schemaOf("p string, d double"), {
          partitionColumns,
          configuration: {
            "delta.enableChangeDataFeed": String(form.feed),
            "delta.enableDeletionVectors": String(form.vectors),
          },
        });
        await table.append({ query: queryOf(first) });
        const shown = "SELECT p, d, signbit(d) AS s FROM t ORDER BY ALL";
        for (const [i, rows] of later.entries()) {
          const before = await table.rows(shown);
          await table.connection.run(`CREATE TEMP TABLE view_${i} AS ${queryOf(rows)}`);
          const wanted = await table.rows(`SELECT p, d, signbit(d) AS s FROM view_${i} ORDER BY ALL`);
          const { version } = await table.snapshot();
          const difference = new ViewDifference(table.connection, localStore, { rows: `view_${i}` });
          const counts = await difference.compare(await table.snapshot());
          await changeRows(localStore, table.location, difference);
          expect(await table.rows(shown)).toEqual(wanted);
          expect(counts).toEqual({ inserted: minus(wanted, before).length, deleted: minus(before, wanted).length });
          if (!form.feed) continue;
          const told = await table.changes(version + 1n, "_change_type, p, d, signbit(d) AS s");
          const bare = (type: string) =>
            told
              .filter((change) => change.includes(type))
              .map((change) => change.replace(/^\{'_change_type': \w+, /, "{"));
          expect(bare("insert").sort()).toEqual(minus(wanted, before).sort());
          expect(bare("delete").sort()).toEqual(minus(before, wanted).sort());
        }
        await closeTables();
      },
    ),
    { numRuns: 8 },
  );
});

/** What a list has beyond another one, each item as often. */
function minus(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
