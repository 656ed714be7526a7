import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { temporaryFolder } from "./test-log.js";
import { runCommand } from "./test-process.js";

const PACKAGE = join(import.meta.dirname, "../..");

/** The blocks of the README are one program, which prints what its comments say. */
it("the README's examples run and print what they say", async () => {
  const folder = await temporaryFolder();
  const readme = await readFile(join(PACKAGE, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? "");
  expect(blocks.length).toBeGreaterThan(4);
  await build({
    stdin: {
      contents: blocks.join("\n").replace('"data/orders"', JSON.stringify(join(folder, "orders"))),
      loader: "ts",
      resolveDir: PACKAGE,
    },
    alias: { "@ingot/delta": join(PACKAGE, "src/index.ts") },
    outfile: join(folder, "readme.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  await symlink(join(PACKAGE, "../../node_modules"), join(folder, "node_modules"));

  expect((await runCommand(process.execPath, [join(folder, "readme.mjs")])).trim().split("\n")).toEqual([
    "2n { inserted: 1, updated: 1, deleted: 0, copied: 0 }",
    ...["1n", "2n", "3n"],
    "1",
    "2n update_preimage 2n open",
    "2n update_postimage 2n paid",
    "2n insert 3n open",
    "[]",
  ]);
});
