import { expect, it } from "vitest";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { readRows } from "./read-rows.js";
import { appendRows } from "./write-rows.js";

/** A table with one file, and a store that shows the file's bytes changed. */
async function damagedTable(change: (file: Uint8Array) => Uint8Array) {
  const store = memoryStore();
  const table = await tableOf(store, {
    x: "long",
    s: "string",
    l: { kind: "array", element: { kind: "long" }, containsNull: true },
  });
  await appendRows(
    store,
    table,
    Array.from({ length: 50 }, (_, i) => ({ x: BigInt(i), s: `s${i % 7}`, l: [BigInt(i), null] })),
  );
  const [file] = (await stateOf(store, table)).files;
  const path = `${table}/${file?.path}`;
  const whole = await store.read(path);
  await store.put(path, change(whole.slice()));
  return { store, table, size: whole.length };
}

async function reading({ store, table }: { store: Store; table: string }): Promise<unknown> {
  return gatherRows(readRows(store, await stateOf(store, table))).catch((error: unknown) => error);
}

/** One bit of it made hyparquet fill all memory: a run of levels with millions of values in a page of 50. */
it("tells damage in any bit of a file's pages, or rows, and ends", async () => {
  const { size } = await damagedTable((file) => file);
  const end = 120;
  expect(size).toBeGreaterThan(end);
  const refused: number[] = [];
  for (let bit = 8 * 4; bit < 8 * end; bit += 1) {
    const found = await reading(
      await damagedTable((file) => {
        file[bit >> 3] = (file[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return file;
      }),
    );
    if (Array.isArray(found)) expect(found).toHaveLength(50);
    else {
      expect(found).toMatchObject({ code: "DELTA_TABLE_UNREADABLE" });
      refused.push(bit);
    }
  }
  expect(refused.length).toBeGreaterThan(100);
});

it("reports a file that lost its middle, of which all columns fail at once", async () => {
  const found = await reading(
    await damagedTable((file) => Uint8Array.from([...file.slice(0, 40), ...file.slice(-600)])),
  );
  expect(found).toMatchObject({ code: "DELTA_TABLE_UNREADABLE" });
});
