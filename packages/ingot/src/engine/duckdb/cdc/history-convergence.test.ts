import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChangeRules, END_AT, START_AT } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { type TestEvent, targetMaker, testRules } from "./test-changes.js";

const openTarget = targetMaker();

const bound = (name: string): Field => ({ name, type: { kind: "bigint" }, nullable: true });

/** A target of either type; events reach both in the same batches. */
function makeTarget(storedAs: ChangeRules["storedAs"], more: Partial<ChangeRules>) {
  const target = openTarget(testRules("state", { storedAs, ...more }));
  const bounds = storedAs === "scd2" ? [bound(START_AT), bound(END_AT)] : [];
  const options = { columns: [...target.rules.columns, ...bounds] };
  return {
    target,
    apply: (events: readonly TestEvent[]) => target.apply(events, options),
    replay: (events: readonly TestEvent[]) => target.replay(events, options),
  };
}

const event = fc.record({
  kind: fc.constantFrom<TestEvent["kind"]>("upsert", "upsert", "delete"),
  k: fc.constantFrom("a", "b"),
  seq: fc.integer({ min: 0, max: 5 }),
  v: fc.constantFrom("x", "y", null),
  w: fc.constantFrom("x", null),
  listed: fc.subarray(["v", "w"]),
});

const history = fc
  .array(event, { minLength: 1, maxLength: 10 })
  .chain((events) =>
    fc.tuple(
      fc.constant(events),
      fc.shuffledSubarray(events, { minLength: events.length }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 10, maxLength: 10 }),
      fc.array(fc.constantFrom("none", "/state/", "/t/", "again"), { minLength: 10, maxLength: 10 }),
    ),
  );

describe.each([
  ["all columns tracked, ties to the upsert", { ties: "upsert" }],
  ["one column tracked, ties to the delete", { tracked: ["v"], ties: "delete" }],
  ["NULL says nothing", { ignoreNulls: ["v", "w"] }],
  ["each change lists what it writes", { listable: ["k", "v", "w"] }],
  [
    "each change lists what it writes, ties to the delete",
    { listable: ["k", "v", "w"], tracked: ["w"], ties: "delete" },
  ],
] as const)("a table of type 2 (%s)", (_name, more) => {
  it("comes to one history in any order, batches, replays and deaths; its open rows are type 1", async () => {
    await fc.assert(
      fc.asyncProperty(history, async ([events, shuffled, sizes, faults]) => {
        const [together, apart, current] = [
          makeTarget("scd2", more),
          makeTarget("scd2", more),
          makeTarget("scd1", more),
        ];
        await together.apply(events);
        const rest = [...shuffled];
        for (let i = 0; rest.length > 0; i += 1) {
          const batch = rest.splice(0, sizes[i]);
          await applyWithFault(apart, batch, faults[i] ?? "none");
          await current.apply(batch);
        }
        const list = `k, v, w, ${START_AT}, ${END_AT}`;
        const versions = async ({ target }: typeof apart) =>
          (await target.read(target.location, list)).map((row) => row.map(String).join(":")).sort();
        const result = await versions(apart);
        expect(result).toEqual(await versions(together));
        const live = result.filter((row) => row.endsWith(":null")).map((row) => row.split(":").slice(0, 3).join(":"));
        expect(live).toEqual(await current.target.rows());
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

/** Dies before the commit of the state or of the target and is done again, or is sent again as the next batch. */
async function applyWithFault(
  { target, apply, replay }: ReturnType<typeof makeTarget>,
  batch: readonly TestEvent[],
  fault: string,
): Promise<void> {
  target.onCommit = (path) => {
    if (fault.startsWith("/") && path.includes(fault)) throw new Error("the process dies");
  };
  const isDead = await apply(batch).then(
    () => false,
    (error: unknown) => {
      if (String(error).includes("dies")) return true;
      throw error;
    },
  );
  target.onCommit = () => {};
  if (isDead) await replay(batch);
  if (fault === "again") await apply(batch);
}
