// The translator: its start, milliseconds a query over all fixtures, and TPC-H through it beside the same queries as
// DuckDB's own SQL; the ratio of their times is the price of Spark's exactness. Prints JSON.
//   node bench/sql.mjs [--sf=1] [--runs=3]
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installOnce } from "../scripts/peers.mjs";
import { flag, machine, median, root } from "./measure.mjs";
import { bundle, runStep } from "./worker.mjs";

const scaleFactor = Number(flag("sf", 1));
const runs = Number(flag("runs", 3));

/** DuckDB with the generator of TPC-H's tables. */
const PACKAGES = ["duckdb==1.5.5", "duckdb-extension-tpch==1.5.5"];

const folder = mkdtempSync(join(tmpdir(), "ingot-bench-"));
try {
  const worker = await bundle("bench/sql-worker.ts");
  const start = Array.from({ length: 7 }, () => runStep(worker, "start", ""));
  const result = {
    bench: "sql",
    machine: machine(),
    start: {
      goal_s: 0.3,
      translator_s: median(start.map((s) => s.translator_s)),
      session_s: median(start.map((s) => s.session_s)),
    },
    translation: { goal_ms: 5, ...runStep(worker, "translate", `${root}test/fixtures/sql`) },
    tpch: { goal_ratio: 1.15, scale_factor: scaleFactor, ...(await tpch(worker)) },
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tpch(worker) {
  const home = await installOnce("tpch", PACKAGES.join("\n"), async (draft) => {
    execFileSync("python3", ["-m", "venv", draft]);
    execFileSync(join(draft, "bin/python"), ["-m", "pip", "install", "--no-input", "--quiet", ...PACKAGES]);
  });
  execFileSync(join(home, "bin/python"), [`${root}bench/tpch_data.py`, folder, String(scaleFactor)]);
  return runStep(worker, "tpch", folder, { runs });
}
