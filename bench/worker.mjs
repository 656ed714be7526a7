// Runs a step of a benchmark in a process of its own, so that its memory and CPU seconds are its own.
import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "./measure.mjs";

/**
 * Bundles a TypeScript file of the benchmarks.
 *
 * @param {string} entry from the root of the repository
 * @param {string} [url] what `import.meta.url` is within
 * @returns {Promise<string>} path of the bundle
 */
export async function bundle(entry, url) {
  const outdir = join(root, "node_modules/.cache/ingot-bench");
  await build({
    entryPoints: [`${root}${entry}`],
    bundle: true,
    // What is imported later is loaded later.
    splitting: true,
    format: "esm",
    platform: "node",
    conditions: ["source"],
    // What is no ES module, or loads files of its own.
    external: [
      "@duckdb/node-api",
      "commander",
      "esbuild",
      "picocolors",
      "tinyglobby",
      "yaml",
      "hyparquet",
      "hyparquet-writer",
      "fzstd",
    ],
    outdir,
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
    ...(url === undefined ? {} : { define: { "import.meta.url": JSON.stringify(`file://${url}`) } }),
  });
  return join(outdir, `${basename(entry, ".ts")}.mjs`);
}

/** What a step of a bundled worker prints, as a value. */
export function runStep(worker, step, path, options = {}, env = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [worker, step, path, JSON.stringify(options)], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${step} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
