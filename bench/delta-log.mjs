// The log of a large table: a snapshot of 100,000 files from a checkpoint, as it is and with its files pruned by a column
// (which reads all statistics), the checkpoint itself, a snapshot of 10,000 commits without one. Each file has the
// statistics of 32 columns of an accounting document, about 1.5 kB. Prints JSON.
//   node bench/delta-log.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { machine, median, root } from "./measure.mjs";

const FILES = 100_000;
const COMMITS = 10_000;
const RUNS = 5;

const KINDS = {
  key: ["string", (seed) => [String(seed % 9e9).padStart(10, "0"), String((seed % 9e9) + 4321).padStart(10, "0")]],
  code: ["string", (seed) => [`A${seed % 97}`, `Z${seed % 89}`]],
  text: ["string", (seed) => [`Rechnung ${seed % 1e6}`, `Zahlung Müller & Co ${seed % 1e5}`]],
  amount: ["decimal(23,2)", (seed) => [-(seed % 1e8) / 100, (seed % 9e9) / 100]],
  day: ["date", (seed) => [`2024-0${1 + (seed % 9)}-1${seed % 10}`, `2025-1${seed % 3}-2${seed % 8}`]],
  time: ["timestamp", (seed) => [`2024-05-0${1 + (seed % 9)}T10:00:00.123Z`, `2024-06-1${seed % 9}T11:12:13.456Z`]],
  count: ["long", (seed) => [seed % 1000, seed]],
};

/** Named as in BSEG. */
const COLUMNS = Object.entries({
  key: "BELNR HKONT KUNNR LIFNR AUGBL MATNR AUFNR",
  code: "MANDT BUKRS GJAHR BUZEI WAERS MWSKZ SHKZG GSBER KOSTL WERKS MEINS BSCHL KOART UMSKZ",
  amount: "DMBTR WRBTR MENGE",
  day: "BUDAT BLDAT AUGDT CPUDT",
  text: "SGTXT ZUONR",
  time: "CHG_TS",
  count: "CHG_SEQ XREF1 XREF2 PRCTR SEGMENT VBELN POSNR",
}).flatMap(([kind, names]) =>
  names.split(" ").map((name) => ({
    field: { name, type: KINDS[kind][0], nullable: true, metadata: {} },
    bounds: KINDS[kind][1],
  })),
);

// Within the package, so that what stays outside the bundle is found.
const folder = mkdtempSync(join(root, "packages/delta/.bench-"));
const tables = mkdtempSync(join(tmpdir(), "ingot-bench-"));
try {
  const library = join(folder, "library.mjs");
  const from = (path) => `export * from "${root}packages/delta/src/${path}";`;
  const parts = ["log/commit-file", "log/log-files", "snapshot/snapshot", "snapshot/write-checkpoint", "files/prune"];
  await build({
    stdin: {
      contents: [...parts, "store/local-store"].map((path) => from(`${path}.ts`)).join("\n"),
      resolveDir: root,
      loader: "ts",
    },
    outfile: library,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  const { commitPath, formatCommit } = await import(library);

  const large = join(tables, "files");
  writeTable(large, 100, FILES / 100, commitPath, formatCommit);
  const long = join(tables, "commits");
  writeTable(long, COMMITS, 1, commitPath, formatCommit);

  const write = run(library, `await writeCheckpoint(localStore, ${JSON.stringify(large)})`, 1);
  const checkpoint = join(large, "_delta_log", "00000000000000000099.checkpoint.parquet");
  // The newest commit stays, as after a clean-up of the log.
  for (const name of readdirSync(join(large, "_delta_log")))
    if (/^0*\d{1,2}\.json$/.test(name) && !name.endsWith("99.json")) rmSync(join(large, "_delta_log", name));
  const result = {
    bench: "delta-log",
    machine: machine(),
    write_checkpoint_100000_files: { ...write, megabytes: megabytes(checkpoint) },
    snapshot_100000_files: { goal_s: 1, ...run(library, `await readSnapshot(localStore, ${JSON.stringify(large)})`) },
    snapshot_100000_files_pruned: run(
      library,
      `await readSnapshot(localStore, ${JSON.stringify(large)}).then((snapshot) => {
        const condition = { kind: "compare", column: ["BUDAT"], operator: ">=", value: "2025-12-01" };
        return { files: snapshot.files.filter(mayMatch(condition, snapshot)) };
      })`,
    ),
    snapshot_10000_commits: { goal_s: 3, ...run(library, `await readSnapshot(localStore, ${JSON.stringify(long)})`) },
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(tables, { recursive: true, force: true });
}

/** Measures a statement within a new process each time, so that neither memory nor compiled code is warm. */
function run(library, statement, runs = RUNS) {
  const program = `
    import { localStore, mayMatch, readSnapshot, writeCheckpoint } from ${JSON.stringify(library)};
    const [cpu, start] = [process.cpuUsage(), performance.now()];
    const made = ${statement};
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    const files = made.files?.length ?? made.numOfAddFiles;
    console.log(JSON.stringify({ wall: wall / 1e3, cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024, files }));`;
  const results = Array.from({ length: runs }, () =>
    JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })),
  );
  const of = (key) => Number(median(results.map((result) => result[key])).toFixed(3));
  return { wall_s: of("wall"), cpu_s: of("cpu"), peak_mib: Math.round(of("memory")), files: of("files"), runs };
}

function megabytes(path) {
  return Number((statSync(path).size / 1e6).toFixed(1));
}

function writeTable(table, commits, filesPerCommit, commitPath, formatCommit) {
  mkdirSync(join(table, "_delta_log"), { recursive: true });
  for (let version = 0; version < commits; version++) {
    const start = [
      { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
      {
        metaData: {
          id: "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
          format: { provider: "parquet", options: {} },
          schemaString: JSON.stringify({ type: "struct", fields: COLUMNS.map(({ field }) => field) }),
          partitionColumns: [],
          configuration: {},
        },
      },
    ];
    const adds = Array.from({ length: filesPerCommit }, (_, i) => addOf(version * filesPerCommit + i));
    const commitInfo = { timestamp: 1_700_000_000_000 + version, operation: "WRITE" };
    writeFileSync(
      commitPath(table, BigInt(version)),
      formatCommit([{ commitInfo }, ...(version === 0 ? start : []), ...adds]),
    );
  }
}

function addOf(number) {
  const id = Math.imul(number + 1, 2_654_435_761) >>> 0;
  const uri = `part-${String(number).padStart(5, "0")}-${id.toString(16).padStart(8, "0")}-7c9e-4f3a-b2d1-c0ffee${id.toString(16).padStart(8, "0").slice(2)}.zstd.parquet`;
  return {
    add: {
      path: uri,
      uri,
      partitionValues: {},
      size: 20_000_000 + (id % 5_000_000),
      modificationTime: 1_700_000_000_000 + number,
      dataChange: true,
      stats: statsOf(number),
    },
  };
}

/** 38 columns, of which the first 32 have statistics, in the types of an accounting document. */
function statsOf(number) {
  const [minValues, maxValues, nullCount] = [{}, {}, {}];
  COLUMNS.slice(0, 32).forEach(({ field, bounds }, place) => {
    const seed = Math.imul(number * 131 + place * 7 + 1, 2_654_435_761) >>> 0;
    [minValues[field.name], maxValues[field.name]] = bounds(seed);
    nullCount[field.name] = seed % 3 === 0 ? seed % 500_000 : 0;
  });
  return JSON.stringify({ numRecords: 480_000 + (number % 40_000), minValues, maxValues, nullCount });
}
