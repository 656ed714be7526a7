import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { openDictionary } from "../../packages/ingot/src/sap/dictionary/dictionary.js";
import { type DictionaryTable, keyOf } from "../../packages/ingot/src/sap/dictionary/table.js";
import type { Fault } from "../../packages/ingot/src/sap/generate/faults/fault.js";
import { faultRates } from "../../packages/ingot/src/sap/generate/faults/rates.js";
import { events, ingot, refusal, rows, run, temporaryFolder, writeProject } from "./cli.js";
import { backlog, fulfilment, snapshotRow, tracker } from "./order-to-cash-truth.js";
import { generateWithTruth, type Row, type Truth } from "./sap-truth.js";

const EXAMPLE = fileURLToPath(new URL("../../examples/order-to-cash", import.meta.url));
const TABLES = ["VBAK", "VBAP", "VBPA", "VBKD", "VBFA", "VBUK", "VBUP", "MAKT", "KNA1"];
const GOLD = { gold_sd_open_order_tracker: tracker, gold_sd_fulfilment: fulfilment, gold_sd_customer_backlog: backlog };

/** A copy of the example; `without` names a folder that is left out. */
function copyExample(without?: string): string {
  const folder = temporaryFolder();
  cpSync(EXAMPLE, folder, {
    recursive: true,
    filter: (path) => !path.endsWith("/storage") && path !== join(EXAMPLE, without ?? "storage"),
  });
  return folder;
}

const sorted = (all: readonly object[]) => all.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

