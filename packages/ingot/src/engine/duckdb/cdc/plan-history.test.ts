import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Field } from "../../../model/data-type.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { DuckdbSession } from "../duckdb-session.js";
import { DIFFERENCE, HIDDEN_EVENTS, type HistoryPlan, planHistory } from "./plan-history.js";

const field = (name: string, kind: "int" | "string" | "bigint"): Field => ({ name, type: { kind }, nullable: true });

const SHAPE: HistoryShape = {
  keys: ["id"],
  columns: [field("id", "int"), field("name", "string"), field("seen", "int")],
  values: [field("name", "string"), field("seen", "int")],
  tracked: ["name", "seen"],
  kept: [],
  sequenceType: { kind: "bigint" },
  ties: "upsert",
};

/** Key, sequence, deleted, name, seen. */
type Event = readonly [id: number, sequence: number, deleted: boolean, name: string | null, seen: number | null];

let folder: string;
let session: DuckdbSession;
let db: DuckDBConnection;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ingot-history-"));
  session = new DuckdbSession(folder);
  db = await new Promise((resolve) => {
    void session.use(new AbortController().signal, async (own) => resolve(own));
  });
  await db.run(
    "CREATE TEMP TABLE batch (id INT, name TEXT, seen INT, __ingot_sequence BIGINT, __ingot_deleted BOOLEAN, __ingot_part INT)",
  );
  await db.run("CREATE TEMP TABLE side AS SELECT * EXCLUDE (__ingot_part), false AS __ingot_after_delete FROM batch");
  await db.run("CREATE TEMP TABLE target (id INT, name TEXT, seen INT, __START_AT BIGINT, __END_AT BIGINT)");
});

afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Applies batches one by one to tables of DuckDB; `killed` stops a batch between the side table and the target. */
async function apply(shape: HistoryShape, batches: readonly (readonly Event[])[], killed = -1): Promise<string[]> {
  for (const table of ["side", "target"]) await db.run(`DELETE FROM ${table}`);
  for (const [number, events] of batches.entries()) {
    await applyBatch(shape, events, number === killed);
    if (number === killed) await applyBatch(shape, events, false);
  }
  const rows = await db.runAndReadAll(
    "SELECT id, name, seen, __START_AT, __END_AT FROM target ORDER BY id, __START_AT",
  );
  return rows.getRows().map((row) => row.join(" "));
}

async function applyBatch(shape: HistoryShape, events: readonly Event[], isKilled: boolean): Promise<HistoryPlan> {
  await db.run("DELETE FROM batch");
  const rows = events.map(([id, sequence, deleted, name, seen]) => {
    return `(${id}, ${name === null ? "NULL" : `'${name}'`}, ${seen}, ${sequence}, ${deleted}, 0)`;
  });
  if (rows.length > 0) await db.run(`INSERT INTO batch VALUES ${rows.join(", ")}`);
  const of = (table: string) => `(SELECT * FROM ${table} WHERE id IN (SELECT id FROM batch))`;
  const relations = { versions: of("target"), side: of("side"), batch: "batch" };
  const plan = await planHistory(db, shape, relations);
  // Law 2: each event has one outcome.
  const { ties: _, ...outcomes } = plan.counts.get(0) ?? { ties: 0 };
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(events.length);
  await db.run(
    `DELETE FROM side s USING ${HIDDEN_EVENTS} n WHERE s.id = n.id AND s.__ingot_sequence = n.__ingot_sequence`,
  );
  await db.run(`INSERT INTO side BY NAME FROM ${HIDDEN_EVENTS}`);
  if (isKilled) return plan;
  await db.run(`DELETE FROM target t USING ${DIFFERENCE} d WHERE t.id = d.id AND t.__START_AT = d.__START_AT`);
  await db.run(
    `INSERT INTO target BY NAME SELECT * EXCLUDE (__ingot_action) FROM ${DIFFERENCE} WHERE __ingot_action <> 'delete'`,
  );
  return plan;
}

/** The history of all events at once, by the rules of the documents; events of one key and sequence are equal. */
function naive({ tracked, kept }: HistoryShape, events: readonly Event[]): string[] {
  const versions: { id: number; name: string | null; seen: number | null; start: number; end: number | null }[] = [];
  for (const [id, sequence, deleted, name, seen] of events.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = versions.at(-1);
    const open = last?.id === id && last.end === null ? last : undefined;
    const keep = kept.length > 0 ? open : undefined;
    const row = { name: name ?? keep?.name ?? null, seen: seen ?? keep?.seen ?? null };
    const isSame = open !== undefined && tracked.every((c) => open[c as "name"] === row[c as "name"]);
    if (!deleted && isSame) Object.assign(open, row);
    else {
      if (open !== undefined) open.end = sequence;
      if (!deleted) versions.push({ id, ...row, start: sequence, end: null });
    }
  }
  return versions.filter((v) => v.end !== v.start).map((v) => [v.id, v.name, v.seen, v.start, v.end].join(" "));
}

