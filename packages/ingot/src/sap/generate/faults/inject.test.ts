import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GeneratedFiles, generateFiles, type RowObject } from "../generate-fixture.js";
import type { SapDataOptions } from "../in-memory.js";
import { AFTERMATH } from "./aftermath.js";
import type { Fault } from "./fault.js";
import { FILE_FAULTS } from "./file-kinds.js";
import { FAULTS } from "./kinds.js";
import { faultRates } from "./rates.js";
import { STANDING } from "./standing.js";

const MORE =
  "default,duplicate=0.05,same_sequence=0.05,out_of_order=0.2,late=0.2,late_after_delete=0.8,blank_key=0.05,special_text=0.05,orphan=0.2";
const KEYS = {
  VBAK: ["MANDT", "VBELN"],
  VBAP: ["MANDT", "VBELN", "POSNR"],
  BSEG: ["MANDT", "BUKRS", "BELNR", "GJAHR", "BUZEI"],
} as const;
const CONTROL = ["ODQ_CHANGEMODE", "ODQ_ENTITYCNTR", "ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"];

/** The state that the newest row of each key makes: a plain loop, which knows nothing of batches. */
function apply(data: GeneratedFiles, table: keyof typeof KEYS): string[] {
  const newest = new Map<string, { readonly at: string; readonly row: RowObject }>();
  for (const row of [...data.rows(`initial/${table}.json`), ...data.changes(table)]) {
    if (isDamaged(row) || (row.ODQ_CHANGEMODE === "U" && row.ODQ_ENTITYCNTR === "-1")) continue;
    const key = KEYS[table].map((name) => row[name]).join("/");
    const at = `${row.ODQ_TSN}${row.ODQ_RECORDNO?.padStart(9, "0")}`;
    if (at >= (newest.get(key)?.at ?? "")) newest.set(key, { at, row });
  }
  return [...newest.values()]
    .filter(({ row }) => row.ODQ_CHANGEMODE !== "D")
    .map(({ row }) => JSON.stringify(Object.entries(row).filter(([name]) => !CONTROL.includes(name))));
}

/** Whether a row is one that a pipeline sets aside. */
function isDamaged(row: RowObject): boolean {
  const amounts = [row.NETWR, row.NETPR, row.WAVWR, row.MWSBP, row.DMBTR, row.WRBTR, row.PSWBT, row.DMBE2];
  return (
    amounts.some((amount) => amount !== undefined && !/^-?\d{1,13}\.\d\d$/.test(amount)) ||
    row.VBELN === "" ||
    row.BUKRS === ""
  );
}

