// Ingot on Spark 4.2 with Delta, local[2], in one server: what Ingot adds to the calls that it sends, jobs and commits of
// each kind of flow, and the hourly batch beside plain statements and beside the embedded engine.
//   node bench/spark.mjs [--companies 2] [--batches 4] [--kinds]
// A company has 250,000 rows and 10,400 changes an hour. --kinds: the kinds of flows alone.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { INGOT, machine, median, root } from "./measure.mjs";
import { bundle, runStep } from "./worker.mjs";

const { values } = parseArgs({
  options: {
    companies: { type: "string", default: "2" },
    batches: { type: "string", default: "4" },
    kinds: { type: "boolean", default: false },
  },
});
const companies = Number(values.companies);
/** Of a company in a year, as in bench/hourly.mjs. */
const DOCUMENTS = 6250;
const SPEC = "name: bench\nstorage: storage\nlibraries:\n  - glob: {include: transformations/**}\n";
const folder = mkdtempSync(join(tmpdir(), "ingot-bench-spark-"));
const landing = join(folder, "landing");
const { Bench, plainStatements } = await import(
  await bundle("bench/spark-worker.ts", `${root}test/interop/spark-server.ts`)
);
const events = join(folder, "events");
mkdirSync(events);
const bench = await Bench.start(events);

try {
  const load = machine();
  const kinds = await measureKinds();
  const hourly = values.kinds ? undefined : await measureHourly();
  console.log(JSON.stringify({ bench: "spark", machine: load, ...hourly, kinds }));
} finally {
  await bench.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The third batch of one flow of each kind, alone, with what is in the table before. */
async function measureKinds() {
  const read = `read_files('../items', format => 'csv', header => true, enforceSchema => false,
    schema => 'id BIGINT, name STRING, amount DECIMAL(10,2), op STRING, seq BIGINT')`;
  const rules = "(CONSTRAINT a EXPECT (id > 0), CONSTRAINT b EXPECT (amount > 1) ON VIOLATION QUARANTINE ROW)";
  const view = `CREATE TEMPORARY VIEW v ${rules} AS SELECT * FROM STREAM ${read};`;
  const changes = (more) => `KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (op)${more}`;
  const flows = {
    "append of files": `CREATE STREAMING TABLE t AS SELECT * FROM STREAM ${read};`,
    "append of files with rules": `CREATE STREAMING TABLE t ${rules} AS SELECT * FROM STREAM ${read};`,
    "materialized view": `CREATE MATERIALIZED VIEW t AS SELECT op, count(*) AS n FROM ${read} GROUP BY op;`,
    "AUTO CDC, type 1": `CREATE STREAMING TABLE t; CREATE FLOW f AS AUTO CDC INTO t FROM STREAM ${read} ${changes("")};`,
    "AUTO CDC, type 2": `CREATE STREAMING TABLE t; CREATE FLOW f AS AUTO CDC INTO t FROM STREAM ${read} ${changes(" STORED AS SCD TYPE 2")};`,
    "AUTO CDC, type 1, of a view with rules": `${view} CREATE STREAMING TABLE t; CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(v) ${changes("")};`,
    "AUTO CDC, type 2, of a view with rules": `${view} CREATE STREAMING TABLE t; CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(v) ${changes(" STORED AS SCD TYPE 2")};`,
    "REPLACE USING": `CREATE STREAMING TABLE t FLOW REPLACE USING (id) SEQUENCE BY seq BY NAME SELECT * FROM STREAM ${read};`,
  };
  mkdirSync(join(folder, "items"));
  for (const [i, name] of Object.keys(flows).entries()) writeProject(`kind-${i}`, flows[name]);
  const measured = {};
  for (let batch = 0; batch < 3; batch++) {
    const rows = Array.from(
      { length: 50 },
      (_, i) => `${i + 25 * batch},n${i},${i}.50,${i % 9 === 0 ? "D" : "U"},${batch}`,
    );
    writeFileSync(join(folder, `items/${batch}.csv`), `id,name,amount,op,seq\n${rows.join("\n")}\n`);
    for (const [i, name] of Object.keys(flows).entries()) {
      const project = join(folder, `kind-${i}`);
      const before = commitsBelow(project);
      const { jobs, wall_s, calls } = await bench.ingot(project, "run");
      measured[name] = { jobs, commits: commitsBelow(project) - before, calls, wall_s };
    }
  }
  return measured;
}

async function measureHourly() {
  const worker = await bundle("bench/hourly-worker.ts");
  const files = runStep(worker, "initial", landing, { documents: DOCUMENTS, companies }).files;
  for (const engine of ["spark", "embedded"])
    writeProject(engine, readFileSync(`${root}bench/hourly.sql`, "utf8").replace("'landing'", "'../landing'"));
  const hand = plainStatements(join(folder, "hand"));
  const session = await bench.session();
  const initial = {
    spark: await bench.ingot(join(folder, "spark"), "run"),
    by_hand: await bench.byHand(session, hand.initial(files)),
    embedded: runEmbedded(),
  };
  const batches = [];
  let changes = 0;
  for (let batch = 0; batch < Number(values.batches); batch++) {
    const file = join(landing, `batch-${batch}.parquet`);
    changes = runStep(worker, "batch", file, { documents: DOCUMENTS, batch, scattered: true, companies }).rows;
    batches.push({
      spark: await bench.ingot(join(folder, "spark"), "run"),
      by_hand: await bench.byHand(session, hand.batch(file)),
      embedded: runEmbedded(),
    });
  }
  await session.close();
  const of = (name, figure) => round(median(batches.map((batch) => batch[name][figure])));
  const own = batches.map(({ spark }) => spark.wall_s / spark.spark_s - 1);
  return {
    rows: DOCUMENTS * 40 * companies,
    changes,
    initial,
    batches,
    median: {
      spark_wall_s: of("spark", "wall_s"),
      by_hand_wall_s: of("by_hand", "wall_s"),
      embedded_wall_s: of("embedded", "wall_s"),
      spark_server_cpu_s: of("spark", "server_cpu_s"),
      by_hand_server_cpu_s: of("by_hand", "server_cpu_s"),
    },
    /** Share that Ingot's own work adds to the time of the calls that it sends. */
    overhead: round(median(own)),
  };
}

function writeProject(name, sql) {
  mkdirSync(join(folder, name, "transformations"), { recursive: true });
  writeFileSync(join(folder, name, "ingot.yml"), SPEC);
  writeFileSync(join(folder, name, "transformations/all.sql"), sql);
}

/** One `ingot run` of the embedded engine, as a user starts it. */
function runEmbedded() {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [INGOT, "run"], {
    cwd: join(folder, "embedded"),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`ingot run ended with ${status}: ${stderr}`);
  return { wall_s: round((performance.now() - started) / 1000) };
}

/** Of all tables that a project has, side tables and quarantines included. */
function commitsBelow(project) {
  return readdirSync(project, { recursive: true }).filter(
    (path) => /_delta_log\/\d{20}\.json$/.test(path) && !path.includes("event_log/"),
  ).length;
}

function round(value) {
  return Number(value.toFixed(2));
}
