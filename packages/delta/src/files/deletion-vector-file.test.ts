import { readdir } from "node:fs/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { localStore } from "../store/local-store.js";
import { temporaryFolder } from "../testing/test-log.js";
import { readDeletionVectors } from "./deletion-vector.js";
import { writeDeletionVectors } from "./deletion-vector-file.js";

const rows = fc.uniqueArray(fc.maxSafeNat(), { maxLength: 50 }).map((all) => Float64Array.from(all).sort());

it("gives back every set from one file", async () => {
  const table = await temporaryFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 5 }), async (sets) => {
      const before = (await readdir(table)).length;
      const vectors = await writeDeletionVectors(localStore, table, sets);
      const files = vectors.map((deletionVector) => ({ path: "part.parquet", deletionVector }));
      expect(await readDeletionVectors(localStore, { table }, files)).toEqual(sets);
      expect(await readdir(table)).toHaveLength(before + 1);
    }),
    { numRuns: 30 },
  );
});

it("lays the file out as the protocol says", async () => {
  const table = await temporaryFolder();
  const [vector] = await writeDeletionVectors(localStore, table, [Float64Array.from([3, 4, 7, 11, 18, 29])]);
  // The vector of delta-kernel-rs' documentation: 44 bytes from offset 1.
  expect(vector).toMatchObject({ storageType: "u", offset: 1, sizeInBytes: 44, cardinality: 6n });
  const [name] = await readdir(table);
  const file = await localStore.read(`${table}/${name}`);
  expect(file).toHaveLength(1 + 4 + 44 + 4);
  expect([...file.subarray(0, 5)]).toEqual([1, 0, 0, 0, 44]);
});
