// npm test: every check of the repository, one after the other; all run, whatever fails. The last line counts them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled, root, run } from "./install.mjs";

ensureInstalled();
run(process.execPath, ["scripts/build.mjs"]);

const CHECKS = [
  ["format and lint", "@biomejs/biome/bin/biome", ["check", "."]],
  ["types", "typescript/bin/tsc", ["-p", "tsconfig.json"]],
  ["boundaries", "dependency-cruiser/bin/dependency-cruise.mjs", ["--config", ".dependency-cruiser.cjs", "packages"]],
  ["dead code", "knip/bin/knip.js", []],
];
let passed = 0;
let failed = 0;
for (const [name, program, args] of CHECKS) {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${program}`, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  console.log(`${status === 0 ? "✔" : "✖"} ${name}`);
  if (status === 0) passed += 1;
  else failed += 1;
}

const folder = mkdtempSync(join(tmpdir(), "ingot-test-"));
const file = join(folder, "report.json");
const vitest = [
  `${root}node_modules/vitest/vitest.mjs`,
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${file}`,
];
const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
const skipped = { peers: 0, tables: 0 };
if (existsSync(file)) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const test of report.testResults.flatMap((result) => result.assertionResults)) {
    if (test.status === "passed" || test.status === "failed") continue;
    // Titles say what is missing: `[no spark: …]`, `[no unshare …]`; the rest waits for the public tables.
    skipped[/\[no /.test(test.fullName) ? "peers" : "tables"] += 1;
  }
  // A file that cannot be loaded has no tests to count.
  if (status !== 0 && report.numFailedTests === 0) failed += 1;
} else failed += 1;
rmSync(folder, { recursive: true, force: true });

if (skipped.tables > 0)
  console.log(`${skipped.tables} tests left out: the public Delta tables are not beside the repository`);
if (skipped.peers > 0)
  console.log(`${skipped.peers} tests left out: a program that they compare with is missing (their titles say which)`);
const left = skipped.tables + skipped.peers;
console.log(`${passed} passed, ${failed} failed${left === 0 ? "" : `, ${left} skipped`}`);
process.exit(failed === 0 ? 0 : 1);
