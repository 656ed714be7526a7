import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generateSap, type SapData } from "../../packages/ingot/src/public/testing.js";
import { CHANGE_FORMATS, type ChangeFormatName } from "../../packages/ingot/src/sap/changes/formats.js";
import { filesBelow, ingot, projectMaker, refusal, rows, run, SPEC, writeProject } from "./cli.js";

const project = projectMaker();
const TABLES = ["VBAK", "VBAP"];
/** What pipelines carry that take texts as they are. */
const FAULTS =
  "duplicate=0.02,same_sequence,out_of_order=0.05,late=0.05,late_after_delete=0.5,before_image_last,blank_key,special_text,orphan,delete_without_header";

const READ = '{ format: "csv", header: true, options: { multiLine: "true" } }';

/** Formats whose producers may leave their sequence out are told where it is. */
const SEQUENCES: Readonly<Record<string, string>> = {
  odq: 'sequenceBy: ["ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"]',
  recordmode: 'sequenceBy: ["REQUID", "DATAPAKID", "RECORD"]',
};

function withSapTable(changeFormat: string): string {
  return `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
for (const table of ${JSON.stringify(TABLES)})
  sapTable(table, {
    from: readFiles("landing/" + table, ${READ}),
    changeFormat: "${changeFormat}", ${SEQUENCES[changeFormat] ?? ""}
  });
`;
}

/** sapTable reads change feeds of tables: of one that someone copied into files, the flow is written by hand. */
const BY_HAND = `import { createAutoCdcFlow, createStreamingTable, expectOrDrop, readFiles, sql, temporaryView } from "ingot";
const KEYS = { VBAK: ["MANDT", "VBELN"], VBAP: ["MANDT", "VBELN", "POSNR"] };
for (const [name, keys] of Object.entries(KEYS))
  createAutoCdcFlow({
    target: createStreamingTable(name + "_cur"),
    source: temporaryView(name + "_cdf", {
      expectations: [expectOrDrop("valid_key", "VBELN IS NOT NULL")],
      query: sql\`SELECT * FROM STREAM \${readFiles("landing/" + name, ${READ})}\`,
    }),
    keys,
    sequenceBy: "_commit_version",
    applyAsDeletes: "_change_type = 'delete'",
    exceptColumnList: ["_change_type", "_commit_version", "_commit_timestamp"],
  });
`;

async function generate(cwd: string, ...args: string[]): Promise<string> {
  const { code, stderr, stdout } = await ingot(["sap", "generate", "--out", "data", ...args], { cwd });
  expect(code, stderr).toBe(0);
  return stdout;
}

const generateCode = (cwd: string, ...args: string[]) => refusal(cwd, "sap", "generate", "--out", "data", ...args);

/** Lands files of the generator that are delivered from one batch on to another; 0 is the initial load. */
function deliver(cwd: string, { files }: SapData, from: number, to: number): void {
  const landed = [...files].flatMap(([path, text]): [string, string][] => {
    const [, table, name = "00000.csv"] = /^(?:initial|cdc)\/(\w+)(?:\/(.*)|\.csv)$/.exec(path) ?? [];
    const batch = Number(name.slice(0, 5));
    return table === undefined || batch < from || batch > to ? [] : [[`landing/${table}/${name}`, text]];
  });
  writeProject(cwd, Object.fromEntries(landed));
}

/** Rows of the truth, with the names of columns that sapTable gives. */
async function truthOf(cwd: string, table: string): Promise<Record<string, unknown>[]> {
  const read = `read_files('truth/${table}.csv', format => 'csv', header => true, multiLine => true, inferColumnTypes => false)`;
  const found = await rows(cwd, `SELECT * FROM ${read} ORDER BY 1, 2, 3`);
  return found.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value])),
  );
}

