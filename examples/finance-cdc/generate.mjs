// Makes the data of the example, about so many lines of accounting: node examples/finance-cdc/generate.mjs [10000]
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ingot = fileURLToPath(new URL("../../packages/ingot/bin/ingot.js", import.meta.url));
const data = fileURLToPath(new URL("data", import.meta.url));
const lines = process.argv[2] ?? "10000";

rmSync(data, { recursive: true, force: true });
// Seven years of history before 2025-01-01, then a day in hours, with every kind of fault.
const options = ["--out", data, "--scale", lines, "--history", "2557", "--faults", "default"];
const { status } = spawnSync(
  process.execPath,
  [ingot, "sap", "generate", "--tables", "BKPF,BSEG,EKKO,EKPO", ...options],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
