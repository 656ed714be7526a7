import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ingot, projectMaker, rows } from "./cli.js";
import { type DiskFault, withDiskFault } from "./failing-disk.js";

const project = projectMaker();

/** Rules `a > above`. */
interface Rule {
  readonly above: number;
  readonly action: "" | " ON VIOLATION QUARANTINE ROW" | " ON VIOLATION DROP ROW";
}
/** A step of a pipeline's life. */
type Step =
  | { readonly kind: "deliver"; readonly values: readonly (number | null)[] }
  | { readonly kind: "rules"; readonly rules: readonly Rule[] }
  | { readonly kind: "run"; readonly fault: DiskFault | undefined }
  /** Of the open rows with `a < below` or without `a`, which is corrected so that all pass, or not. */
  | {
      readonly kind: "release";
      readonly below: number;
      readonly corrects: boolean;
      readonly fault: DiskFault | undefined;
    };

const value = fc.option(fc.integer({ min: 0, max: 9 }), { nil: null });
const rules = (...actions: Rule["action"][]) =>
  fc.array(fc.record({ above: fc.integer({ min: 0, max: 8 }), action: fc.constantFrom(...actions) }), { maxLength: 3 });
const faults = fc.option(fc.record({ nth: fc.integer({ min: 1, max: 16 }), isDone: fc.boolean() }), { nil: undefined });
const steps = (rule: fc.Arbitrary<readonly Rule[]>, fault: fc.Arbitrary<DiskFault | undefined>) =>
  fc.array(
    fc.oneof<fc.Arbitrary<Step>[]>(
      fc.record({ kind: fc.constant("deliver"), values: fc.array(value, { minLength: 1, maxLength: 6 }) }),
      fc.record({ kind: fc.constant("rules"), rules: rule }),
      fc.record({ kind: fc.constant("run"), fault }),
      fc.record({
        kind: fc.constant("release"),
        below: fc.integer({ min: 2, max: 9 }),
        corrects: fc.boolean(),
        fault,
      }),
    ),
    { minLength: 3, maxLength: 7 },
  );

const QUARANTINES = " ON VIOLATION QUARANTINE ROW";
const STORED = /\/storage\/(warehouse|_checkpoints)\//;

/** Silver always has a rule that quarantines, so that there is a quarantine to release from. */
function sqlOf(list: readonly Rule[]): string {
  const all = [{ above: 1, action: QUARANTINES }, ...list];
  const constraints = all.map(({ above, action }, i) => `CONSTRAINT r${i} EXPECT (a > ${above})${action}`);
  return `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'id BIGINT, a INT');
CREATE STREAMING TABLE silver (${constraints.join(", ")}) AS SELECT * FROM STREAM bronze;`;
}

function releaseOf({ below, corrects }: Step & { readonly kind: "release" }): string[] {
  const command = ["quarantine", "release", "silver", "--where", `coalesce(a, 0) < ${below}`];
  return corrects ? [...command, "--correct", "a=9"] : command;
}

/** Lives through the steps, then runs once more on a sound disk; gives how many rows were delivered, and where they are. */
async function live(all: readonly Step[]) {
  const folder = project({ "transformations/all.sql": sqlOf([]), "landing/0.csv": "id,a\n0,1\n" });
  let [delivered, files] = [1, 1];
  for (const step of all) {
    if (step.kind === "deliver") {
      const lines = step.values.map((a) => `${delivered++},${a ?? ""}\n`);
      writeFileSync(`${folder}/landing/${files++}.csv`, `id,a\n${lines.join("")}`);
    } else if (step.kind === "rules") writeFileSync(`${folder}/transformations/all.sql`, sqlOf(step.rules));
    else {
      if (step.kind === "release") await ingot(["run"], { cwd: folder });
      const command = step.kind === "run" ? ["run"] : releaseOf(step);
      await withDiskFault(STORED, step.fault, () => ingot(command, { cwd: folder }));
    }
  }
  const last = await ingot(["run"], { cwd: folder });
  expect(last.code, last.stderr).toBe(0);
  const idsIn = async (from: string) =>
    (await rows(folder, `SELECT id FROM ${from} ORDER BY id`)).map(({ id }) => Number(id));
  const [dropped] = await rows(
    folder,
    "SELECT coalesce(sum(CAST(details:flow_progress.data_quality.dropped_records AS BIGINT)), 0) AS n FROM event_log",
  );
  const state = await ingot(["query", "SELECT count(*) FROM silver_quarantine"], { cwd: folder });
  return {
    delivered: Array.from({ length: delivered }, (_, id) => id),
    silver: await idsIn("silver"),
    open: state.code === 0 ? await idsIn("silver_quarantine WHERE _state = 'open'") : [],
    dropped: Number(dropped?.["n"]),
  };
}

it("each row is in the table or open in the quarantine, once, whatever rules, releases and faults of the disk come", async () => {
  await fc.assert(
    fc.asyncProperty(steps(rules("", QUARANTINES), faults), async (all) => {
      const { delivered, silver, open } = await live(all);
      expect([...silver, ...open].sort((a, b) => a - b)).toEqual(delivered);
    }),
    { numRuns: 10 },
  );
});

it("rows delivered = rows in the table + open in the quarantine + dropped, as the event log tells it", async () => {
  await fc.assert(
    fc.asyncProperty(steps(rules("", QUARANTINES, " ON VIOLATION DROP ROW"), fc.constant(undefined)), async (all) => {
      const { delivered, silver, open, dropped } = await live(all);
      expect(new Set([...silver, ...open]).size).toBe(silver.length + open.length);
      expect(silver.length + open.length + dropped).toBe(delivered.length);
    }),
    { numRuns: 6 },
  );
});