async function tableOf(name: string): Promise<DictionaryTable> {
  const table = (await openDictionary("ecc")).table(name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

describe("the example", () => {
  const folder = copyExample();

  it("has the same tables by the library's calls and in plain SQL", async () => {
    await run(folder);
    await run(join(folder, "in-sql"));
    for (const table of ["silver_sd_sales_order", ...Object.keys(GOLD)]) {
      const [made = [], byHand = []] = await Promise.all(
        [folder, join(folder, "in-sql")].map((cwd) => rows(cwd, `SELECT * FROM ${table}`)),
      );
      expect(made.length).toBeGreaterThan(3);
      expect(sorted(byHand)).toEqual(sorted(made));
    }
  }, 60_000);

  it("tells materials in the language of the reader, and falls back", async () => {
    const languages = () =>
      rows(folder, "SELECT text_language AS l, count(*) AS n FROM gold_sd_open_order_tracker GROUP BY 1 ORDER BY 1");
    const before = await languages();
    await run(folder, "--set", "language=D", "--refresh", "gold_sd_open_order_tracker");
    const after = await languages();
    const of = (all: typeof before, language: string | null) => Number(all.find(({ l }) => l === language)?.["n"] ?? 0);
    expect(of(after, "D")).toBeGreaterThan(of(before, "D"));
    expect(of(after, null)).toBe(of(before, null));
    const all = [before, after].map((list) => list.reduce((sum, { n }) => sum + Number(n), 0));
    expect(all[1]).toBe(all[0]);
  });

  it("is right for the compiler, which knows the columns of the document", async () => {
    const { code, stderr } = await ingot(["check"], { cwd: folder });
    expect(code, stderr).toBe(0);
  });

  it("is read by another domain, which owns its gold alone", async () => {
    const deliveries = join(folder, "deliveries");
    await run(deliveries);
    const [total] = await rows(
      folder,
      "SELECT count(*) AS items, sum(to_deliver) AS quantity FROM gold_sd_fulfilment WHERE to_deliver > 0",
    );
    expect(
      await rows(deliveries, "SELECT sum(items) AS items, sum(quantity) AS quantity FROM gold_le_worklist"),
    ).toEqual([total]);
    expect(readdirSync(join(deliveries, "storage/warehouse/default"))).toEqual(["gold_le_worklist"]);
  });

  it("has one owner: a third pipeline that declares the shared silver is refused, and nothing changes", async () => {
    const declared = "CREATE MATERIALIZED VIEW silver_sd_sales_order AS SELECT 1 AS x;";
    const third = writeProject(temporaryFolder(), {
      "ingot.yml": `name: third\nstorage: storage\nwarehouse: ${join(folder, "storage/warehouse")}\nlibraries: [{glob: {include: t.sql}}]\n`,
      "t.sql": declared,
    });
    const before = await rows(folder, "SELECT count(*) AS n FROM silver_sd_sales_order");
    expect(await refusal(third, "run")).toMatchObject({ errors: [{ code: "TABLE_OWNED_BY_OTHER_PIPELINE" }] });
    expect(await rows(folder, "SELECT count(*) AS n FROM silver_sd_sales_order")).toEqual(before);

    writeProject(third, {
      "ingot.yml": `name: third\nstorage: storage\ncatalogs: { sales: ${join(folder, "storage/warehouse")} }\nlibraries: [{glob: {include: t.sql}}]\n`,
      "t.sql": declared.replace("silver", "sales.default.silver"),
    });
    expect(await refusal(third, "dry-run")).toMatchObject({ code: 3, errors: [{ code: "NOT_SUPPORTED" }] });
  });
});

/** What the row of a fault holds right behind its delivery; none where there is no row. */
const SEEN_AT_ONCE: Readonly<Record<string, unknown>> = {
  end_of_day: expect.arrayContaining(["24:00:00"]),
  special_text: expect.arrayContaining(['Größe "L";\nrot, 1/2"']),
  orphan: [],
};

/** Rows that were set aside, by table and status. */
async function quarantined(folder: string): Promise<Record<string, number>> {
  const made = TABLES.filter((name) =>
    existsSync(join(folder, `storage/warehouse/default/${name.toLowerCase()}_cdf_quarantine`)),
  );
  const queries = made.map((name) => `SELECT '${name}' AS name, _status FROM ${name.toLowerCase()}_cdf_quarantine`);
  const found = queries.length === 0 ? [] : await rows(folder, queries.join(" UNION ALL "));
  return countBy(found, ({ name, _status }) => `${name} ${_status}`);
}

/** How often each name comes, in the order of the names. */
function countBy<T>(all: readonly T[], nameOf: (one: T) => string): Record<string, number> {
  const names = all.map(nameOf).sort();
  return Object.fromEntries(names.map((name) => [name, names.lastIndexOf(name) - names.indexOf(name) + 1]));
}

it("files that are wrong as a whole do no harm: all tables are the truth", async () => {
  const folder = copyExample("landing");
  const spec = readFileSync(join(folder, "ingot.yml"), "utf8");
  // Of two rows of one file without a client nobody can say whose they are: there is one client, and the source names it.
  writeProject(folder, { "ingot.yml": spec.replace("client: all", 'client: "100"') });
  const { files, truth, faults } = await generateWithTruth({
    tables: [...TABLES, "TCURX"],
    batches: 6,
    days: 6,
    seed: "3",
    faults: "new_column,stripped_keys,client_missing,redelivered=0.2,scientific_key=0.02,extra_field=0.02",
  });
  writeProject(join(folder, "landing"), Object.fromEntries(files));
  await run(folder, "--quiet");
  expect(new Set(faults.map(({ kind }) => kind)).size).toBe(6);
  expect(await quarantined(folder)).toEqual(
    countBy(
      faults.filter(({ kind }) => kind === "scientific_key" || kind === "extra_field"),
      ({ table, reason = "MALFORMED_RECORD" }) => `${table} ${reason}`,
    ),
  );
  for (const name of TABLES) {
    const table = await tableOf(name);
    const wanted = (truth.get(name) ?? []).map((row) => snapshotRow(row, table));
    const found = await rows(folder, `SELECT * EXCEPT (event_ts) FROM ${name.toLowerCase()}_cur`);
    expect(sorted(found), name).toEqual(sorted(wanted));
  }
}, 90_000);

describe("over several deliveries with faults", () => {
  const BATCHES = 4;
  // More of each than usual, so that few changes have many.
  const FAULTS =
    "default,duplicate=0.05,late=0.05,late_after_delete=0.5,local_amount=0.03,garbled_amount=0.03,blank_key=0.01,end_of_day=0.03,special_text=0.02,orphan=0.5,delete_without_header=1,redelivered=0";
  const folder = copyExample("landing");
  const counted = new Map<string, number>();
  const asExpected: string[] = [];
  let files: ReadonlyMap<string, string> = new Map();
  let truth: Truth = new Map();
  let changes: (table: string, batch: number) => readonly Row[] = () => [];
  let faults: readonly Fault[] = [];

  /** Rows of a table by their keys. */
  const byKey = <R extends object>(table: DictionaryTable, all: readonly R[]): Map<string, R> => {
    const key = keyOf(table).map((field) => field.toLowerCase() as keyof R);
    return new Map(all.map((row) => [key.map((field) => row[field]).join(), row]));
  };
  const snapshot = async (table: DictionaryTable) =>
    byKey(table, await rows(folder, `SELECT * EXCEPT (event_ts) FROM ${table.name.toLowerCase()}_cur`));
  const keyText = ({ key }: Fault) => Object.values(key).join();

  const deliver = (pattern: RegExp) =>
    writeProject(join(folder, "landing"), Object.fromEntries([...files].filter(([path]) => pattern.test(path))));

  beforeAll(async () => {
    ({ files, truth, changes, faults } = await generateWithTruth({
      tables: [...TABLES, "TCURX"],
      clients: ["100", "200"],
      batches: BATCHES,
      days: 6,
      history: 30,
      seed: "8",
      faults: FAULTS,
    }));
    deliver(/^initial\//);
  }, 60_000);

  it.each(Array.from({ length: BATCHES }, (_, i) => i + 1))(
    "delivery %i: each fault comes to what it should",
    async (batch) => {
      deliver(new RegExp(`^cdc/.*/0*${batch}\\.csv$`));
      const told = await events(folder);
      expect(told.code).toBe(0);
      for (const { details } of told.events) {
        const metrics = (details as { flow_progress?: { metrics?: Record<string, number> } }).flow_progress?.metrics;
        if (metrics?.["num_changes"] === undefined) continue;
        for (const [name, count] of Object.entries(metrics)) counted.set(name, (counted.get(name) ?? 0) + count);
      }
      const now = faults.filter((fault) => fault.batch === batch && SEEN_AT_ONCE[fault.kind] !== undefined);
      for (const name of new Set(now.map(({ table }) => table))) {
        const newest = await snapshot(await tableOf(name));
        for (const fault of now.filter(({ table }) => table === name)) {
          const values = Object.values(newest.get(keyText(fault)) ?? {});
          expect(values, `${fault.kind} of ${keyText(fault)}`).toEqual(SEEN_AT_ONCE[fault.kind]);
        }
      }
      expect(await quarantined(folder)).toEqual(
        countBy(
          faults.filter((fault) => fault.batch <= batch && fault.reason !== undefined),
          ({ table, reason }) => `${table} ${reason}`,
        ),
      );
    },
    60_000,
  );

  it("every column of every snapshot is the generator's truth, fault for fault", async () => {
    for (const name of TABLES) {
      const table = await tableOf(name);
      const wanted = (truth.get(name) ?? []).map((row) => snapshotRow(row, table));
      const found = await snapshot(table);
      expect(wanted.length, name).toBeGreaterThan(0);
      expect(sorted([...found.values()]), name).toEqual(sorted(wanted));
      const right = byKey(table, wanted);
      for (const fault of faults.filter((one) => one.table === name)) {
        const key = keyText(fault);
        if (sorted([found.get(key) ?? {}]).join() === sorted([right.get(key) ?? {}]).join())
          asExpected.push(fault.kind);
      }
    }
  }, 60_000);

  it("the balance of every kind of fault is even", () => {
    const injected = countBy(faults, ({ kind }) => kind);
    const found = countBy(asExpected, (kind) => kind);
    const lines = Object.entries(injected).map(
      ([kind, n]) => `${kind}: ${n} injected, ${found[kind] ?? 0} as expected`,
    );
    process.stdout.write(`${lines.join("\n")}\n`);
    expect(found).toEqual(injected);
    // Sales tables have no BUDAT and no negative number.
    const others = new Set(["posting_date", "trailing_minus", "redelivered"]);
    const kinds = [...faultRates(FAULTS).keys()].filter((kind) => !others.has(kind));
    expect(Object.keys(injected)).toEqual(kinds.sort());
  });

  it("every change went somewhere, and late ones nowhere else", () => {
    const of = (name: string) => counted.get(`num_${name}`) ?? 0;
    // Where a delivery has another change of the key, the newest supersedes the others.
    const groups = countBy(
      faults.filter(({ kind }) => kind.startsWith("late")),
      (fault) => JSON.stringify([fault.table, fault.batch, fault.key]),
    );
    const alone = Object.entries(groups).filter(([group, n]) => {
      const [table, batch, key] = JSON.parse(group) as [string, number, Record<string, string>];
      const same = changes(table, batch).filter((row) =>
        Object.entries(key).every(([field, value]) => row[field] === value),
      );
      return same.length === n;
    });
    expect(of("late")).toBe(alone.length);
    const written = of("inserted_rows") + of("updated_rows") + of("deleted_rows") + of("unchanged");
    expect(of("changes")).toBe(written + of("superseded") + of("duplicates") + of("late") + of("before_images"));
  });

  it("gold is what plain loops make of the truth, also when deliveries have come again, in one file", async () => {
    for (const name of TABLES) {
      const [second, third] = [2, 3].map((batch) => files.get(`cdc/${name}/0000${batch}.csv`));
      if (second === undefined || third === undefined) continue;
      const both = second + third.slice(third.indexOf("\n") + 1);
      writeProject(join(folder, "landing"), { [`cdc/${name}/again.csv`]: both });
    }
    await run(folder, "--quiet");
    for (const [table, of] of Object.entries(GOLD)) {
      const wanted = of(truth);
      expect(wanted.length, table).toBeGreaterThan(0);
      expect(sorted(await rows(folder, `SELECT * FROM ${table}`)), table).toEqual(sorted(wanted));
    }
  }, 60_000);
});
