// npm start: from a fresh clone to the tables of examples/order-to-cash.
import { ensureInstalled, root, run } from "./install.mjs";

ensureInstalled();
const { buildJavaScript } = await import("./build.mjs");
await buildJavaScript();

const PROJECT = "examples/order-to-cash";
const ingot = (...args) => run(process.execPath, [`${root}packages/ingot/bin/ingot.js`, ...args]);
ingot("run", "--project", PROJECT);
// Another domain, which reads the silver table of the first and owns its gold alone.
ingot("run", "--project", `${PROJECT}/deliveries`);
console.log();
ingot(
  "query",
  `SELECT client, sales_order, item, material_text, delivery_date_ts, order_status
  FROM gold_sd_open_order_tracker WHERE order_status = 'OPEN' ORDER BY delivery_date_ts, client, sales_order, item LIMIT 8`,
  "--project",
  PROJECT,
);
ingot("show", "gold_sd_customer_backlog", "--project", PROJECT);
console.log();
console.log(`The tables lie in ${PROJECT}/storage/warehouse, one Delta Lake folder each; any Delta reader opens them.

Try next:
  npx ingot query "SELECT * FROM gold_sd_fulfilment WHERE to_deliver > 0" --project ${PROJECT}
  npx ingot run --project ${PROJECT}        # reads only new files: put one into ${PROJECT}/landing/cdc first
  npx ingot run --explain --project ${PROJECT}    # the plain SQL that its calls stand for
  npx ingot run --project examples/shop     # the smallest example
  npx ingot init my_project                 # a project of your own`);