describe("ingot sap generate", () => {
  it("writes files with the times of their deliveries, and tells what is in them", async () => {
    const cwd = project({});
    const args = ["--tables", "VBAK,VBAP", "--days", "2", "--batches", "4", "--faults", "default", "--json"];
    const told = JSON.parse(await generate(cwd, ...args));
    expect(told).toMatchObject({ folder: join(cwd, "data"), tables: { VBAK: { initial: 40 }, VBAP: {} } });
    expect(filesBelow(join(cwd, "data"))).toHaveLength(told.files);
    const time = (path: string) => statSync(join(cwd, "data", path)).mtime.toISOString();
    expect(time("initial/VBAK.csv")).toBe("2025-01-01T00:00:00.000Z");
    expect(time("cdc/VBAK/00002.csv")).toBe("2025-01-02T00:00:00.000Z");
    const faults = readFileSync(join(cwd, "data/faults.jsonl"), "utf8").trim().split("\n");
    const counted = Object.values(told.faults as Record<string, number>).reduce((sum, count) => sum + count, 0);
    expect(faults).toHaveLength(counted);
    const header = readFileSync(join(cwd, "data/initial/VBAP.csv"), "utf8").split("\n")[0];
    expect(header).toMatch(/^MANDT,VBELN,POSNR,.*,ODQ_CHANGEMODE,ODQ_ENTITYCNTR,ODQ_TSN,ODQ_UNITNO,ODQ_RECORDNO$/);
    expect(await generateCode(cwd)).toMatchObject({ code: 2, errors: [{ code: "FOLDER_NOT_EMPTY" }] });
  });

  it.each([
    [["--tables", "VBOK"], "SAP_TABLE_NOT_FOUND", "Table VBOK is not generated"],
    [["--faults", "lat"], "USAGE", "No kind of fault is `lat`"],
    [["--scale", "giant"], "USAGE", "Write tiny, small, medium or a number."],
    [["--start", "2025-13-01"], "USAGE", "Write a date, YYYY-MM-DD."],
    [["--batches", "0"], "USAGE", "Write a whole number, 1 or more."],
  ])("refuses %j and writes nothing", async (args, code, message) => {
    const cwd = project({});
    const told = await generateCode(cwd, ...args);
    expect(told).toMatchObject({ code: 2, errors: [{ code, message: expect.stringContaining(message) }] });
    expect(existsSync(join(cwd, "data"))).toBe(false);
  });
});

describe("the state that sapTable makes of a format's changes, faults among them, is the truth (7.5)", () => {
  const formats = (Object.keys(CHANGE_FORMATS) as ChangeFormatName[]).filter((name) => name !== "plain");
  it.each(formats)("%s", async (name) => {
    const cwd = project({ "transformations/t.ts": name === "cdf" ? BY_HAND : withSapTable(name) });
    const data = await generateSap({ tables: TABLES, changes: name, faults: FAULTS, batches: 6, days: 4 });
    for (const table of TABLES)
      writeProject(cwd, { [`truth/${table}.csv`]: data.files.get(`truth/${table}.csv`) ?? "" });
    deliver(cwd, data, 0, 3);
    await run(cwd);
    deliver(cwd, data, 4, 6);
    await run(cwd);
    for (const table of TABLES) {
      const truth = await truthOf(cwd, table);
      const columns = Object.keys(truth[0] ?? {}).join(", ");
      expect(await rows(cwd, `SELECT ${columns} FROM ${table}_cur ORDER BY 1, 2, 3`), table).toEqual(truth);
    }
    for (const kind of ["late", "late_after_delete", "blank_key", "orphan"])
      expect(data.faults.get(kind)).toBeGreaterThan(0);
  });
});

describe("damaged rows, read by the types of their fields", () => {
  const DAMAGED =
    "default,redelivered=0,local_amount=0.1,garbled_amount=0.1,posting_date=0.2,blank_key=0.1,end_of_day=0.1";
  const TYPED = ["VBAP", "BKPF"];
  const typed = (from: string, more: string) => `sapTable(table, {
    from: readFiles(${from}, ${READ}),
    columns: "typed", ${more}
  });`;

  it("are set aside, each under its status, and come right later", async () => {
    const cwd = project({
      "ingot.yml": `${SPEC}sources:\n  ECC: { release: ecc, currencies: initial/TCURX.csv }\n`,
      "transformations/t.ts": `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
for (const table of ${JSON.stringify(TYPED)}) {
  ${typed('"landing/" + table', 'changeFormat: "slt"')}
  const names = { bronze: "bronze." + table + "_truth", changes: table + "_truth_cdf", snapshot: table + "_truth" };
  ${typed('"truth/" + table + ".csv"', "names")}
}
`,
    });
    const tables = [...TYPED, "TCURX"];
    const data = await generateSap({ tables, changes: "slt", faults: DAMAGED, batches: 6, days: 4 });
    const kept = ["initial/TCURX.csv", ...TYPED.map((table) => `truth/${table}.csv`)];
    writeProject(cwd, Object.fromEntries(kept.map((path) => [path, data.files.get(path) ?? ""])));
    deliver(cwd, data, 0, 6);
    await run(cwd);
    const faults = (data.files.get("faults.jsonl") ?? "")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const table of TYPED) {
      const wanted = new Map<string, number>();
      for (const { table: where, reason } of faults)
        if (where === table && reason !== undefined) wanted.set(reason, (wanted.get(reason) ?? 0) + 1);
      const found = await rows(cwd, `SELECT _status AS s, count(*) AS n FROM ${table}_cdf_quarantine GROUP BY _status`);
      expect(new Map(found.map(({ s, n }) => [s, Number(n)])), table).toEqual(wanted);
      const [made, truth] = ["cur", "truth"].map((name) => `SELECT * EXCEPT (event_ts) FROM ${table}_${name}`);
      expect(await rows(cwd, `(${made} EXCEPT ${truth}) UNION ALL (${truth} EXCEPT ${made})`), table).toEqual([]);
    }
    expect(new Set(faults.map(({ reason }) => reason)).size).toBe(4);
  });
});
