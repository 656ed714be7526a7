import { describe, expect, it } from "vitest";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { type Merge, mergeRows } from "./merge-rows.js";
import { readChangeRows } from "./read-change-rows.js";
import { readRows } from "./read-rows.js";
import type { InputRow } from "./value.js";
import { appendRows } from "./write-rows.js";

const FEED = { "delta.enableChangeDataFeed": "true" };
const VECTORS = { "delta.enableDeletionVectors": "true" };

async function merged(target: readonly InputRow[], merge: Merge, configuration = {}) {
  const store = memoryStore();
  const table = await tableOf(store, { id: "integer", v: "string" }, { configuration });
  await appendRows(store, table, target);
  const { version, rows } = await mergeRows(store, table, merge);
  const contents = await gatherRows(readRows(store, await stateOf(store, table)));
  return { version, counts: rows, rows: contents.map(({ id, v }) => `${id}${v}`).sort() };
}

const UPSERT = { whenMatched: [{ update: "*" }], whenNotMatched: [{ insert: "*" }] } as const;

describe("mergeRows", () => {
  it.each([{}, VECTORS, FEED, { ...VECTORS, ...FEED }])(
    "updates, deletes and inserts with %j",
    async (configuration) => {
      const result = await merged(
        [1, 2, 3, 4].map((id) => ({ id, v: "old" })),
        {
          source: [
            { id: 1, v: "new" },
            { id: 2, v: "gone" },
            { id: 9, v: "in" },
            { id: 10, v: "out" },
          ],
          on: ["id"],
          whenMatched: [{ when: (_target, source) => source["v"] === "gone", delete: true }, { update: "*" }],
          whenNotMatched: [{ when: (source) => source["v"] === "in", insert: "*" }],
          whenNotMatchedBySource: [{ when: ({ id }) => id === 3, update: () => ({ v: "left" }) }],
        },
        configuration,
      );
      expect(result).toEqual({
        version: 2n,
        counts: { inserted: 1, updated: 2, deleted: 1, copied: "delta.enableDeletionVectors" in configuration ? 0 : 1 },
        rows: ["1new", "3left", "4old", "9in"],
      });
    },
  );

  it("takes the first clause whose condition holds", async () => {
    const { rows } = await merged([{ id: 1, v: "a" }], {
      source: [{ id: 1, v: "b" }],
      on: ["id"],
      whenMatched: [
        { when: () => false, delete: true },
        { update: () => ({ v: "first" }) },
        { update: () => ({ v: "second" }) },
      ],
    });
    expect(rows).toEqual(["1first"]);
  });

  it("matches NULL with nothing, and inserts it", async () => {
    const { rows } = await merged([{ id: null, v: "a" }], { source: [{ id: null, v: "b" }], on: ["id"], ...UPSERT });
    expect(rows).toEqual(["nulla", "nullb"]);
  });

  it("takes any condition", async () => {
    const { rows } = await merged(
      [
        { id: 1, v: "a" },
        { id: 7, v: "b" },
      ],
      {
        source: [{ from: 5, to: 9 }],
        on: ({ id }, { from, to }) => Number(id) >= Number(from) && Number(id) <= Number(to),
        whenMatched: [{ update: () => ({ v: "within" }) }],
      },
    );
    expect(rows).toEqual(["1a", "7within"]);
  });
});

/** Rules of Spark: `ClassicMergeExecutor.findTouchedFiles`. */
describe("several source rows for one row", () => {
  const target = [{ id: 1, v: "a" }];
  const source = [
    { id: 1, v: "b" },
    { id: 1, v: "c" },
  ];

  it("is refused", async () => {
    await expect(merged(target, { source, on: ["id"], whenMatched: [{ update: "*" }] })).rejects.toMatchObject({
      code: "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
      message: expect.stringContaining('{"id":1} has 2 source rows'),
    });
  });

  it("is one delete where every match deletes", async () => {
    const merge: Merge = { source, on: ["id"], whenMatched: [{ delete: true }] };
    expect(await merged(target, merge)).toMatchObject({ rows: [], counts: { deleted: 1 } });
  });

  it("counts only rows for which a clause holds, where all clauses are for matched rows", async () => {
    const whenMatched: Merge["whenMatched"] = [{ when: (_target, { v }) => v === "c", update: "*" }];
    expect(await merged(target, { source, on: ["id"], whenMatched })).toMatchObject({ rows: ["1c"] });
    await expect(
      merged(target, { source, on: ["id"], whenMatched, whenNotMatched: [{ insert: "*" }] }),
    ).rejects.toMatchObject({ code: "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE" });
  });

  it("does not matter to a merge that only inserts", async () => {
    const merge: Merge = { source, on: ["id"], whenNotMatched: [{ insert: "*" }] };
    expect(await merged(target, merge)).toMatchObject({ rows: ["1a"], version: 1n });
  });

  it("V49: nothing is written, and with a declared key the missing one is reported, too", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer", v: "string" });
    await appendRows(store, table, target);
    const merge: Merge = {
      source: [...source, { id: 2, v: "x" }, { id: 2, v: "y" }],
      on: ["id"],
      uniqueSource: true,
      ...UPSERT,
    };
    await expect(mergeRows(store, table, merge)).rejects.toMatchObject({
      message: expect.stringContaining('{"id":1} has 2 source rows, {"id":2} has 2 source rows'),
    });
    const { version, files } = await stateOf(store, table);
    expect(version).toBe(1n);
    expect(files).toHaveLength(1);
    expect((await store.list(table)).filter(({ kind }) => kind === "file")).toHaveLength(1);
    expect(await gatherRows(readRows(store, await stateOf(store, table)))).toEqual([{ id: 1, v: "a" }]);
  });
});

describe("V46: a merge that changes nothing", () => {
  it.each([FEED, { ...FEED, ...VECTORS }])("is no change with %j", async (configuration) => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer", v: "string" }, { configuration });
    await appendRows(store, table, [
      { id: 1, v: "a" },
      { id: 2, v: "b" },
    ]);
    const merge: Merge = {
      source: [
        { id: 1, v: "a" },
        { id: 2, v: "B" },
        { id: 3, v: "c" },
      ],
      on: ["id"],
      whenMatched: [{ when: (row, source) => row["v"] !== source["v"], update: "*" }],
      whenNotMatched: [{ insert: "*" }],
    };
    const { version } = await mergeRows(store, table, merge);
    const changes = await gatherRows(readChangeRows(store, await stateOf(store, table), version));
    expect(changes.map(({ _change_type, id, v }) => [_change_type, `${id}`, v])).toEqual([
      ["update_preimage", "2", "b"],
      ["update_postimage", "2", "B"],
      ["insert", "3", "c"],
    ]);
    expect(await mergeRows(store, table, merge)).toEqual({
      version,
      rows: { inserted: 0, updated: 0, deleted: 0, copied: 0 },
    });
  });
});
