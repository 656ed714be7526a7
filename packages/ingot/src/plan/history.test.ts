import fc from "fast-check";
import { expect, it } from "vitest";
import { batchFile, columns, filesInput, graphFlow, manifest, queryFlow } from "../graph/test-builders.js";
import type { BatchInput, Manifest } from "../model/batch.js";
import { type Batches, compactBatches, filesSeen, positionOf, sourcesOf } from "./history.js";

const KEY = "stream files landing";
const flow = graphFlow(queryFlow("t"), { r0: filesInput("landing") });

const input = (names: readonly string[], batch: number): BatchInput => ({
  kind: "files",
  files: names.map((name) => batchFile(name, { sha256: `${name} ${batch}` })),
  columns: columns(`c${batch} string`),
  passed: [{ path: `/p/landing/old${batch}`, size: 1, mtimeMs: 1 }],
});

it("batches that are compacted, anywhere and any number of times, say the same as all of them", () => {
  const names = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 });
  const batches = fc.array(fc.record({ names, other: fc.boolean(), compact: fc.boolean() }), { minLength: 1 });
  fc.assert(
    fc.property(batches, (steps) => {
      const all: Manifest[] = [];
      let short: Batches = { manifests: [] };
      for (const [i, step] of steps.entries()) {
        const table: Record<string, BatchInput> = step.other
          ? { "stream table /t": { kind: "appended", tableId: "t", to: String(i) } }
          : {};
        const next = manifest(i, { [KEY]: input(step.names, i), ...table });
        if (step.compact && short.manifests.length > 0) {
          const compacted = compactBatches(short);
          short = { manifests: [], ...(compacted === undefined ? {} : { compacted }) };
        }
        all.push(next);
        short = { ...short, manifests: [...short.manifests, next] };
      }
      const known = (b: Batches) =>
        [...filesSeen(flow, b, KEY)].map(([path, { size, mtimeMs, sha256 }]) => [path, size, mtimeMs, sha256]).sort();
      expect(known(short)).toEqual(known({ manifests: all }));
      expect(positionOf(short, "stream table /t")).toEqual(positionOf({ manifests: all }, "stream table /t"));
      expect(positionOf(short, KEY)).toEqual(all.at(-1)?.inputs[KEY]);
      expect(sourcesOf(short).sort()).toEqual(sourcesOf({ manifests: all }).sort());
    }),
  );
});

it("keeps the columns of a source that the last batches did not read", () => {
  const compacted = compactBatches({ manifests: [manifest(0, { [KEY]: input(["a"], 0) }), manifest(1, {})] });
  if (compacted === undefined) throw new Error("there were batches");
  expect(positionOf({ manifests: [manifest(2, {})], compacted }, KEY)).toEqual({
    kind: "files",
    files: [],
    columns: columns("c0 string"),
  });
});
