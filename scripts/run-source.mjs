// Runs a TypeScript file of the repository from its sources: node scripts/run-source.mjs FILE [ARGUMENT …].
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** A bundle is one file, and each source finds what lies beside it by the place that it had. */
const keepUrls = {
  name: "keep-urls",
  setup({ onLoad }) {
    onLoad({ filter: /\.m?[jt]s$/ }, ({ path }) => {
      if (path.includes("node_modules")) return undefined;
      const contents = readFileSync(path, "utf8").replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href),
      );
      return { contents, loader: path.endsWith("ts") ? "ts" : "js" };
    });
  },
};

const [, , entry = ""] = process.argv;
// Within the repository, so that packages are found.
const folder = mkdtempSync(fileURLToPath(new URL("../node_modules/.run-source-", import.meta.url)));
const outfile = join(folder, "bundle.mjs");
try {
  await build({
    entryPoints: [resolve(entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    external: ["@duckdb/node-api", "hyparquet"],
    plugins: [keepUrls],
    logLevel: "error",
  });
  process.argv.splice(1, 1);
  await import(pathToFileURL(outfile).href);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