const events = fc.uniqueArray(
  fc.tuple(
    fc.integer({ min: 1, max: 2 }),
    fc.integer({ min: 1, max: 9 }),
    fc.boolean(),
    fc.constantFrom("a", "b", null),
    fc.constantFrom(1, 2, null),
  ),
  { selector: ([id, sequence]) => `${id} ${sequence}`, maxLength: 12 },
);

/** Events in another order, in batches, some of them twice. */
const delivered = events.chain((all) =>
  fc.record({
    all: fc.constant(all),
    order: fc.shuffledSubarray([...all, ...all.slice(0, 3)], { minLength: all.length + Math.min(3, all.length) }),
    cuts: fc.array(fc.nat(15), { maxLength: 4 }),
    killed: fc.integer({ min: -1, max: 4 }),
  }),
);

function cut<T>(items: readonly T[], cuts: readonly number[]): T[][] {
  const at = [0, ...cuts.toSorted((a, b) => a - b), items.length];
  return at.slice(1).map((end, i) => items.slice(at[i], end));
}

describe("the history of keys", () => {
  it.each([
    ["all columns tracked", SHAPE],
    ["one column tracked", { ...SHAPE, tracked: ["name"] }],
    ["none tracked", { ...SHAPE, tracked: [] }],
    ["NULL that says nothing", { ...SHAPE, tracked: ["name"], kept: ["name", "seen"] }],
  ])("is the same for any order, batches, repeats and a death between the tables (%s)", async (_name, shape) => {
    await fc.assert(
      fc.asyncProperty(delivered, async ({ all, order, cuts, killed }) => {
        expect(await apply(shape, cut(order, cuts), killed)).toEqual(naive(shape, all));
      }),
      { numRuns: 30 },
    );
  });

  it.each(["upsert", "delete"] as const)("decides ties by the events alone (%s wins)", async (ties) => {
    const shape = { ...SHAPE, tracked: ["name"], ties };
    const tied = fc.array(
      fc.tuple(
        fc.constant(1),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        fc.constantFrom("a", "b", null),
        fc.constantFrom(1, null),
      ),
      { minLength: 1, maxLength: 10 },
    );
    const orders = tied.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.array(fc.nat(10), { maxLength: 4 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(orders, async ([all, shuffled, cuts]) => {
        const together = await apply(shape, [all]);
        expect(await apply(shape, cut(shuffled, cuts))).toEqual(together);
        for (const [, sequence] of all) {
          const kinds = all.filter(([, at]) => at === sequence).map(([, , deleted]) => deleted);
          expect(covers(together, sequence)).toBe(ties === "upsert" ? kinds.includes(false) : !kinds.includes(true));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("tells what became of each event", async () => {
    const shape = { ...SHAPE, tracked: ["name"] };
    for (const table of ["side", "target"]) await db.run(`DELETE FROM ${table}`);
    const none = { inserted: 0, updated: 0, deleted: 0, unchanged: 0, superseded: 0, duplicate: 0, late: 0 };
    const first: Event[] = [
      [1, 10, false, "a", 1],
      [1, 20, false, "a", 2],
      [1, 20, false, "a", 2],
      [2, 5, true, null, null],
    ];
    expect(await applyBatch(shape, first, false)).toMatchObject({
      counts: new Map([[0, { ...none, inserted: 1, updated: 1, duplicate: 1, unchanged: 1, ties: 0 }]]),
      closed: 0,
    });
    const second: Event[] = [
      [1, 10, false, "a", 1],
      [1, 15, false, "a", 7],
      [1, 30, true, null, null],
      [1, 30, false, "b", 1],
      [2, 4, false, "c", 1],
    ];
    // The late one at 15 ends in a version whose last event is younger.
    expect(await applyBatch(shape, second, false)).toMatchObject({
      counts: new Map([[0, { ...none, duplicate: 1, unchanged: 1, superseded: 1, inserted: 2, ties: 1 }]]),
      closed: 0,
    });
    // The tie at 30 was decided: the upsert stands there.
    const third: Event[] = [
      [1, 30, true, null, null],
      [2, 6, true, null, null],
      [1, 40, true, null, null],
    ];
    expect(await applyBatch(shape, third, false)).toMatchObject({
      counts: new Map([[0, { ...none, late: 1, unchanged: 1, deleted: 1, ties: 1 }]]),
      closed: 1,
    });
  });
});

/** Whether some version holds at a sequence. */
function covers(versions: readonly string[], sequence: number): boolean {
  return versions.some((version) => {
    const [, , , start = "", end = ""] = version.split(" ");
    return Number(start) <= sequence && (end === "" || sequence < Number(end));
  });
}