describe("deliveries with faults", () => {
  it("lead to the truth, where the newest row of a key counts and damaged ones do not", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom(MORE, "default"),
        async (seed, faults) => {
          const tables = Object.keys(KEYS) as (keyof typeof KEYS)[];
          const data = await generateFiles({
            seed: `${seed}`,
            tables,
            days: 3,
            batches: 6,
            faults,
          });
          for (const table of tables) {
            const truth = data.truth(table).map((row) => JSON.stringify(Object.entries(row)));
            const made = apply(data, table);
            expect(made.filter((row) => !truth.includes(row)).slice(0, 1), table).toEqual([]);
            expect(made).toHaveLength(truth.length);
          }
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe("kinds of faults", () => {
  const KINDS = [...Object.keys({ ...FAULTS, ...FILE_FAULTS, ...AFTERMATH, ...STANDING }), "redelivered", "lost_token"];

  it("each happen once at least, and say what is to come of them", async () => {
    const options: SapDataOptions = { format: "csv", days: 8, batches: 12, faults: "all,redelivered=0.2" };
    const odq = await generateFiles({ ...options });
    const fivetran = await generateFiles({ ...options, changes: "fivetran" });
    const told = [odq, fivetran].flatMap((data) => data.rows("faults.jsonl") as unknown as Fault[]);
    const kinds = new Set(told.map(({ kind }) => kind as string));
    expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
    for (const { kind, expected, batch, table } of told) {
      expect(expected).not.toBe("");
      // What stands is in the state at the start.
      expect(batch).toBeGreaterThan(kind in STANDING ? -1 : 0);
      expect(table).toMatch(/^[A-Z0-9_]+$/);
    }
    for (const { kind, repaired, batch } of told)
      if (repaired !== undefined) expect([kind, repaired]).toEqual([kind, batch + 1]);
  });

  it("that need a sequence are left out where there is none", async () => {
    const data = await generateFiles({ days: 4, batches: 8, sequence: false, faults: "default" });
    const kinds = new Set(data.rows("faults.jsonl").map(({ kind }) => kind));
    for (const kind of ["late", "late_after_delete", "out_of_order", "same_sequence"])
      expect(kinds).not.toContain(kind);
    expect(kinds).toContain("duplicate");
  });

  it("do what they say", async () => {
    const data = await generateFiles({ days: 4, batches: 8, faults: "default,new_column,redelivered=0.2" });
    const told = data.rows("faults.jsonl") as unknown as Fault[];
    const rowsOf = (fault: Fault) =>
      data
        .rows(`cdc/${fault.table}/${`${fault.batch}`.padStart(5, "0")}.json`)
        .filter((row) => Object.entries(fault.key).every(([name, value]) => row[name] === value));
    const only = (kind: string) => told.filter((fault) => fault.kind === kind);
    for (const fault of only("garbled_amount"))
      expect(rowsOf(fault).some((row) => Object.values(row).some((v) => /^12A\.50$|^\d{20}\.00$/.test(v)))).toBe(true);
    for (const fault of only("local_amount"))
      expect(rowsOf(fault).some((row) => Object.values(row).includes("1.234,50"))).toBe(true);
    for (const fault of only("end_of_day"))
      expect(rowsOf(fault).some((row) => Object.values(row).includes("240000"))).toBe(true);
    for (const fault of only("posting_date"))
      expect(rowsOf(fault).some(({ BUDAT = "" }) => ["00000000", "20230231"].includes(BUDAT))).toBe(true);
    for (const fault of only("orphan")) expect(rowsOf(fault)).toEqual([]);
    for (const fault of only("before_image_last")) {
      const last = data.rows(`cdc/${fault.table}/${`${fault.batch}`.padStart(5, "0")}.json`).at(-1);
      expect([last?.ODQ_CHANGEMODE, last?.ODQ_ENTITYCNTR]).toEqual(["U", "-1"]);
    }
    for (const { table, batch } of only("redelivered")) {
      const name = (n: number) => `${n}`.padStart(5, "0");
      expect(data.files.get(`cdc/${table}/${name(batch)}-again-${name(batch - 1)}.json`)).toBe(
        data.files.get(`cdc/${table}/${name(batch - 1)}.json`),
      );
    }
    const [column] = only("new_column");
    const changed = data.rows(`cdc/${column?.table}/${`${column?.batch}`.padStart(5, "0")}.json`);
    expect(changed.every((row) => row.ZZ_CHANNEL !== undefined)).toBe(true);
  });
});

describe("rates", () => {
  it("are read from a text, the last of a kind counts", () => {
    expect([...faultRates("none")]).toEqual([]);
    expect(faultRates("default").get("late")).toBe(0.005);
    expect(faultRates("default,late=0.2,orphan=0").get("late")).toBe(0.2);
    expect(faultRates("default").has("new_column")).toBe(false);
    expect(faultRates("all").has("new_column")).toBe(true);
  });
  it("refuse what is none", () => {
    expect(() => faultRates("lat")).toThrow(/No kind of fault is `lat`/);
    expect(() => faultRates("late=2")).toThrow(/`2` is no share/);
  });
});

describe("what comes after the last batch", () => {
  it("deletes old documents as archived, then everything", async () => {
    const data = await generateFiles({
      tables: ["VBAK"],
      changes: "fivetran",
      batches: 4,
      faults: "archive,mass_delete",
    });
    const [archived, all] = [data.rows("cdc/VBAK/00005.json"), data.rows("cdc/VBAK/00006.json")];
    const numbers = data.truth("VBAK").map(({ VBELN }) => VBELN);
    expect(all.map(({ VBELN }) => VBELN)).toEqual(numbers);
    expect(archived.map(({ VBELN }) => VBELN)).toEqual(numbers.slice(0, 100));
    const marks = (rows: readonly RowObject[]) =>
      new Set(rows.map((row) => `${row._FIVETRAN_DELETED}/${row._FIVETRAN_SAP_ARCHIVED}`));
    expect([marks(archived), marks(all)]).toEqual([new Set(["true/true"]), new Set(["true/false"])]);
  });

  it("is no archiving where the format does not tell it", async () => {
    const data = await generateFiles({ tables: ["VBAK"], batches: 4, faults: "archive,mass_delete" });
    expect(data.rows("faults.jsonl").map(({ kind }) => kind)).toEqual(["mass_delete"]);
  });
});
