import fc from "fast-check";
import { expect, it } from "vitest";
import type { Condition } from "../files/condition.js";
import { optimize } from "../operations/optimize.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { deleteRows } from "./delete-rows.js";
import { mergeRows } from "./merge-rows.js";
import { readChangeRows } from "./read-change-rows.js";
import { readRows } from "./read-rows.js";
import { fileRewriter } from "./rewrite-files.js";
import { updateRows } from "./update-rows.js";
import { appendRows, overwriteRows } from "./write-rows.js";

/** A row of the table `k`, `p`, `v`; `k` is its key. */
interface Item {
  readonly p: string | null;
  readonly v: number;
}
type Model = ReadonlyMap<number, Item>;

/** Changes some rows of the table, and tells what the table holds then. */
interface Step {
  readonly name: string;
  run(store: Store, table: string): Promise<unknown>;
  apply(before: Model): Model;
  /** Whether the change feed may tell of a key; the item is what it had before. */
  touches(k: number, of: Item | undefined): boolean;
}

const key = fc.integer({ min: 0, max: 20 });
const item = fc.record({ p: fc.constantFrom("a", "b/c", null), v: fc.integer({ min: 0, max: 3 }) });
const items = fc.array(fc.tuple(key, item), { maxLength: 6 }).map((entries): Model => new Map(entries));
const asRows = (model: Model) => Array.from(model, ([k, { p, v }]) => ({ k, p, v }));
const filtered = (model: Model, keep: (item: Item, k: number) => boolean): Model =>
  new Map([...model].filter(([k, of]) => keep(of, k)));

const equals = (column: string, value: string | number): Condition => {
  return { kind: "compare", column: [column], operator: "=", value };
};

const step: fc.Arbitrary<Step> = fc.oneof(
  // Appended keys are new: `k` stays a key.
  fc.tuple(items, fc.integer({ min: 1, max: 1_000_000 })).map(([rows, base]) => {
    const added = new Map([...rows].map(([k, of]) => [base * 100 + k, of]));
    return {
      name: `append ${added.size}`,
      run: async (store: Store, table: string) => {
        const present = new Set((await rowsNow(store, table)).map(({ k }) => k));
        return appendRows(store, table, asRows(filtered(added, (_of, k) => !present.has(k))));
      },
      apply: (before: Model) => new Map([...added, ...before]),
      touches: (_k: number, of: Item | undefined) => of === undefined,
    };
  }),
  fc.integer({ min: 0, max: 3 }).map((v) => ({
    name: `delete ${v}`,
    run: (store: Store, table: string) => deleteRows(store, table, equals("v", v)),
    apply: (before: Model) => filtered(before, (of) => of.v !== v),
    touches: (_k: number, of: Item | undefined) => of?.v === v,
  })),
  fc.tuple(fc.integer({ min: 0, max: 3 }), item).map(([v, to]) => ({
    name: `update ${v}`,
    run: (store: Store, table: string) =>
      updateRows(store, table, { set: () => ({ ...to }), where: (row) => row["v"] === v }),
    apply: (before: Model) => new Map([...before].map(([k, of]) => [k, of.v === v ? to : of])),
    touches: (_k: number, of: Item | undefined) => of?.v === v,
  })),
  items.map((source) => ({
    name: `merge ${source.size}`,
    run: (store: Store, table: string) =>
      mergeRows(store, table, {
        source: asRows(source),
        on: ["k"],
        whenMatched: [{ when: (_target, { v }) => v === 0, delete: true }, { update: "*" }],
        whenNotMatched: [{ when: ({ v }) => v !== 0, insert: "*" }],
        whenNotMatchedBySource: [{ when: ({ v }) => v === 3, delete: true }],
      }),
    apply: (before: Model) =>
      filtered(new Map([...filtered(before, (of, k) => source.has(k) || of.v !== 3), ...source]), (of, k) => {
        return of.v !== 0 || !source.has(k);
      }),
    touches: (k: number, of: Item | undefined) => source.has(k) || of?.v === 3,
  })),
  items.map((rows) => ({
    name: `overwrite ${rows.size}`,
    run: (store: Store, table: string) => overwriteRows(store, table, asRows(rows)),
    apply: () => rows,
    touches: () => true,
  })),
  items.map((rows) => {
    const inside = new Map([...rows].map(([k, of]) => [k, { ...of, p: "a" }]));
    return {
      name: `overwrite a ${rows.size}`,
      run: async (store: Store, table: string) => {
        const others = new Set((await rowsNow(store, table)).filter(({ p }) => p !== "a").map(({ k }) => k));
        const added = asRows(filtered(inside, (_of, k) => !others.has(k)));
        return overwriteRows(store, table, added, { where: equals("p", "a") });
      },
      apply: (before: Model) => {
        const others = filtered(before, (of) => of.p !== "a");
        return new Map([...inside, ...others]);
      },
      touches: (_k: number, of: Item | undefined) => of === undefined || of.p === "a",
    };
  }),
  fc.constant({
    name: "optimize",
    run: (store: Store, table: string) => optimize(store, table, fileRewriter(store)),
    apply: (before: Model) => before,
    touches: () => false,
  }),
);

