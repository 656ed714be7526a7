// The tutorial pipeline, whole process: cold, unchanged, --help, a dry run of 200 datasets; with `--spark` the same
// tutorial on Spark 4.2 in the same run. Prints JSON.
//   node bench/tutorial.mjs [--spark]
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { INGOT, machine, measure, root } from "./measure.mjs";

const folder = mkdtempSync(join(tmpdir(), "ingot-bench-"));
const shop = join(folder, "shop");
cpSync(`${root}examples/shop`, shop, { recursive: true, filter: (path) => !path.includes("/storage") });
const forget = () => rmSync(join(shop, "storage"), { recursive: true, force: true });

const result = {
  bench: "tutorial",
  machine: machine(),
  floor: {
    node: measure(["-e", "0"]),
    node_and_duckdb: measure([
      "--input-type=module",
      "-e",
      'import { DuckDBInstance } from "@duckdb/node-api"; await (await DuckDBInstance.create(":memory:")).connect();',
    ]),
  },
  tutorial_cold: measure([INGOT, "run", "--project", shop], { before: forget }),
  tutorial_unchanged: measure([INGOT, "run", "--project", shop]),
  help: measure([INGOT, "--help"]),
  dry_run_200_datasets: dryRun200(),
  ...(process.argv.includes("--spark") ? { spark: await spark() } : {}),
};
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(result, null, 2));

/** 100 streaming tables in a loop of TypeScript, 100 materialized views in SQL; without and with a warm cache. */
function dryRun200() {
  const project = join(folder, "wide");
  mkdirSync(join(project, "transformations"), { recursive: true });
  mkdirSync(join(project, "landing"));
  writeFileSync(
    join(project, "ingot.yml"),
    "name: wide\nstorage: storage\nlibraries:\n  - glob: {include: transformations/**}\n",
  );
  writeFileSync(
    join(project, "transformations/bronze.ts"),
    `import { readFiles, sql, table } from "ingot";
for (let i = 0; i < 100; i++) {
  const files = readFiles("landing", { format: "csv", header: true, schema: "id BIGINT, name STRING, amount DECIMAL(10,2)", pathGlobFilter: \`t\${i}_*.csv\` });
  table(\`bronze_\${i}\`, sql\`SELECT *, _metadata.file_name AS source_file FROM STREAM \${files}\`);
}
`,
  );
  const views = Array.from(
    { length: 100 },
    (_, i) =>
      `CREATE MATERIALIZED VIEW gold_${i} AS SELECT name, count(*) AS n, sum(amount) AS total FROM bronze_${i} WHERE id > ${i} GROUP BY name;`,
  );
  writeFileSync(join(project, "transformations/gold.sql"), views.join("\n"));
  const args = [INGOT, "dry-run", "--project", project];
  const cold = measure(args, { before: () => rmSync(join(project, "storage"), { recursive: true, force: true }) });
  return { cold, warm_cache: measure(args) };
}

async function spark() {
  const outfile = join(folder, "spark.mjs");
  await build({
    entryPoints: [`${root}test/interop/spark-tutorial.ts`],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "warning",
    external: ["vitest"],
    define: { "import.meta.url": JSON.stringify(`file://${root}test/interop/spark-tutorial.ts`) },
  });
  const { timeTutorialOnSpark } = await import(outfile);
  return timeTutorialOnSpark();
}
