import { expect, it } from "vitest";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { mergeRows } from "./merge-rows.js";
import { readRows } from "./read-rows.js";
import { updateRows } from "./update-rows.js";
import { appendRows } from "./write-rows.js";

const VECTORS = { "delta.enableDeletionVectors": "true" };

it.each([{}, VECTORS])(
  "updates the rows that a condition takes, NULL not being one, with %j",
  async (configuration) => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer", v: "string" }, { configuration });
    await appendRows(
      store,
      table,
      [1, 2, null].map((id) => ({ id, v: "old" })),
    );
    const result = await updateRows(store, table, {
      set: ({ id }) => ({ v: `new ${id}` }),
      where: { kind: "not", condition: { kind: "compare", column: ["id"], operator: "=", value: 1 } },
    });
    expect(result).toMatchObject({ version: 2n, rows: { updated: 1 } });
    const snapshot = await stateOf(store, table);
    const rows = await gatherRows(readRows(store, snapshot));
    expect(rows.map(({ id, v }) => `${id} ${v}`).sort()).toEqual(["1 old", "2 new 2", "null old"]);
    expect(snapshot.commitInfo).toMatchObject({
      operation: "UPDATE",
      operationParameters: { predicate: '["NOT (id = 1)"]' },
      operationMetrics: { numUpdatedRows: "1" },
    });
  },
);

it.each([{}, VECTORS])("loses no update of writers at the same time, with %j", async (configuration) => {
  const store = memoryStore();
  const table = await tableOf(store, { id: "integer", v: "integer" }, { configuration });
  await appendRows(
    store,
    table,
    [1, 2].map((id) => ({ id, v: 0 })),
  );
  const options = { attempts: 50, wait: async () => undefined };
  await Promise.all(
    Array.from({ length: 6 }, (_, i) => [
      updateRows(store, table, { set: ({ v }) => ({ v: Number(v) + 1 }) }, options),
      mergeRows(
        store,
        table,
        {
          source: [{ id: 2 }, { id: 10 + i }],
          on: ["id"],
          whenMatched: [{ update: ({ v }) => ({ v: Number(v) + 100 }) }],
          whenNotMatched: [{ insert: ({ id }) => ({ id, v: null }) }],
        },
        options,
      ),
    ]).flat(),
  );
  const rows = await gatherRows(readRows(store, await stateOf(store, table)));
  expect(rows.filter(({ id }) => Number(id) < 10).map(({ id, v }) => [id, v])).toEqual(
    expect.arrayContaining([
      [1, 6],
      [2, 606],
    ]),
  );
  expect(rows).toHaveLength(8);
  expect((await stateOf(store, table)).version).toBe(13n);
});
