// Builds both packages into their dist/: JavaScript by esbuild (milliseconds), type declarations by tsc (seconds).
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const common = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
};

export async function buildJavaScript() {
  for (const name of ["delta", "ingot"])
    rmSync(`${root}packages/${name}/dist/chunks`, { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: ["packages/delta/src/index.ts"],
    outdir: "packages/delta/dist",
    // What is loaded on demand, as the readers of Parquet, must not be loaded with the rest.
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    packages: "external",
  });
  await build({
    ...common,
    entryPoints: {
      cli: "packages/ingot/src/cli/entry.ts",
      index: "packages/ingot/src/public/index.ts",
      sap: "packages/ingot/src/public/sap.ts",
      testing: "packages/ingot/src/public/testing.ts",
    },
    outdir: "packages/ingot/dist",
    // Entries share chunks, so that there is one definition API in a process; commands load theirs when called.
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    packages: "external",
  });
}

export function buildTypes() {
  for (const name of ["delta", "ingot"]) {
    removeTypes(`${root}packages/${name}/dist`);
    const args = ["node_modules/typescript/bin/tsc", "-p", `packages/${name}/tsconfig.build.json`];
    execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  }
}

/** Declarations of files that were moved or deleted must not be published. */
function removeTypes(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) removeTypes(path);
    else if (/\.d\.ts(\.map)?$/.test(entry.name)) rmSync(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildJavaScript();
  buildTypes();
}
