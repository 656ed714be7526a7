import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TestEvent, type TestTarget, targetMaker, testRules } from "./test-changes.js";

const RUNS = 8;
const MOST = 14;

const openTarget = targetMaker();

const makeTarget = (...given: Parameters<typeof testRules>): TestTarget => openTarget(testRules(...given));

/** Law 5 as ten lines: the rows are those whose last event is an upsert, and no truncate is later. */
function model(
  events: readonly TestEvent[],
  ties: "upsert" | "delete",
  digest: (event: TestEvent) => string,
): string[] {
  const rank = ({ kind }: TestEvent) => Number(kind === ties);
  const floor = Math.max(-1, ...events.flatMap(({ kind, seq }) => (kind === "truncate" ? [seq] : [])));
  const order = (a: TestEvent, b: TestEvent) =>
    a.seq - b.seq || rank(a) - rank(b) || (digest(a) < digest(b) ? -1 : Number(digest(a) > digest(b)));
  const last = new Map<string | null, TestEvent>();
  for (const one of events.filter(({ kind }) => kind !== "truncate").sort(order)) last.set(one.k, one);
  return [...last.values()]
    .filter(({ kind, seq }) => kind === "upsert" && (ties === "delete" ? seq > floor : seq >= floor))
    .map(({ k, v, w }) => `${k}:${v}:${w}`)
    .sort();
}

const textOf = (name: string, value: string | null) =>
  value === null ? "" : `${name.length}:${name}${value.length}:${value}`;
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** As `row-digest.ts` documents it: for each column that is not NULL, by name, its name and its value behind lengths. */
function digestOf(sequence: "state" | "column"): (event: TestEvent) => string {
  return ({ k, seq, v, w }) => {
    const place = sequence === "column" ? `3:seq${seq};` : "";
    return hash(`${textOf("k", k)}${place}${textOf("v", v)}${textOf("w", w)}`);
  };
}

const event = fc
  .record({
    kind: fc.constantFrom<TestEvent["kind"]>("upsert", "upsert", "upsert", "delete", "truncate"),
    k: fc.constantFrom("a", "b", "c"),
    seq: fc.integer({ min: 0, max: 6 }),
    v: fc.constantFrom("x", "y"),
    w: fc.constantFrom("x", null),
  })
  .map(({ kind, k, ...rest }): TestEvent => ({ kind, k: kind === "truncate" ? null : k, ...rest }));

/** Events, the same in another order, sizes of batches, and what happens at each. */
const historyOf = (one: fc.Arbitrary<TestEvent>) =>
  fc
    .array(one, { minLength: 1, maxLength: MOST })
    .chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: MOST, maxLength: MOST }),
        fc.array(fc.constantFrom("none", "state", "target", "again"), { minLength: MOST, maxLength: MOST }),
      ),
    );
const history = historyOf(event);
const sparseHistory = historyOf(
  event
    .filter(({ kind }) => kind !== "truncate")
    .chain((one) => fc.constantFrom(one.v, null).map((v): TestEvent => ({ ...one, v }))),
);

const listedHistory = historyOf(
  event
    .filter(({ kind }) => kind !== "truncate")
    .chain((one) =>
      fc
        .record({ v: fc.constantFrom("x", "y", null), listed: fc.subarray(["v", "w"]) })
        .map((more): TestEvent => ({ ...one, ...more })),
    ),
);

