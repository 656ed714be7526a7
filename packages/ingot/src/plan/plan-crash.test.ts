import fc from "fast-check";
import { expect, it } from "vitest";
import { batchFile, dataset, filesInput, graphFlow, graphNode, queryFlow, tableState } from "../graph/test-builders.js";
import type { Manifest } from "../model/batch.js";
import type { TableState } from "../model/table.js";
import { filesSeen, type History } from "./history.js";
import { planFlow, planReplay } from "./plan-flow.js";
import { filesOffer } from "./test-offer.js";

const flow = graphFlow(queryFlow("t"), { r0: filesInput("landing") });
const node = graphNode(dataset("t"), [flow]);

const ENDS = ["succeeds", "dies after the manifest", "dies after the commit"] as const;
const step = fc.oneof(
  fc.record({ arrive: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ run: fc.constantFrom(...ENDS) }),
);

/** A checkpoint and a table that keep the two promises of the run: manifest first, and a batch is committed once. */
function world() {
  const arrived: string[] = [];
  const manifests: Manifest[] = [];
  const committed = new Map<number, readonly string[]>();
  let target: TableState | undefined;
  return {
    arrived,
    manifests,
    committed,
    run(end: (typeof ENDS)[number]): void {
      const done = target?.transactions.get("app");
      const history: History = { manifests, committed: (done ?? -1n) >= BigInt(manifests.length - 1) };
      const seen = filesSeen(flow, history, "stream files landing");
      const files = arrived.map((name) => batchFile(name)).filter((file) => seen.get(file.path) === undefined);
      const offers = new Map([["stream files landing", filesOffer(files)]]);
      const now = "2026-10-01T00:00:00.000Z";
      const plan =
        planReplay(node, flow, history) ?? planFlow({ node, flow, history, offers, target, reset: false, now });
      if (plan.kind === "none") return;
      if (plan.kind === "batch") manifests.push(plan.manifest);
      if (end === "dies after the manifest") return;
      const { batch, inputs } = plan.manifest;
      const paths = Object.values(inputs).flatMap((i) => (i.kind === "files" ? i.files.map((f) => f.path) : []));
      if (committed.has(batch)) throw new Error(`batch ${batch} was planned twice`);
      committed.set(batch, paths);
      target = tableState({ transactions: new Map([["app", BigInt(batch)]]) });
    },
  };
}

it("loses no file and doubles none, whenever a run dies", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { arrived, manifests, committed, run } = world();
      for (const s of steps) {
        if ("run" in s) run(s.run);
        else for (let i = 0; i < s.arrive; i++) arrived.push(`${arrived.length}.csv`);
      }
      // One run finishes what was begun, the next reads the rest.
      run("succeeds");
      run("succeeds");
      expect([...committed.values()].flat().sort()).toEqual(arrived.map((name) => batchFile(name).path).sort());
      expect([...committed.keys()]).toEqual(manifests.map((_, i) => i));
    }),
  );
});
