import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { TextCache } from "./bundle-cache.js";
import { datasetNames, errorsOf, loadFiles, removeProjects, writeProject } from "./project-fixture.js";

afterAll(removeProjects);

const FILES = {
  "a.ts": `import { names } from "./names"; import { table, sql } from "ingot";
for (const name of names) table(name, sql\`SELECT 1\`);`,
  "names.ts": `export const names = ["x"];`,
};

/** A cache that counts how often a bundle was built. */
function countingCache() {
  const texts = new Map<string, string>();
  let written = 0;
  const cache: TextCache = {
    read: (key) => texts.get(key),
    write(key, value) {
      texts.set(key, value);
      written += 1;
    },
  };
  return { cache, texts, written: () => written };
}

describe("a cached bundle", () => {
  it("is used while all of its files are the same, and evaluated each time", async () => {
    const root = writeProject({
      "a.ts": `import { config, table, sql } from "ingot";\n\n  table(config("name"), sql\`SELECT 1\`);`,
    });
    const { cache, written } = countingCache();
    for (const name of ["one", "two"]) {
      const loaded = await loadFiles(root, ["a.ts"], { cache, configuration: { name } });
      expect(datasetNames(loaded)).toEqual([`main.shop.${name}`]);
      expect(loaded.definitions.datasets[0]?.at).toMatchObject({ line: 3, column: 3 });
      expect(loaded.inputs[0]).toMatchObject({ kind: "module", path: join(root, "a.ts") });
    }
    expect(written()).toBe(1);
  });

  it.each<[string, (root: string) => void, string]>([
    ["a helper changes", (root) => writeFileSync(join(root, "names.ts"), `export const names = ["y"];`), "y"],
    [
      "a new file comes first for an import",
      (root) => writeFileSync(join(root, "names.tsx"), `export const names = ["z"];`),
      "z",
    ],
  ])("is built anew when %s", async (_what, change, name) => {
    const root = writeProject(FILES);
    const { cache, written } = countingCache();
    await loadFiles(root, ["a.ts"], { cache });
    change(root);
    expect(datasetNames(await loadFiles(root, ["a.ts"], { cache }))).toEqual([`main.shop.${name}`]);
    expect(written()).toBe(2);
  });

  it("is built anew when the kept text is damaged, and a failure is not kept", async () => {
    const root = writeProject({ ...FILES, "bad.ts": "if (1)" });
    const { cache, texts, written } = countingCache();
    await loadFiles(root, ["a.ts"], { cache });
    for (const key of texts.keys()) texts.set(key, "{");
    expect(datasetNames(await loadFiles(root, ["a.ts"], { cache }))).toEqual(["main.shop.x"]);
    expect(await errorsOf(root, loadFiles(root, ["bad.ts"], { cache }))).toEqual([
      "DEFINITIONS_FILE_FAILED bad.ts:1:7",
    ]);
    expect(written()).toBe(2);
  });
});
