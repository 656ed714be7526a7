import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { TableComparison } from "../../packages/ingot/src/parity/compare-tables.js";
import { ingot, rows, run, SPEC, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";

const describe = await describeWith("spark");
const SHOP = fileURLToPath(new URL("../../examples/shop", import.meta.url));

/** A table of changes in batches; what is left after each. */
const CHANGES = {
  "ingot.yml": SPEC,
  "transformations/a.sql": `
CREATE STREAMING TABLE changes AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'id BIGINT, name STRING, amount DECIMAL(10,2), op STRING, seq BIGINT');
CREATE STREAMING TABLE state CLUSTER BY (id);
CREATE FLOW apply AS AUTO CDC INTO state FROM STREAM(changes) KEYS (id)
APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (op);
CREATE MATERIALIZED VIEW total CLUSTER BY (n) AS SELECT count(*) AS n, sum(amount) AS amount FROM state;`,
};
const BATCHES = [
  { events: "1,a,10.00,I,1\n2,b,20.00,I,2\n3,c,30.00,I,3\n", total: { n: "3", amount: "60.00" } },
  // A delete, an update, an event that is older than what is there.
  { events: "2,,,D,5\n1,a,11.00,U,6\n3,c,99.00,U,2\n", total: { n: "2", amount: "41.00" } },
  // An event that is older than the delete, the key once more, another delete.
  { events: "2,b,21.00,U,4\n2,d,22.00,I,7\n3,,,D,8\n", total: { n: "2", amount: "33.00" } },
];

describe("ingot parity", () => {
  let server: SparkServer;
  let cwd: string;
  beforeAll(async () => {
    server = await startSparkServer();
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), "ingot-parity-"));
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  async function parity(...args: readonly string[]) {
    const { code, stdout, stderr } = await ingot(["parity", "--remote", server.remote, "--json", ...args], { cwd });
    const { tables }: { tables: readonly TableComparison[] } = code > 1 ? { tables: [] } : JSON.parse(stdout);
    const compared = tables.map(({ name, equal, left, right }) => [name, equal, left?.rows, right?.rows]);
    return { code, rows: compared, tables, told: `${stdout}${stderr}` };
  }

  it("finds the shop's tables equal day after day, but for the clock", async () => {
    cpSync(join(SHOP, "transformations"), join(cwd, "transformations"), { recursive: true });
    cpSync(join(SHOP, "ingot.yml"), join(cwd, "ingot.yml"));
    mkdirSync(join(cwd, "landing"));
    const days = readdirSync(join(SHOP, "landing")).sort();
    // Lines of the files so far; orders whose newest line can be read; customers with an order that is not cancelled.
    const expected = [
      [3, 2, 2],
      [5, 3, 2],
      [8, 4, 3],
    ];
    for (const [i, day] of days.entries()) {
      const [lines, orders, customers] = expected[i] ?? [];
      cpSync(join(SHOP, "landing", day), join(cwd, "landing", day));
      const { code, rows: compared, told } = await parity("--ignore", "loaded_at");
      expect([code, compared], told).toEqual([
        0,
        [
          ["bronze_orders", true, lines, lines],
          ["orders_quarantine", true, 1, 1],
          ["orders", true, orders, orders],
          ["customer_spend", true, customers, customers],
        ],
      ]);
    }
    const { code, tables } = await parity();
    expect([code, tables.filter(({ equal }) => !equal).map(({ name, columns }) => [name, columns])]).toEqual([
      1,
      [
        ["bronze_orders", ["loaded_at"]],
        ["orders_quarantine", ["loaded_at"]],
      ],
    ]);
    expect(readdirSync(join(cwd, "storage"))).toEqual(["_parity"]);
  }, 600_000);

  it("finds changes applied alike: deletes, late events, a key that comes again", async () => {
    writeProject(cwd, CHANGES);
    for (const [i, { events, total }] of BATCHES.entries()) {
      writeProject(cwd, { [`landing/${i}.csv`]: `id,name,amount,op,seq\n${events}` });
      const { code, rows: compared, told } = await parity();
      expect([code, compared.map(([name, equal]) => [name, equal])], told).toEqual([
        0,
        [
          ["changes", true],
          ["state", true],
          ["total", true],
        ],
      ]);
      const table = `delta.\`${cwd}/storage/_parity/spark/warehouse/default/total\``;
      expect(await rows(cwd, `SELECT * FROM ${table}`)).toEqual([total]);
    }
  }, 600_000);

  it("each engine goes on where the other stopped", async () => {
    writeProject(cwd, CHANGES);
    const spark = ["--engine", "spark", "--remote", server.remote];
    for (const engines of [
      [[], spark, []],
      [spark, [], spark],
    ]) {
      rmSync(join(cwd, "landing"), { recursive: true, force: true });
      rmSync(join(cwd, "storage"), { recursive: true, force: true });
      for (const [i, { events, total }] of BATCHES.entries()) {
        writeProject(cwd, { [`landing/${i}.csv`]: `id,name,amount,op,seq\n${events}` });
        await run(cwd, ...(engines[i] ?? []));
        expect(await rows(cwd, "SELECT * FROM total")).toEqual([total]);
      }
    }
  }, 600_000);
});