const features = fc.record({
  "delta.enableDeletionVectors": fc.boolean(),
  "delta.enableChangeDataFeed": fc.boolean(),
  "delta.enableRowTracking": fc.boolean(),
  "delta.columnMapping.mode": fc.constantFrom("none", "name", "id"),
});

/** Row ids and versions by key. */
type Ids = ReadonlyMap<unknown, { readonly id: unknown; readonly version: unknown }>;

it("a history of changes gives the rows of a model, their changes, and stable ids", async () => {
  await fc.assert(
    fc.asyncProperty(
      features,
      fc.boolean(),
      fc.array(step, { minLength: 2, maxLength: 8 }),
      async (chosen, isPartitioned, steps) => {
        const store = memoryStore();
        const table = await tableOf(
          store,
          { k: "long", p: "string", v: "integer" },
          {
            configuration: Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, `${value}`])),
            partitionColumns: isPartitioned ? ["p"] : [],
          },
        );
        let model: Model = new Map();
        let ids: Ids = new Map();
        for (const { name, run, apply, touches } of steps) {
          const before = await stateOf(store, table);
          await run(store, table);
          const after = await stateOf(store, table);
          const next = apply(model);
          expect(sorted(await rowsNow(store, table)), name).toEqual(sorted(asRows(next)));
          if (chosen["delta.enableChangeDataFeed"]) await expectFeed(store, before, after, { model, next, touches });
          if (chosen["delta.enableRowTracking"]) ids = await expectIds(store, after, ids, { model, next, name });
          model = next;
        }
      },
    ),
    { numRuns: 30 },
  );
});

async function rowsNow(store: Store, table: string) {
  const rows = await gatherRows(readRows(store, await stateOf(store, table)));
  return rows.map(({ k, p, v }) => ({ k: Number(k), p: p as string | null, v: v as number }));
}

function sorted(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** Changes applied to the rows before give the rows after, and no row is told that only moved. */
async function expectFeed(
  store: Store,
  before: Snapshot,
  after: Snapshot,
  { model, next, touches }: { readonly model: Model; readonly next: Model } & Pick<Step, "touches">,
) {
  const rows = sorted(asRows(model));
  const changes = await gatherRows(readChangeRows(store, after, before.version + 1n));
  expect(changes.map(({ k }) => Number(k)).filter((k) => !touches(k, model.get(k)))).toEqual([]);
  const text = ({ k, p, v }: { k: unknown; p: unknown; v: unknown }) => JSON.stringify({ k: Number(k), p, v });
  for (const change of changes.filter(({ _change_type: type }) => type === "delete" || type === "update_preimage")) {
    const at = rows.indexOf(text(change as unknown as { k: unknown; p: unknown; v: unknown }));
    expect(at, JSON.stringify(Number(change["k"]))).toBeGreaterThanOrEqual(0);
    rows.splice(at, 1);
  }
  for (const change of changes)
    if (change._change_type === "insert" || change._change_type === "update_postimage")
      rows.push(text(change as unknown as { k: unknown; p: unknown; v: unknown }));
  expect(rows.sort()).toEqual(sorted(asRows(next)));
}

/** A row keeps its id as long as it is there, and its version as long as nothing writes it. */
async function expectIds(
  store: Store,
  after: Snapshot,
  before: Ids,
  { model, next, name }: { readonly model: Model; readonly next: Model; readonly name: string },
): Promise<Ids> {
  const ids = new Map<unknown, { id: unknown; version: unknown }>();
  for await (const { k, _metadata } of readRows(store, after, { rowIds: true })) {
    const { row_id: id, row_commit_version: version } = _metadata as { row_id: bigint; row_commit_version: bigint };
    ids.set(Number(k), { id, version });
  }
  expect(new Set([...ids.values()].map(({ id }) => id)).size).toBe(next.size);
  const isReplaced = name.startsWith("overwrite");
  for (const [k, { id, version }] of ids) {
    const old = before.get(k);
    const isSame = JSON.stringify(model.get(k as number)) === JSON.stringify(next.get(k as number));
    if (old === undefined || (isReplaced && old.id !== id)) continue;
    expect(id, name).toBe(old.id);
    if (version !== old.version) expect(version, name).toBe(after.version);
    if (name === "optimize") expect(version).toBe(old.version);
    if (!isSame) expect(version, name).toBe(after.version);
  }
  return ids;
}
