// Checks the tables against the generator's truth, and its faults kind by kind: node examples/finance-cdc/check.mjs [PROJECT]
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ingot = fileURLToPath(new URL("../../packages/ingot/bin/ingot.js", import.meta.url));
const project = process.argv[2] ?? fileURLToPath(new URL(".", import.meta.url));

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ingot, ...args, "--json", "--project", project], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr || stdout);
  return JSON.parse(stdout);
}

let failed = 0;
function say(isRight, text) {
  if (!isRight) failed += 1;
  process.stdout.write(`${isRight ? "✔" : "✖"} ${text}\n`);
}

/** Columns of silver that are compared, and how the texts of the truth are read. */
const COMPARED = {
  bkpf: "mandt, bukrs, belnr, gjahr, monat, waers, hwaer; sap_posting_date(budat)",
  bseg: "mandt, bukrs, belnr, gjahr, buzei, shkzg, hkont, sgtxt; sap_number(dmbtr, 15, 2); sap_number(wrbtr, 15, 2)",
  ekko: "mandt, ebeln, lifnr, waers; sap_date(bedat)",
  ekpo: "mandt, ebeln, ebelp, matnr, loekz, elikz; sap_number(netwr, 13, 2); sap_number(menge, 13, 3)",
};
for (const [table, compared] of Object.entries(COMPARED)) {
  const [texts, ...values] = compared.split("; ");
  const silver = `SELECT ${[texts, ...values.map((value) => value.match(/\((\w+)/)[1])].join(", ")} FROM silver_sap.${table}`;
  const file = `read_files('data/truth/${table.toUpperCase()}.csv', format => 'csv', header => true)`;
  const truth = `SELECT ${[texts, ...values].join(", ")} FROM ${file}`;
  const [{ rows, more, less }] = run(
    "query",
    `SELECT (SELECT count(*) FROM silver_sap.${table}) AS rows,
      (SELECT count(*) FROM (${silver} EXCEPT ALL ${truth})) AS more,
      (SELECT count(*) FROM (${truth} EXCEPT ALL ${silver})) AS less`,
  ).rows;
  say(
    more === "0" && less === "0",
    `silver_sap.${table}: ${rows} rows; ${more} that the truth has not, ${less} that it lacks`,
  );
}

const faults = readFileSync(join(project, "data/faults.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));
const found = new Map();
for (const { table, groups } of run("quarantine", "list").quarantines)
  for (const { status, rows } of groups) {
    const key = `${table.match(/(\w+)_quarantine$/)[1].toUpperCase()} ${status}`;
    found.set(key, (found.get(key) ?? 0) + Number(rows));
  }
const wanted = new Map();
const kinds = new Map();
for (const { kind, table, reason, expected } of faults) {
  kinds.set(kind, { expected, count: (kinds.get(kind)?.count ?? 0) + 1 });
  if (reason !== undefined) wanted.set(`${table} ${reason}`, (wanted.get(`${table} ${reason}`) ?? 0) + 1);
}
for (const key of [...new Set([...wanted.keys(), ...found.keys()])].sort()) {
  const [want, have] = [wanted.get(key) ?? 0, found.get(key) ?? 0];
  say(want === have, `quarantine ${key}: ${have} of ${want}`);
}
for (const [kind, { count, expected }] of [...kinds].sort())
  process.stdout.write(`  ${kind}: ${count} (${expected})\n`);
process.stdout.write(failed === 0 ? "every fault came out as it should\n" : `${failed} checks failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
