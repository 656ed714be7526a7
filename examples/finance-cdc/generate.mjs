// Makes the data of the example, about so many lines of accounting, and half as many changes in the day that follows:
// node examples/finance-cdc/generate.mjs [10000]
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ingot = fileURLToPath(new URL("../../packages/ingot/bin/ingot.js", import.meta.url));
const data = fileURLToPath(new URL("data", import.meta.url));
const lines = process.argv[2] ?? "10000";

rmSync(data, { recursive: true, force: true });
// Seven years of history before 2025-01-01, then a day in hours, with every kind of fault. Of the changes in all tables
// these four have a good third.
const changes = Math.ceil(Number(lines) * 1.39);
const options = ["--scale", lines, "--history", "2557", "--changes-per-day", String(changes), "--faults", "default"];
const { status } = spawnSync(
  process.execPath,
  [ingot, "sap", "generate", "--tables", "BKPF,BSEG,EKKO,EKPO", "--out", data, ...options],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
