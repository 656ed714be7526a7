import fc from "fast-check";
import { expect, it } from "vitest";
import { type ChangeRules, END_AT, START_AT } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { type TestEvent, type TestTarget, targetMaker, testRules } from "./test-changes.js";

const openTarget = targetMaker();

const bound = (name: string): Field => ({ name, type: { kind: "bigint" }, nullable: true });

function makeTarget(more: Partial<ChangeRules>): TestTarget {
  return openTarget(testRules("state", { snapshot: { versioned: false }, ...more }));
}

const row = fc.record({
  kind: fc.constant<TestEvent["kind"]>("upsert"),
  k: fc.constantFrom("a", "b", "c"),
  seq: fc.constant(0),
  v: fc.constantFrom("x", "y", null),
  w: fc.constantFrom("x", "y"),
});
const snapshots = fc.array(fc.uniqueArray(row, { selector: ({ k }) => k, minLength: 1 }), {
  minLength: 1,
  maxLength: 5,
});

/** Versions as `k:v:w:from:to`: a row of `v` begins one, `w` is kept up to date within it. */
function model(all: readonly (readonly TestEvent[])[]): string[] {
  const ended: string[] = [];
  const live = new Map<string, { v: string | null; w: string | null; from: number }>();
  for (const [i, rows] of all.entries()) {
    for (const [k, { v, w, from }] of live) {
      const now = rows.find((one) => one.k === k);
      if (now !== undefined && now.v === v) live.set(k, { v, w: now.w, from });
      else {
        ended.push(`${k}:${v}:${w}:${from}:${i}`);
        live.delete(k);
      }
    }
    for (const { k, v, w } of rows) if (!live.has(String(k))) live.set(String(k), { v, w, from: i });
  }
  return [...ended, ...[...live].map(([k, { v, w, from }]) => `${k}:${v}:${w}:${from}:null`)].sort();
}

it("the table is the last snapshot; of type 2 it holds each version, with what is not tracked up to date", async () => {
  await fc.assert(
    fc.asyncProperty(snapshots, async (all) => {
      const current = makeTarget({});
      const versions = makeTarget({ storedAs: "scd2", tracked: ["v"] });
      const columns = [...versions.rules.columns, bound(START_AT), bound(END_AT)];
      for (const rows of all) {
        const counts = await current.apply(rows);
        expect(counts.read).toBe(rows.length + counts.deleted);
        await versions.apply(rows, { columns });
        expect(await current.rows()).toEqual(rows.map(({ k, v, w }) => `${k}:${v}:${w}`).sort());
      }
      const list = `k, v, w, ${START_AT}, ${END_AT}`;
      const found = (await versions.read(versions.location, list)).map((values) => values.map(String).join(":")).sort();
      expect(found).toEqual(model(all));
    }),
    { numRuns: 15 },
  );
}, 120_000);
