import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { openDictionary } from "../../packages/ingot/src/sap/dictionary/dictionary.js";
import { events, ingot, rows, run, SPEC, temporaryFolder, texts, writeProject } from "./cli.js";
import { ACCOUNTING, periodBalance, purchaseValue, storedRow } from "./finance-cdc-truth.js";
import { snapshotRow } from "./order-to-cash-truth.js";
import { generateWithTruth } from "./sap-truth.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/finance-cdc", import.meta.url));
const TABLES = ["BKPF", "BSEG", "EKKO", "EKPO"] as const;
const BATCHES = 6;
/** The stream has begun when the history is loaded: what it has changed and deleted stays so. */
const HISTORY_AFTER = 2;
/** A bad row is a large share of the few rows of an hour. */
const SET = ["--set", "max_failed_share=1"];
/** Where changes that have no effect are counted. */
const METRICS = {
  late: "num_late",
  late_after_delete: "num_late",
  duplicate: "num_duplicates",
  same_sequence: "num_ties",
};
/** Every kind, the rarer ones often enough for a few rows. */
const FAULTS =
  "default,late=0.05,late_after_delete=1,duplicate=0.05,same_sequence=0.02,blank_key=0.01,local_amount=0.01,posting_date=0.02";

/** Rows that are in one list and not in the other, or more often. */
function differences(found: readonly object[], wanted: readonly object[]): string[] {
  const texts = (all: readonly object[]) => all.map((row) => JSON.stringify(row, Object.keys(row).sort()));
  const left = texts(wanted);
  const more = texts(found).filter((row) => {
    const place = left.indexOf(row);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return [...more.map((row) => `found ${row}`), ...left.map((row) => `wanted ${row}`)].slice(0, 10);
}

type Made = Awaited<ReturnType<typeof generateWithTruth>>;

const padded = (batch: number) => String(batch).padStart(5, "0");
const batchFile = (table: string, batch: number) => `cdc/${table}/${padded(batch)}.csv`;

describe("a day of hourly batches behind seven years of history", () => {
  const folder = temporaryFolder();
  let made: Made;
  const counted: string[] = [];

  const write = (path: string, text: string | undefined) => {
    if (text !== undefined) writeProject(folder, { [`data/${path}`]: text });
  };
  const deliver = (batch: number) => {
    // What is delivered again has the name of both batches.
    const isIn = (path: string) => new RegExp(`^cdc/.*/${padded(batch)}(-again-\\d+)?\\.csv$`).test(path);
    for (const [path, text] of made.files) if (isIn(path)) write(path, text);
  };
  /** Runs, and keeps what became of single changes: an entry for each that a metric counts. */
  const runHour = async (batch: number) => {
    const told = await events(folder, ...SET);
    expect(told.code).toBe(0);
    for (const { details, origin } of told.events) {
      const table = /\.silver_sap\.(\w+)$/.exec(origin.dataset_name ?? "")?.[1]?.toUpperCase();
      const metrics = "flow_progress" in details ? details.flow_progress.metrics : undefined;
      for (const metric of ["num_late", "num_duplicates", "num_ties"] as const)
        for (let i = 0; i < (metrics?.[metric] ?? 0); i++) counted.push(`${table} ${batch} ${metric}`);
    }
  };
  /** How many sequences the changes of a key have in a batch. */
  const sequences = ({ table, batch, key }: Made["faults"][number]) => {
    const rows = made
      .changes(table, batch)
      .filter((row) => Object.entries(key).every(([name, value]) => row[name] === value))
      .filter((row) => !(row["ODQ_CHANGEMODE"] === "U" && row["ODQ_ENTITYCNTR"] === "-1"));
    return new Set(rows.map((row) => `${row["ODQ_TSN"]} ${row["ODQ_UNITNO"]} ${row["ODQ_RECORDNO"]}`)).size;
  };
  const backfill = async (table: string, chunks: string) => {
    const name = `bronze_sap.${table.toLowerCase()}`;
    const { code, stderr } = await ingot(["backfill", name, "--chunks", chunks, ...SET], { cwd: folder });
    expect(code, stderr).toBe(0);
  };

  beforeAll(async () => {
    cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !/\/(storage|data)$/.test(path) });
    made = await generateWithTruth({
      scale: 1500,
      tables: TABLES,
      history: 2557,
      batches: BATCHES,
      faults: FAULTS,
    });
    for (const table of TABLES) write(`initial/${table}.csv`, made.files.get(`initial/${table}.csv`));
    for (let batch = 1; batch <= BATCHES; batch++) {
      deliver(batch);
      await runHour(batch);
      if (batch !== HISTORY_AFTER) continue;
      await backfill("BKPF", "GJAHR 2017..2024");
      await backfill("BSEG", "GJAHR 2017..2024");
      await backfill("EKKO", "MANDT 100");
      await backfill("EKPO", "MANDT 100");
    }
  }, 240_000);

  it.each(TABLES)("silver %s is the truth, row for row", async (name) => {
    const table = (await openDictionary("ecc")).table(name);
    if (table === undefined) throw new Error(`${name} is not in the dictionary`);
    // The currency of EKPO is in EKKO.
    const wanted = (made.truth.get(name) ?? []).map((row) =>
      name === "EKKO" ? snapshotRow(row, table) : storedRow(row, table, name === "EKPO" ? undefined : ACCOUNTING[name]),
    );
    expect(wanted.length).toBeGreaterThan(30);
    const found = (await rows(folder, `SELECT * FROM silver_sap.${name}`)).map(({ event_ts: _, ...row }) => row);
    expect(differences(found, wanted)).toEqual([]);
  });

  it("gold is what plain loops over the truth give", async () => {
    const of = (table: string) => rows(folder, `SELECT * FROM ${table}`);
    expect(differences(await of("gold_fi_period_balance"), periodBalance(made.truth))).toEqual([]);
    expect(differences(await of("gold_mm_purchase_value"), purchaseValue(made.truth))).toEqual([]);
  });

  it("every fault has come out as it should: those that are set aside one by one, the others by their count", async () => {
    const setAside = made.faults.filter(({ reason }) => reason !== undefined);
    // What sapTable sets aside says what it is, and not in which file it stood.
    const hasFile = (table: string) => table === "BKPF" || table === "BSEG";
    const wanted = setAside.map(({ table, batch, reason }) =>
      hasFile(table) ? `${batchFile(table, batch)} ${reason}` : `${table} ${reason}`,
    );
    const found: string[] = [];
    for (const table of TABLES) {
      const quarantine = `${table.toLowerCase()}_quarantine`;
      if (!existsSync(join(folder, "storage/warehouse/quarantine_sap", quarantine))) continue;
      const source = hasFile(table) ? "_source_file" : `'${table}'`;
      for (const row of await rows(folder, `SELECT ${source}, _status FROM quarantine_sap.${quarantine}`))
        found.push(
          Object.values(row)
            .join(" ")
            .replace(/^.*?\/data\//, ""),
        );
    }
    expect(found.sort()).toEqual(wanted.sort());
    const rest = [...counted];
    const lost: string[] = [];
    for (const fault of made.faults) {
      const { kind, table, batch } = fault;
      const metric = Object.entries(METRICS).find(([name]) => name === kind)?.[1];
      const entry = `${table} ${batch} ${metric}`;
      if (rest.includes(entry)) rest.splice(rest.indexOf(entry), 1);
      // Beside a newer change of its key in the batch it counts as superseded.
      else if (metric !== undefined && sequences(fault) === 1) lost.push(entry);
    }
    expect({ counted: rest, lost }).toEqual({ counted: [], lost: [] });
    const balance = new Map<string, number>();
    for (const { kind } of made.faults) balance.set(kind, (balance.get(kind) ?? 0) + 1);
    for (const [kind, count] of balance) process.stdout.write(`fault ${kind}: ${count}, all as expected\n`);
  });

  it("a new column is in bronze and told, and an amount without a currency is set aside", async () => {
    const line = (fields: Readonly<Record<string, string>>) => ({
      ...Object.fromEntries(
        ["MANDT", "BUKRS", "BELNR", "GJAHR", "BUZEI", "SHKZG", "DMBTR", "WRBTR", "PSWSL"].map((name) => [name, ""]),
      ),
      ...{
        MANDT: "100",
        BUKRS: "1000",
        BELNR: "9000000001",
        GJAHR: "2025",
        SHKZG: "S",
        DMBTR: "10.00",
        WRBTR: "10.00",
      },
      ...{ ODQ_CHANGEMODE: "C", ODQ_ENTITYCNTR: "1", ODQ_TSN: "20250102000000000000000", ODQ_UNITNO: "1" },
      ...fields,
    });
    const lines = [
      line({ BUZEI: "001", PSWSL: "EUR", ODQ_RECORDNO: "2", ZZREGION: "EMEA" }),
      line({ BUZEI: "002", PSWSL: "", ODQ_RECORDNO: "4", ZZREGION: "EMEA" }),
    ];
    const csv = [Object.keys(lines[0] ?? {}), ...lines.map((one) => Object.values(one))].map((row) => row.join(","));
    writeFileSync(join(folder, "data/cdc/BSEG/00099.csv"), `${csv.join("\n")}\n`);
    const told = await run(folder, ...SET);
    expect(told).toMatch(/bronze_sap\.bseg.*zzregion/);
    expect(readFileSync(join(folder, "storage/alerts.ndjson"), "utf8")).toMatch(/"kind":"drift".*zzregion/);
    const where = "WHERE belnr = '9000000001'";
    expect(await texts(folder, `SELECT buzei, zzregion FROM bronze_sap.bseg ${where} ORDER BY buzei`)).toEqual([
      "001 EMEA",
      "002 EMEA",
    ]);
    expect(await rows(folder, `SELECT * FROM silver_sap.bseg ${where}`)).toEqual([
      expect.not.objectContaining({ zzregion: expect.anything() }),
    ]);
    expect(await texts(folder, `SELECT buzei, _status FROM quarantine_sap.bseg_quarantine ${where}`)).toEqual([
      "002 CURRENCY_ANOMALY",
    ]);
  });
});

it("ODQ_ENTITYCNTR runs as a sequence as it is written, with a warning", async () => {
  const folder = writeProject(temporaryFolder(), {
    "ingot.yml": SPEC,
    "landing/1.csv": "belnr,bktxt,odq_changemode,odq_entitycntr\n1,one,C,1\n",
    "transformations/all.sql": `
      CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true);
      CREATE STREAMING TABLE bkpf;
      CREATE FLOW bkpf AS AUTO CDC INTO bkpf FROM STREAM(bronze) KEYS (belnr)
      APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY CAST(odq_entitycntr AS INT)
      COLUMNS * EXCEPT (odq_changemode, odq_entitycntr);`,
  });
  expect(await run(folder)).toMatch(/The flow bkpf .*orders changes by ODQ_ENTITYCNTR, which is a counter/);
  expect(await texts(folder, "SELECT * FROM bkpf")).toEqual(["1 one"]);
});
