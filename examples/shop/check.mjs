// Checks the shop's tables as a user would, whatever files were put into landing/: node examples/shop/check.mjs
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ingot = fileURLToPath(new URL("../../packages/ingot/bin/ingot.js", import.meta.url));
const project = process.argv[2] ?? fileURLToPath(new URL(".", import.meta.url));

function query(sql) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [ingot, "query", sql, "--json", "--project", project],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr || stdout);
  return JSON.parse(stdout).rows[0];
}

const CHECKS = [
  {
    says: "every line of every file is an order or in quarantine, and in one of the two",
    sql: `SELECT (SELECT count(*) FROM bronze_orders) AS wanted,
      (SELECT count(*) FROM bronze_orders WHERE _bad IS NULL) + (SELECT count(*) FROM orders_quarantine) AS found`,
  },
  {
    says: "every order is there once",
    sql: `SELECT (SELECT count(DISTINCT order_id) FROM bronze_orders WHERE _bad IS NULL) AS wanted, count(*) AS found
      FROM orders`,
  },
  {
    says: "what customers have spent is the sum of their orders",
    sql: `SELECT (SELECT sum(amount) FROM orders WHERE status != 'cancelled') AS wanted, sum(spend) AS found
      FROM customer_spend`,
  },
  {
    says: "the event log has counted each line that was set aside",
    sql: `SELECT (SELECT count(*) FROM orders_quarantine) AS wanted, max_by(quarantined, timestamp) AS found
      FROM (
        SELECT timestamp, details:flow_progress.data_quality.quarantined_records AS quarantined
        FROM event_log
        WHERE details:flow_progress.data_quality IS NOT NULL)`,
  },
];

const say = (text) => process.stdout.write(`${text}\n`);
let failed = 0;
for (const { says, sql } of CHECKS) {
  const { wanted, found } = query(sql);
  const isRight = String(wanted) === String(found);
  if (!isRight) failed += 1;
  say(`${isRight ? "✔" : "✖"} ${says}${isRight ? ` (${found})` : `: ${found}, not ${wanted}`}`);
}
say(failed === 0 ? "built, and checked" : `${failed} of ${CHECKS.length} checks failed`);
process.exitCode = failed === 0 ? 0 : 1;
