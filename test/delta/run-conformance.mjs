// Builds the comparison from its sources and runs it: `npm run conformance:delta -- DIR EXPECTED.json`.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const outfile = fileURLToPath(new URL("../../node_modules/.cache/conformance-delta.mjs", import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL("conformance.ts", import.meta.url))],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  conditions: ["source"],
  external: ["@duckdb/node-api", "hyparquet"],
});
try {
  await import(outfile);
} finally {
  rmSync(outfile, { force: true });
}
