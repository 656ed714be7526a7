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
function deliver(cwd: string, { files, bytes }: SapData, from: number, to: number): void {
  const landed = [...files, ...bytes].flatMap(([path, text]): [string, string | Uint8Array][] => {
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

  it("writes the same rows as Parquet, which a run reads", async () => {
    const cwd = project({
      "transformations/t.ts": `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
sapTable("VBAP", { from: readFiles("data/{initial,cdc/VBAP}/*.parquet", { format: "parquet" }), changeFormat: "odq" });`,
    });
    const args = ["--tables", "VBAP", "--batches", "3", "--faults", "trailing_minus,special_text=0.1"];
    await generate(cwd, ...args, "--format", "parquet");
    expect(filesBelow(join(cwd, "data"))).toEqual([
      "cdc/VBAP/00002.parquet",
      "cdc/VBAP/00003.parquet",
      "faults.jsonl",
      "initial/VBAP.parquet",
      "truth/VBAP.parquet",
    ]);
    expect(statSync(join(cwd, "data/cdc/VBAP/00003.parquet")).mtime.toISOString()).toBe("2025-01-02T00:00:00.000Z");
    const { files } = await generateSap({
      tables: ["VBAP"],
      batches: 3,
      faults: "trailing_minus,special_text=0.1",
      format: "json",
    });
    const lines = (path: string) => (files.get(path) ?? "").trim().split("\n");
    const parquet = await rows(cwd, "SELECT * FROM read_files('data/truth/VBAP.parquet', format => 'parquet')");
    expect(parquet.map((row) => JSON.stringify(row))).toEqual(lines("truth/VBAP.json"));
    await run(cwd);
    const columns = Object.keys(parquet[0] ?? {}).join(", ");
    expect(await rows(cwd, `SELECT ${columns} FROM VBAP_cur ORDER BY 1, 2, 3`)).toEqual(parquet);
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

describe("a file or record that is wrong", () => {
  const reading = `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
sapTable("VBAP", {
  from: readFiles("landing/VBAP", {
    format: "csv", header: true, columnNameOfCorruptRecord: "_corrupt", options: { multiLine: "true" },
  }),
  changeFormat: "odq",
  ${SEQUENCES["odq"]},
});`;

  /** Runs before and with the first fault, gives what stands there then, and holds the end against the truth. */
  async function runWith(faults: string): Promise<{
    readonly told: readonly { readonly kind: string; readonly batch: number }[];
    readonly cwd: string;
    readonly atFault: string;
    readonly finish: () => Promise<void>;
  }> {
    const cwd = project({ "transformations/t.ts": reading });
    const data = await generateSap({ tables: ["VBAP"], faults, batches: 6, days: 6 });
    const told = (data.files.get("faults.jsonl") ?? "")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    writeProject(cwd, { "truth/VBAP.csv": data.files.get("truth/VBAP.csv") ?? "" });
    deliver(cwd, data, 0, told[0].batch - 1);
    await run(cwd);
    deliver(cwd, data, told[0].batch, told[0].batch);
    const { stderr: atFault } = await ingot(["run"], { cwd });
    const finish = async () => {
      deliver(cwd, data, told[0].batch + 1, 6);
      await ingot(["run"], { cwd });
      const truth = await truthOf(cwd, "VBAP");
      const columns = Object.keys(truth[0] ?? {}).join(", ");
      expect(await rows(cwd, `SELECT ${columns} FROM vbap_cur ORDER BY 1, 2, 3`)).toEqual(truth);
    };
    return { told, cwd, atFault, finish };
  }

  it("with quotes that nobody doubled is set aside as one record", async () => {
    const { told, cwd, finish } = await runWith("broken_quotes=0.1");
    await finish();
    const quarantined = await rows(cwd, "SELECT _status AS s, count(*) AS n FROM vbap_cdf_quarantine GROUP BY _status");
    expect(quarantined).toEqual([{ s: "MALFORMED_RECORD", n: `${told.length}` }]);
    const sources = await rows(
      cwd,
      'SELECT _source_file AS file, _source_row AS row, _source_record LIKE \'%"Rohr 1/2", lang"%\' AS raw FROM vbap_cdf_quarantine',
    );
    for (const { file, row, raw } of sources)
      expect([file, Number(row) > 0, raw]).toEqual([expect.stringMatching(/landing\/VBAP\/0000\d.csv$/), true, true]);
  });

  it("with longer texts is taken as it is", async () => {
    const { cwd, finish } = await runWith("longer_texts");
    const longest = "SELECT max(length(matnr)) AS n FROM vbap_cur";
    expect(await rows(cwd, longest)).toEqual([{ n: 40 }]);
    await finish();
    expect(await rows(cwd, longest)).toEqual([{ n: 18 }]);
  });

  it("in another encoding is held back, with its byte", async () => {
    const { told, cwd, atFault, finish } = await runWith("foreign_encoding");
    expect(atFault).toContain(`0000${told[0]?.batch}.csv is held back: it is not UTF-8: line 2, column `);
    expect(atFault).toContain("holds 0xF6");
    expect(await rows(cwd, "SELECT count(*) AS n FROM vbap_cur WHERE matnr LIKE 'Gr%'")).toEqual([{ n: "0" }]);
    await finish();
  });

  it("of a token that was lost counts once", async () => {
    const { cwd, finish } = await runWith("lost_token");
    const before = await rows(cwd, "SELECT * FROM vbap_cur");
    const sent = await rows(
      cwd,
      "SELECT count(*) AS n, count(DISTINCT odq_tsn, odq_unitno, odq_recordno) AS own FROM bronze.vbap",
    );
    expect([sent[0]?.["n"], before.length > 0]).toEqual([sent[0]?.["own"], true]);
    await finish();
    const again =
      "SELECT count(*) > count(DISTINCT odq_tsn, odq_unitno, odq_recordno) AS twice FROM bronze.vbap WHERE odq_recordno <> '0'";
    expect(await rows(cwd, again)).toEqual([{ twice: true }]);
  });
});