describe.each([
  ["state", "upsert"],
  ["state", "delete"],
  ["column", "upsert"],
  ["column", "delete"],
] as const)("sequences in the %s, ties go to the %s", (sequence, ties) => {
  it("any order, batches, replays and deaths give what the events say", async () => {
    await fc.assert(
      fc.asyncProperty(history, async ([events, shuffled, sizes, faults]) => {
        const target = makeTarget(sequence, { ties, truncates: true });
        const rest = [...shuffled];
        for (let i = 0; rest.length > 0; i += 1) {
          const batch = rest.splice(0, sizes[i]);
          await applyWithFault(target, batch, faults[i] ?? "none");
        }
        expect(await target.rows()).toEqual(model(events, ties, digestOf(sequence)));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 120_000);
});

describe.each(["upsert", "delete"] as const)("NULL keeps v, ties go to the %s", (ties) => {
  it("any order, batches, replays and deaths give what the events say", async () => {
    await fc.assert(
      fc.asyncProperty(sparseHistory, async ([events, shuffled, sizes, faults]) => {
        const target = makeTarget("state", { ties, ignoreNulls: ["v"] });
        const rest = [...shuffled];
        for (let i = 0; rest.length > 0; i += 1)
          await applyWithFault(target, rest.splice(0, sizes[i]), faults[i] ?? "none");
        expect(await target.rows()).toEqual(sparseModel(events, ties));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 120_000);
});

describe.each(["upsert", "delete"] as const)(
  "each change lists the columns that it writes, ties go to the %s",
  (ties) => {
    it("any order, batches, replays and deaths give what the events say", async () => {
      await fc.assert(
        fc.asyncProperty(listedHistory, async ([events, shuffled, sizes, faults]) => {
          const target = makeTarget("state", { ties, listable: ["k", "seq", "v", "w"] });
          const rest = [...shuffled];
          for (let i = 0; rest.length > 0; i += 1)
            await applyWithFault(target, rest.splice(0, sizes[i]), faults[i] ?? "none");
          expect(await target.rows()).toEqual(listedModel(events, ties));
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    }, 120_000);
  },
);

/** Of each key the newest v and w that are listed, NULLs too, of the events behind the last delete. */
function listedModel(events: readonly TestEvent[], ties: "upsert" | "delete"): string[] {
  return [...new Set(events.map(({ k }) => k))].sort().flatMap((k) => {
    const own = events.filter((one) => one.k === k);
    const dead = Math.max(-1, ...own.flatMap(({ kind, seq }) => (kind === "delete" ? [seq] : [])));
    const alive = own.filter(({ kind, seq }) => kind === "upsert" && (ties === "delete" ? seq > dead : seq >= dead));
    const newest = (column: "v" | "w") =>
      alive
        .filter(({ listed }) => listed?.includes(column))
        .toSorted((a, b) => a.seq - b.seq || ((a[column] ?? "") < (b[column] ?? "") ? -1 : 1))
        .at(-1)?.[column] ?? null;
    return alive.length === 0 ? [] : [`${k}:${newest("v")}:${newest("w")}`];
  });
}

/** Of each key the newest v that is no NULL, and the newest w, of the events behind the last delete. */
function sparseModel(events: readonly TestEvent[], ties: "upsert" | "delete"): string[] {
  return [...new Set(events.map(({ k }) => k))].sort().flatMap((k) => {
    const own = events.filter((one) => one.k === k);
    const dead = Math.max(-1, ...own.flatMap(({ kind, seq }) => (kind === "delete" ? [seq] : [])));
    const alive = own.filter(({ kind, seq }) => kind === "upsert" && (ties === "delete" ? seq > dead : seq >= dead));
    if (alive.length === 0) return [];
    const last = (rank: (event: TestEvent) => string, of: readonly TestEvent[]) =>
      of.toSorted((a, b) => a.seq - b.seq || (rank(a) < rank(b) ? -1 : 1)).at(-1);
    const w = last(({ w }) => hash(textOf("w", w)), alive)?.w;
    const v =
      last(
        ({ v }) => v ?? "",
        alive.filter((one) => one.v !== null),
      )?.v ?? null;
    return [`${k}:${v}:${w}`];
  });
}

/** Dies before the commit of the state or of the target and is done again, or is sent again as the next batch. */
async function applyWithFault(target: TestTarget, batch: readonly TestEvent[], fault: string): Promise<void> {
  const folder = fault === "state" ? "/state/" : "/t/";
  target.onCommit = (path) => {
    if (["state", "target"].includes(fault) && path.includes(folder)) throw new Error("the process dies");
  };
  const died = await target.apply(batch).then(
    () => false,
    (error: unknown) => {
      if (!String(error).includes("the process dies")) throw error;
      return true;
    },
  );
  target.onCommit = () => {};
  if (died) await target.replay(batch);
  if (fault === "again") await target.apply(batch);
}
