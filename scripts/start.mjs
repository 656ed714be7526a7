// npm start: from a fresh clone to the tables of examples/shop.
import { ensureInstalled, root, run } from "./install.mjs";

ensureInstalled();
const { buildJavaScript } = await import("./build.mjs");
await buildJavaScript();

const ingot = (...args) => run(process.execPath, [`${root}packages/ingot/bin/ingot.js`, ...args]);
ingot("run", "--project", "examples/shop");
console.log();
ingot("show", "--project", "examples/shop");
run(process.execPath, [`${root}examples/shop/check.mjs`]);
console.log();
console.log(`The tables lie in examples/shop/storage/warehouse, one Delta Lake folder each; any Delta reader opens them.

Try next:
  npx ingot query "SELECT * FROM customer_spend" --project examples/shop
  npx ingot run --project examples/shop        # reads only new files: put one into examples/shop/landing first
  npx ingot dry-run --project examples/shop    # what a run would do, and why
  npx ingot init my_project                    # a project of your own`);
