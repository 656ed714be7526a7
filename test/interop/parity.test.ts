import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { TableComparison } from "../../packages/ingot/src/parity/compare-tables.js";
import { generateInMemory, type SapDataOptions } from "../../packages/ingot/src/sap/generate/in-memory.js";
import { ingot, rows, run, SPEC, texts, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";

const describe = await describeWith("spark");
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const SHOP = join(EXAMPLES, "shop");

/** A table of changes in batches; what is left after each. */
const CHANGES = {
  "ingot.yml": SPEC,
  "transformations/a.sql": `
CREATE STREAMING TABLE changes AS SELECT *, split(name, '') AS letters, map(op, seq) AS told FROM STREAM read_files('landing', format => 'csv', header => true,
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

/** What comes to a project, delivery by delivery: texts by their paths. */
type Delivery = Readonly<Record<string, string>>;

const ORDERS = ["VBAK", "VBAP", "VBPA", "VBKD", "VBFA", "VBUK", "VBUP", "MAKT", "KNA1", "TCURX"];
const FINANCE = ["BKPF", "BSEG", "EKKO", "EKPO"];

/** Generated changes in three deliveries, with faults; the first one brings what was there before. */
async function generated(folder: string, options: SapDataOptions): Promise<Delivery[]> {
  const { files } = await generateInMemory({ ...options, batches: 3, faults: "default" });
  return [1, 2, 3].map((batch) => {
    const isIn = new RegExp(`^cdc/.*/0*${batch}(-again-\\d+)?\\.csv$${batch === 1 ? "|^initial/" : ""}`);
    return Object.fromEntries(
      [...files].flatMap(([path, text]) => (isIn.test(path) ? [[`${folder}/${path}`, text]] : [])),
    );
  });
}

/** What purchasing needs; what needs the other extracts is left out. */
const PURCHASING = "EKKO EKPO EKET EKBE MARA MAKT T001 T001W T161T TCURX TCURR TCURF LFA1 T006A".split(" ");

/** Extracts of the example; then newer ones: rows that are broken, changed, gone. */
async function extracts(): Promise<Delivery[]> {
  const read = (name: string) => readFileSync(join(EXAMPLES, "supply-chain/landing", `${name}.csv`), "utf8").trimEnd();
  const given = PURCHASING.map((name) => [`landing/${name}.csv`, `${read(name)}\n`]);
  const chairs = read("EKPO").replaceAll("Office chair", "Office chairs");
  const broken = [
    "100,,00010,,No number,100,1000,1010,0001,ROH1,,10.000,ST,ST,1,1,25.00,1,250.00,,,0,X,X,",
    "100,4500000008,00010,,Text,100,1000,1010,0001,ROH1,,10.000,ST,ST,1,1,25.00,1,2 50,,,0,X,X,",
  ];
  return [
    Object.fromEntries(given),
    { "landing/EKPO.csv": `${[chairs, ...broken].join("\n")}\n` },
    { "landing/EKPO.csv": `${chairs}\n`, "landing/MAKT.csv": `${read("MAKT").split("\n").slice(0, -1).join("\n")}\n` },
  ];
}

const EVENTS = "region_id,device_type,event_type,seq\n";

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

  it.each([
    ["order-to-cash", () => generated("landing", { tables: ORDERS, days: 3, seed: "8" }), "gold_sd_fulfilment"],
    [
      "finance-cdc",
      () => generated("data", { tables: FINANCE, scale: 400, history: 2557, seed: "1" }),
      "gold_fi_period_balance",
    ],
    ["supply-chain", extracts, "gold.fact_purchase_order"],
  ] as const)(
    "finds the tables of %s equal, delivery after delivery",
    async (name, deliveries, gold) => {
      const left = /\/(storage|data|landing)$/;
      cpSync(join(EXAMPLES, name), cwd, { recursive: true, filter: (path) => !left.test(path) });
      let found: number | undefined;
      for (const delivery of await deliveries()) {
        writeProject(cwd, delivery);
        const { code, tables, told } = await parity("--set", "max_failed_share=1");
        expect([code, tables.filter(({ equal }) => !equal)], told).toEqual([0, []]);
        found = tables.find((table) => table.name === gold)?.right?.rows;
      }
      expect(found).toBeGreaterThan(0);
    },
    900_000,
  );

  it("puts rows in the place of others, and looks at whole tables, as documented", async () => {
    const read = (folder: string, schema: string) =>
      `read_files('${folder}', format => 'csv', header => true, enforceSchema => false, schema => '${schema}')`;
    writeProject(cwd, {
      "ingot.yml": SPEC,
      "transformations/a.sql": `
CREATE STREAMING TABLE events FLOW REPLACE USING (region_id) SEQUENCE BY seq BY NAME
  SELECT *, array(device_type) AS devices, map(event_type, seq) AS seen FROM STREAM ${read("events", "region_id INT, device_type STRING, event_type STRING, seq INT")};
CREATE MATERIALIZED VIEW ledger AS SELECT * FROM ${read("ledger", "id INT, year INT, amount INT")};
CREATE STREAMING TABLE postings FLOW REPLACE WHERE year >= 2026 BY NAME SELECT id, year, amount FROM ledger;
CREATE STREAMING TABLE items (
  CONSTRAINT steady EXPECT ROW COUNT BETWEEN 0.5 AND 2 OF LAST 2 RUNS,
  CONSTRAINT fresh EXPECT FRESHNESS (at) WITHIN 2 HOURS,
  CONSTRAINT one EXPECT UNIQUE (id),
  CONSTRAINT few EXPECT (id < 5) ON VIOLATION DROP ROW,
  CONSTRAINT positive EXPECT (id > 0) ON VIOLATION QUARANTINE ROW
) CLUSTER BY (id) COMMENT 'Items' TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.columnMapping.mode' = 'name')
AS SELECT * FROM STREAM ${read("items", "id BIGINT, at TIMESTAMP")};
CREATE STREAMING TABLE loose AS SELECT *, _metadata.row_number AS n FROM STREAM
  ${read("loose", "id BIGINT, v STRING").replace(")", ", mode => 'DROPMALFORMED')")};`,
      // Databricks, ldp/flows-replace-using.
      "events/0.csv": `${EVENTS}1,iOS,click,1\n1,Android,conversion,1\n2,iOS,click,1\n2,desktop,click,1\n`,
      "ledger/l.csv": "id,year,amount\n1,2025,10\n2,2026,20\n3,2026,30\n",
      "loose/0.csv": "id,v\n1,a\nx,b\n3,c,d\n4,e\n",
      "items/0.csv": "id,at\n1,2026-10-01 10:00:00\n2,2026-10-01 11:00:00\n-1,\n9,\n",
    });
    expect((await parity()).told).toContain("the newest at is 2026-10-01 11:00:00");
    writeProject(cwd, {
      "events/1.csv": `${EVENTS}1,iOS,click,2\n1,Android,conversion,2\n1,desktop,click,2\n3,iOS,click,1\n3,desktop,click,2\n`,
      "ledger/l.csv": "id,year,amount\n1,2025,11\n3,2026,33\n4,2026,40\n",
      "items/1.csv": "id,at\n1,2026-10-02 10:00:00\n3,\n4,\n-2,\n",
    });
    const { code, rows: compared, told } = await parity();
    expect([code, compared], told).toEqual([
      0,
      [
        ["events", true, 6, 6],
        ["items", true, 5, 5],
        ["items_quarantine", true, 2, 2],
        ["ledger", true, 3, 3],
        ["loose", true, 2, 2],
        ["postings", true, 2, 2],
      ],
    ]);
    expect(told).toContain("there are 5 rows, and 1 to 4 are expected after 1 run with 2 to 2");
    const spark = (table: string) => `delta.\`${cwd}/storage/_parity/spark/warehouse/default/${table}\``;
    expect(await texts(cwd, `SELECT * EXCEPT (devices, seen) FROM ${spark("events")} ORDER BY ALL`)).toEqual([
      "1 Android conversion 2",
      "1 desktop click 2",
      "1 iOS click 2",
      "2 desktop click 1",
      "2 iOS click 1",
      "3 desktop click 2",
    ]);
    expect(await texts(cwd, `SELECT * FROM ${spark("postings")} ORDER BY ALL`)).toEqual(["3 2026 33", "4 2026 40"]);
    // Each batch is one commit, the first one with the definition.
    for (const table of ["events", "items", "items_quarantine", "ledger"]) {
      const log = readdirSync(join(cwd, `storage/_parity/spark/warehouse/default/${table}/_delta_log`));
      expect(log.filter((name) => /^\d{20}\.json$/.test(name))).toHaveLength(2);
    }
    expect(readdirSync(join(cwd, "storage/_parity/spark/_tmp/spark"))).toEqual([]);
  }, 600_000);

  it("keeps true amounts that become wider, in tables and quarantines, and tells of several clients", async () => {
    const long = "123456789012345678901.25";
    const spec = (release: string) => `${SPEC}sources:\n  ERP: { release: ${release}, currencies: tcurx.csv }\n`;
    const header = "MANDT,BUKRS,BELNR,GJAHR,BUZEI,DMBTR,PSWBT,PSWSL\n";
    writeProject(cwd, {
      "ingot.yml": spec("ecc"),
      "tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\n",
      "transformations/t.ts": `import { materializedView, readFiles, sql } from "ingot";
        import { rates, sapTable } from "ingot/sap";
        const tcurr = materializedView("tcurr", sql\`SELECT * FROM VALUES
          ('100', 'M', 'JPY', 'EUR', '79739898', '0.62000', '100', '1'),
          ('100', 'M', 'EUR', 'GBP', '79739898', '0.80000-', '0', '0') AS v(mandt, kurst, fcurr, tcurr, gdatu, ukurs, ffact, tfact)\`);
        materializedView("converted", sql\`
          SELECT q.*, sap_convert(q.amount, r.ukurs, r.ffact, r.tfact, 2) AS eur, r.is_inverse
          FROM (SELECT * FROM VALUES ('JPY', 1000.00), ('GBP', 80.00), ('EUR', 5.00), ('CHF', 1.00) AS v(waers, amount)) AS q
          LEFT JOIN \${rates({ rates: tcurr })} AS r
            ON r.fcurr = q.waers AND r.tcurr = 'EUR' AND DATE'2026-03-01' BETWEEN r.valid_from AND r.valid_to\`);
        sapTable("BSEG", {
          from: readFiles("landing", { format: "csv", header: true }),
          columns: "typed",
          columnList: ["dmbtr", "pswbt", "pswsl"],
          tableProperties: { "delta.enableTypeWidening": true },
        });`,
      "landing/1.csv": `${header}100,1000,1,2026,1,12345678901.50,1.00,JPY\n100,1000,2,2026,1,${long},1.00,JPY\n`,
    });
    expect((await parity()).code).toBe(0);
    writeProject(cwd, {
      "ingot.yml": spec("s4"),
      "landing/2.csv": `${header}100,1000,2,2026,1,${long},${long},JPY\n200,1000,3,2026,1,${long},x,JPY\n200,1000,4,2026,1,1.00,1.00,JPY\n`,
    });
    const { code, rows: compared, told } = await parity();
    expect([code, compared], told).toEqual([
      0,
      [
        ["bronze.bseg", true, 5, 5],
        ["bseg_cdf_quarantine", true, 2, 2],
        ["bseg_cur", true, 3, 3],
        ["tcurr", true, 2, 2],
        ["converted", true, 4, 4],
      ],
    ]);
    expect(told.match(/mandt has 2 values: 100, 200/g)).toHaveLength(2);
    const converted = `delta.\`${cwd}/storage/_parity/spark/warehouse/default/converted\``;
    // 0.62 EUR for 100 JPY; 1 GBP for 0.8 EUR.
    expect(await texts(cwd, `SELECT waers, eur FROM ${converted} WHERE eur IS NOT NULL ORDER BY 1`)).toEqual([
      "EUR 5.00",
      "GBP 64.00",
      "JPY 6.20",
    ]);
    const spark = `delta.\`${cwd}/storage/_parity/spark/warehouse/default/bseg_cur\``;
    expect(await texts(cwd, `SELECT belnr, dmbtr, typeof(dmbtr), pswbt FROM ${spark} ORDER BY 1`)).toEqual([
      "0000000001 12345678901.50 decimal(23,2) 100.00",
      `0000000002 ${long} decimal(23,2) 12345678901234567890125.00`,
      "0000000004 1.00 decimal(23,2) 100.00",
    ]);
    const twice = await ingot(["query", `SELECT sap_curr(pswbt, pswsl) FROM ${spark}`], { cwd });
    expect(twice.stderr).toContain("sap_curr is applied twice");
  }, 600_000);

  it("releases and drops rows that were set aside, in tables, events and views", async () => {
    writeProject(cwd, {
      "ingot.yml": SPEC,
      "transformations/a.sql": `
CREATE TEMPORARY VIEW checked (CONSTRAINT positive EXPECT (id > 0) ON VIOLATION QUARANTINE ROW) AS SELECT * FROM STREAM
  read_files('items', format => 'csv', header => true, enforceSchema => false, schema => 'id BIGINT, v STRING, seq INT');
CREATE STREAMING TABLE items AS SELECT * FROM STREAM checked;
CREATE STREAMING TABLE current;
CREATE FLOW f AS AUTO CDC INTO current FROM STREAM(checked) KEYS (id) SEQUENCE BY seq;`,
      "items/0.csv": "id,v,seq\n1,a,5\n-1,b,4\n-2,c,6\n-3,d,7\n",
    });
    const spark = ["--engine", "spark", "--remote", server.remote];
    const quarantine = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await ingot(["quarantine", ...args, "--json", ...spark], { cwd });
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout) as unknown;
    };
    await run(cwd, ...spark);
    expect(
      await quarantine("release", "checked", "--where", "id < 0 AND id > -3", "--correct", "id=abs(id + 1)"),
    ).toMatchObject({ released: 4, passed: 2, quarantined: 2 });
    expect(await quarantine("drop", "checked", "--all")).toMatchObject({ dropped: 4 });
    expect(await texts(cwd, "SELECT * FROM items ORDER BY ALL")).toEqual(["1 a 5", "1 c 6"]);
    // -2 became 1 by the correction, with a later sequence than the row that is there.
    expect(await texts(cwd, "SELECT * FROM current")).toEqual(["1 c 6"]);
    const aside = "SELECT id, _attempt, _state, count(*) FROM checked_quarantine GROUP BY ALL ORDER BY ALL";
    expect(await texts(cwd, aside)).toEqual(["-3 1 dropped 2", "-2 1 released 2", "-1 1 released 2", "0 2 dropped 2"]);
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
