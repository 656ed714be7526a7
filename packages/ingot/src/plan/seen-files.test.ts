import fc from "fast-check";
import { expect, it } from "vitest";
import type { SeenFile } from "../model/batch.js";
import { SeenFiles } from "./seen-files.js";

it("knows of each path its last file, and of each content a path that has it", () => {
  const file = fc.record({ path: fc.constantFrom("a", "b", "c"), sha256: fc.constantFrom("1", "2", "3") });
  fc.assert(
    fc.property(fc.array(fc.array(file, { maxLength: 4 }), { maxLength: 4 }), (batches) => {
      const layers = batches.map(
        (files) =>
          new Map(files.map(({ path, sha256 }): [string, SeenFile] => [path, { size: 1, mtimeMs: 1, sha256 }])),
      );
      const seen = new SeenFiles(layers.toReversed());
      const last = new Map<string, string>(batches.flat().map(({ path, sha256 }) => [path, sha256]));
      expect(new Map([...seen].map(([path, { sha256 }]) => [path, sha256]))).toEqual(last);
      for (const path of ["a", "b", "c"]) expect(seen.get(path)?.sha256).toBe(last.get(path));
      for (const sha256 of ["1", "2", "3"]) {
        const owner = seen.ownerOf(sha256);
        expect(owner === undefined ? undefined : last.get(owner)).toBe(
          [...last.values()].find((one) => one === sha256),
        );
      }
    }),
  );
});
