import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDictionary } from "../../packages/ingot/src/sap/dictionary/dictionary.js";
import { type DictionaryTable, keyOf } from "../../packages/ingot/src/sap/dictionary/table.js";
import { events, ingot, projectMaker, refusal, rows, SPEC, writeProject } from "./cli.js";

const project = projectMaker();

/** A definitions file that calls sapTable on CSV files of `landing/<folder>`. */
function sapTable(table: string, options = "", folder = table.toLowerCase()): string {
  return `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
export const made = sapTable("${table}", {
  from: readFiles("landing/${folder}", { format: "csv", header: true }), ${options}
});
`;
}

async function run(cwd: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await ingot(["run", "--quiet", ...args], { cwd });
  expect(code, stderr).toBe(0);
}

const orders = (cwd: string) => rows(cwd, "SELECT vbeln, netwr FROM vbak_cur ORDER BY vbeln");
const aside = (cwd: string, columns: string) =>
  rows(cwd, `SELECT ${columns}, _status AS status FROM vbak_cdf_quarantine ORDER BY ${columns}`);

describe("sapTable of ODQ changes", () => {
  const VBAK = sapTable("VBAK", 'changeFormat: "odq"');
  const HEADER = "MANDT,VBELN,NETWR,ODQ_CHANGEMODE,ODQ_ENTITYCNTR\n";

  it("keeps the newest state of each key, in the order of delivery (golden case 3)", async () => {
    const cwd = project({
      "transformations/t.ts": VBAK,
      "landing/vbak/1.csv": `${HEADER}100,1,10.00,,
100,2,20.00,,
100,3,30.00,,
200,1,99.00,,
`,
    });
    await run(cwd);
    writeProject(cwd, {
      "landing/vbak/2.csv": `${HEADER}100,1,10.00,U,-1
100,1,11.00,U,1
100,2,20.00,U,1
100,2,20.00,D,-1
100,4,40.00,C,1
100,4,41.00,I,1
100,5,50.00,C,1
100,5,50.00,U,-1
`,
      "landing/vbak/3.csv": `${HEADER}100,3,,D,0
100,5,51.00,U,1
`,
    });
    const told = await events(cwd);
    expect(told.code).toBe(0);
    expect(
      await rows(cwd, "SELECT mandt, vbeln, netwr, event_ts IS NOT NULL AS timed FROM vbak_cur ORDER BY 1, 2"),
    ).toEqual([
      { mandt: "100", vbeln: "1", netwr: "11.00", timed: true },
      { mandt: "100", vbeln: "4", netwr: "41.00", timed: true },
      { mandt: "100", vbeln: "5", netwr: "51.00", timed: true },
      { mandt: "200", vbeln: "1", netwr: "99.00", timed: true },
    ]);
    expect(JSON.stringify(told.events)).toContain('"num_before_images":2');
    expect(await rows(cwd, "SELECT count(*) AS n FROM bronze.vbak")).toEqual([{ n: "14" }]);
  });

  it("takes a file that is delivered again for what it is", async () => {
    const first = `${HEADER}100,1,10.00,C,1\n`;
    const cwd = project({ "transformations/t.ts": VBAK, "landing/vbak/1.csv": first });
    await run(cwd);
    writeProject(cwd, { "landing/vbak/2.csv": `${HEADER}100,1,11.00,U,1\n` });
    await run(cwd);
    writeProject(cwd, { "landing/vbak/3.csv": first });
    await run(cwd);
    expect(await orders(cwd)).toEqual([{ vbeln: "1", netwr: "11.00" }]);
  });

  it("sets unknown operations and rows without a key aside; never an update", async () => {
    const cwd = project({
      "transformations/t.ts": VBAK,
      "landing/vbak/1.csv": `${HEADER}100,1,10.00,C,1
100,1,11.00,X,1
100,1,12.00,u,1
100,1,13.00,U,many
,2,20.00,C,1
100,"  ",30.00,C,1
`,
    });
    await run(cwd);
    expect(await orders(cwd)).toEqual([{ vbeln: "1", netwr: "10.00" }]);
    expect(await aside(cwd, "netwr")).toEqual([
      { netwr: "11.00", status: "UNKNOWN_OP" },
      { netwr: "12.00", status: "UNKNOWN_OP" },
      { netwr: "13.00", status: "UNKNOWN_OP" },
      { netwr: "20.00", status: "INVALID_PRIMARY_KEY" },
      { netwr: "30.00", status: "INVALID_PRIMARY_KEY" },
    ]);
  });

  it("goes by the producer's sequence where it is named: a late change is not applied", async () => {
    const header = "MANDT,VBELN,NETWR,ODQ_CHANGEMODE,ODQ_TSN,ODQ_UNITNO,ODQ_RECORDNO\n";
    const cwd = project({
      "transformations/t.ts": sapTable(
        "VBAK",
        'changeFormat: "odq", sequenceBy: ["ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"]',
      ),
      // Record 10 comes behind record 9, though not as a text.
      "landing/vbak/1.csv": `${header}100,1,9.00,U,20260102000000000000000,1,9
100,1,10.00,U,20260102000000000000000,1,10
100,2,5.00,D,20260102000000000000000,1,1
100,3,7.00,C,,1,1
`,
    });
    await run(cwd);
    writeProject(cwd, {
      "landing/vbak/2.csv": `${header}100,1,1.00,U,20260101000000000000000,1,11
100,2,4.00,U,20260101000000000000000,1,1
`,
    });
    await run(cwd);
    expect(await orders(cwd)).toEqual([{ vbeln: "1", netwr: "10.00" }]);
    expect(await aside(cwd, "netwr")).toEqual([{ netwr: "7.00", status: "INVALID_SEQUENCE" }]);
  });

  it("a new column stays in bronze, and a field that no file has is NULL", async () => {
    const cwd = project({ "transformations/t.ts": VBAK, "landing/vbak/1.csv": `${HEADER}100,1,10.00,C,1\n` });
    await run(cwd);
    writeProject(cwd, { "landing/vbak/2.csv": `ZZNEW,${HEADER}x,100,2,20.00,C,1\n` });
    await run(cwd);
    expect(await rows(cwd, "SELECT vbeln, ZZNEW FROM bronze.vbak ORDER BY vbeln")).toEqual([
      { vbeln: "1", ZZNEW: null },
      { vbeln: "2", ZZNEW: "x" },
    ]);
    const [row = {}] = await rows(cwd, "SELECT * FROM vbak_cur LIMIT 1");
    expect(row).toMatchObject({ auart: null });
    expect(Object.keys(row)).not.toContain("ZZNEW");
  });
});

it.each([
  [
    "slt",
    "OPERATION_FLAG,RECORDSTAMP",
    // Of equal stamps the delete wins; a later insert brings the key back.
    [
      "1,10.00,I,20260101120000.1",
      "1,10.00,D,20260101120000.1",
      "2,20.00,D,20260101120000",
      "2,21.00,I,20260101120001",
    ],
    [{ vbeln: "2", netwr: "21.00" }],
  ],
  [
    "fivetran",
    "_fivetran_deleted,_fivetran_synced",
    ["1,11.00,false,2026-01-01T00:00:00.5Z", "1,10.00,false,2026-01-01T00:00:00Z", "2,20.00,true,2026-01-02T00:00:00Z"],
    [{ vbeln: "1", netwr: "11.00" }],
  ],
  [
    "qlik",
    "header__change_oper,header__change_seq",
    [
      "1,12.00,U,20260101120000000000000000000000002",
      "1,10.00,B,20260101120000000000000000000000003",
      "1,11.00,I,20260101120000000000000000000000001",
    ],
    [{ vbeln: "1", netwr: "12.00" }],
  ],
  [
    "debezium",
    "__op,__source_lsn",
    ["1,10.00,u,10", "1,9.00,c,9", "2,20.00,r,1", "2,20.00,d,2"],
    [{ vbeln: "1", netwr: "10.00" }],
  ],
  [
    "recordmode",
    "0RECORDMODE",
    ["1,10.00,N", "1,-10.00,X", "1,11.00,", "2,20.00,N", "2,20.00,R", "3,5.00,A"],
    [{ vbeln: "1", netwr: "11.00" }],
  ],
  ["plain", "", ["1,10.00", "1,11.00"], [{ vbeln: "1", netwr: "11.00" }]],
])("sapTable reads the changes of %s", async (format, columns, lines, expected) => {
  const header = columns === "" ? "MANDT,VBELN,NETWR" : `MANDT,VBELN,NETWR,${columns}`;
  const text = [header, ...lines.map((line) => `100,${line}`)].join("\n");
  const cwd = project({
    "transformations/t.ts": sapTable("VBAK", `changeFormat: "${format}"`),
    "landing/vbak/1.csv": `${text}\n`,
  });
  await run(cwd);
  expect(await orders(cwd)).toEqual(expected);
  if (format === "recordmode") {
    expect(await aside(cwd, "vbeln")).toEqual([{ vbeln: "3", status: "ADDITIVE_NOT_ALLOWED" }]);
  }
});

it.each(['onArchiveDelete: "keep"', 'onArchiveDelete: "keep", scdType: 2', ""])(
  "sapTable tells archiving from deletes (%s)",
  async (option) => {
    const cwd = project({
      "transformations/t.ts": sapTable("VBAK", `changeFormat: "fivetran", ${option}`),
      "landing/vbak/1.csv": `MANDT,VBELN,NETWR,_fivetran_deleted,_fivetran_sap_archived,_fivetran_synced
100,1,10.00,false,false,2026-01-01T00:00:00Z
100,2,20.00,false,,2026-01-01T00:00:00Z
`,
    });
    await run(cwd);
    writeProject(cwd, {
      "landing/vbak/2.csv": `MANDT,VBELN,NETWR,_fivetran_deleted,_fivetran_sap_archived,_fivetran_synced
100,1,,true,true,2026-01-02T00:00:00Z
100,2,,true,false,2026-01-02T00:00:00Z
`,
    });
    const told = await events(cwd);
    const open = await rows(
      cwd,
      `SELECT vbeln, netwr FROM vbak_cur${option.endsWith("2") ? " WHERE __END_AT IS NULL" : ""}`,
    );
    expect(open).toEqual(option === "" ? [] : [{ vbeln: "1", netwr: "10.00" }]);
    expect(JSON.stringify(told.events)).toContain(`"num_archived":${option === "" ? 0 : 1}`);
  },
);

const SOURCES = `${SPEC}sources:
  ECC: { release: ecc, numbers: eu, dates: DD.MM.YYYY, keys: stripped, client: "100", currencies: tcurx.csv }
`;
const TCURX = { "ingot.yml": SOURCES, "tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\n" };

it("a change that another file tells again changes nothing", async () => {
  const cwd = project({
    "transformations/t.ts": sapTable("VBAK", 'changeFormat: "slt"'),
    "landing/vbak/1.csv": `MANDT,VBELN,NETWR,OPERATION_FLAG,RECORDSTAMP
100,1,5.00,I,2026-01-15 10:30:00.25
100,2,6.00,I,20260115103001
`,
  });
  await run(cwd);
  const state = () => rows(cwd, "SELECT vbeln, netwr, CAST(event_ts AS STRING) AS at FROM vbak_cur ORDER BY vbeln");
  const before = await state();
  expect(before).toEqual([
    { vbeln: "1", netwr: "5.00", at: "2026-01-15 10:30:00" },
    { vbeln: "2", netwr: "6.00", at: "2026-01-15 10:30:01" },
  ]);
  writeProject(cwd, {
    "landing/vbak/2.csv": `MANDT,VBELN,NETWR,OPERATION_FLAG,RECORDSTAMP
100,2,6.00,I,20260115103001
100,1,5.00,I,2026-01-15 10:30:00.25
`,
  });
  const told = await events(cwd);
  expect(JSON.stringify(told.events)).toContain('"num_upserted_rows":0');
  expect(await state()).toEqual(before);
});

describe("sapTable by the conventions of a source", () => {
  it("decodes the columns by their types, once, and sets aside what cannot be read", async () => {
    const cwd = project({
      ...TCURX,
      "transformations/t.ts": sapTable(
        "VBAK",
        'columns: "typed", columnList: ["netwr", "waerk", "erdat", "erzet", "kunnr"]',
      ),
      "landing/vbak/1.csv": `VBELN,ERDAT,ERZET,NETWR,WAERK,KUNNR
4711,15.01.2026,240000,"1.234,50-",EUR,17
4712,,080000,"1,00",JPY,ABC
4713,31.02.2026,080000,"1,00",EUR,1
4714,15.01.2026,080000,"12A,00",EUR,1
`,
    });
    await run(cwd);
    expect(await rows(cwd, "SELECT * EXCEPT (event_ts) FROM vbak_cur ORDER BY vbeln")).toEqual([
      {
        mandt: "100",
        vbeln: "0000004711",
        erdat: "2026-01-15",
        erzet: "24:00:00",
        netwr: "-1234.50",
        waerk: "EUR",
        kunnr: "0000000017",
      },
      {
        mandt: "100",
        vbeln: "0000004712",
        erdat: null,
        erzet: "08:00:00",
        netwr: "100.00",
        waerk: "JPY",
        kunnr: "ABC",
      },
    ]);
    expect(await aside(cwd, "vbeln, _malformed")).toEqual([
      { vbeln: "0000004713", _malformed: "[INVALID_DATE] ERDAT=31.02.2026", status: "INVALID_DATE" },
      { vbeln: "0000004714", _malformed: "[MALFORMED_AMOUNT] NETWR=12A,00", status: "MALFORMED_AMOUNT" },
    ]);
  });

  it("meets both forms of a key in one row, which no row of another client changes", async () => {
    const cwd = project({
      ...TCURX,
      "transformations/t.ts": sapTable("VBAP"),
      "landing/vbap/1.csv": "VBELN,POSNR,ARKTX\n4711,10,short\n0000004711,000010,padded\n4711,20,\n",
    });
    await run(cwd);
    writeProject(cwd, {
      "landing/vbap/2.csv": "MANDT,VBELN,POSNR,ARKTX\n200,4711,10,other client\n100,4711,,no item\n",
    });
    await run(cwd);
    expect(await rows(cwd, "SELECT mandt, vbeln, posnr, arktx FROM vbap_cur ORDER BY mandt, posnr")).toEqual([
      { mandt: "100", vbeln: "0000004711", posnr: "000010", arktx: "padded" },
      { mandt: "100", vbeln: "0000004711", posnr: "000020", arktx: null },
    ]);
    expect(await rows(cwd, "SELECT arktx, _status FROM vbap_cdf_quarantine")).toEqual([
      { arktx: "no item", _status: "INVALID_PRIMARY_KEY" },
    ]);
  });

  it("keeps a blank part of a key where SAP has one (the header row of a split valuation)", async () => {
    const cwd = project({
      "transformations/t.ts": sapTable("MBEW", 'columnList: ["lbkum"]'),
      "landing/mbew/1.csv": "MANDT,MATNR,BWKEY,BWTAR,LBKUM\n100,M1,1000,,10\n100,M1,1000,A,4\n100,M1,,,1\n",
    });
    await run(cwd);
    expect(await rows(cwd, "SELECT bwtar, lbkum FROM mbew_cur ORDER BY lbkum")).toEqual([
      { bwtar: "", lbkum: "1" },
      { bwtar: "", lbkum: "10" },
      { bwtar: "A", lbkum: "4" },
    ]);
  });
});

describe("sapTable", () => {
  it("takes a table that no dictionary has by the keys that are named", async () => {
    const cwd = project({
      "transformations/t.ts": sapTable("ZORD", 'keys: ["ID"], changeFormat: "slt", scdType: 2'),
      "landing/zord/1.csv": "ID,AMOUNT,OPERATION_FLAG,RECORDSTAMP\n1,5,I,20260101\n1,6,U,20260102\n,7,I,20260101\n",
    });
    await run(cwd);
    expect(await rows(cwd, "SELECT ID, AMOUNT, __END_AT IS NULL AS now FROM zord_cur ORDER BY AMOUNT")).toEqual([
      { ID: "1", AMOUNT: "5", now: false },
      { ID: "1", AMOUNT: "6", now: true },
    ]);
  });

  it("reads the change feed of a table that is there", async () => {
    const cwd = project({
      "landing/1.csv": "MANDT,VBELN,NETWR\n100,1,5\n",
      "transformations/t.ts": `import { sapTable } from "ingot/sap";
import { table, sql } from "ingot";
const bronze = table("bronze.x", {
  tableProperties: { "delta.enableChangeDataFeed": true },
  query: sql\`SELECT * FROM STREAM read_files('landing/*.csv', format => 'csv', header => true)\`,
});
sapTable("VBAK", { from: bronze, changeFormat: "cdf", columnList: ["netwr"] });
`,
    });
    await run(cwd);
    writeProject(cwd, { "landing/2.csv": "MANDT,VBELN,NETWR\n100,1,6\n" });
    await run(cwd);
    expect(await orders(cwd)).toEqual([{ vbeln: "1", netwr: "6" }]);
  });

  it("finds its files where the source lands them", async () => {
    const cwd = project({
      "ingot.yml": `${SPEC}sources:
  OLD: { release: ecc, codepage: "1160", landing: "in/{table}", files: csv }
  NEW: { release: s4, landing: "in/{TABLE}/*.json", files: json }
`,
      "transformations/t.ts": `import { sapTable } from "ingot/sap";
sapTable("KNA1", { system: "OLD", columnList: ["name1"] });
sapTable("T001", { system: "NEW", columnList: ["butxt"] });
`,
      "in/kna1/1.csv": Buffer.from('MANDT,KUNNR,NAME1\n100,1,"Größe\nL"\n100,2,a,b\n', "latin1"),
      "in/T001/1.json": '{"MANDT":"100","BUKRS":"1000","BUTXT":"Größe"}\n',
    });
    await run(cwd);
    expect(await rows(cwd, "SELECT kunnr, name1 FROM kna1_cur")).toEqual([{ kunnr: "1", name1: "Größe\nL" }]);
    expect(await rows(cwd, "SELECT _status AS s, _source_row AS row FROM kna1_cdf_quarantine")).toEqual([
      { s: "MALFORMED_RECORD", row: "2" },
    ]);
    expect(await rows(cwd, "SELECT bukrs, butxt FROM t001_cur")).toEqual([{ bukrs: "1000", butxt: "Größe" }]);
  });

  it("takes a format's columns in the spelling that a schema has", async () => {
    const cwd = project({
      "transformations/t.ts": `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
sapTable("VBAK", { changeFormat: "slt", where: "VBELN <> '9'", from: readFiles("landing", { format: "csv", header: true, enforceSchema: false,
  schema: "mandt STRING, VBELN STRING, NETWR STRING, IUUC_OPERATION STRING, RECORDSTAMP STRING" }) });
`,
      "landing/1.csv":
        "mandt,VBELN,NETWR,IUUC_OPERATION,RECORDSTAMP\n100,1,5,I,1\n100,1,6,U,2\n100,2,6,D,2\n100,9,6,I,2\n",
    });
    await run(cwd);
    expect(await rows(cwd, "SELECT mandt, vbeln, netwr FROM vbak_cur")).toEqual([
      { mandt: "100", vbeln: "1", netwr: "6" },
    ]);
  });

  it.each([
    ["no files", 'sapTable("VBAK")', "BAD_OPTION", "landing"],
    ["no key", 'sapTable("ZORD", { from })', "AUTOCDC_EMPTY_KEYS", 'keys: ["id"]'],
    ["a misspelt table", 'sapTable("VBAKK", { from })', "AUTOCDC_EMPTY_KEYS", "Did you mean VBAK?"],
    [
      "a misspelt option",
      'sapTable("VBAK", { from, key: ["vbeln"] } as never)',
      "UNKNOWN_OPTION",
      "Did you mean `keys`?",
    ],
    [
      "a misspelt field",
      'sapTable("VBAK", { from, columnList: ["netwrr" as never] })',
      "BAD_OPTION",
      "Did you mean netwr?",
    ],
    ["an unknown source", 'sapTable("VBAK", { from, system: "S4" })', "SAP_SOURCE_NOT_FOUND", "sources"],
    ["types of an unknown table", 'sapTable("ZORD", { from, keys: ["id"], columns: "typed" })', "BAD_OPTION", "DD03L"],
    [
      "a counter as a sequence",
      'sapTable("VBAK", { from, changeFormat: "odq", sequenceBy: "ODQ_ENTITYCNTR" })',
      "BAD_OPTION",
      "counter",
    ],
    [
      "archived rows that nothing tells",
      'sapTable("VBAK", { from, changeFormat: "odq", onArchiveDelete: "keep" })',
      "BAD_OPTION",
      "applyAsDeletes",
    ],
    [
      "changes that nothing orders",
      'sapTable("VBAK", { from: "other", changeFormat: "odq" })',
      "BAD_OPTION",
      "sequenceBy",
    ],
    [
      "a schema without the key",
      'sapTable("VBAK", { from: readFiles("x", { format: "csv", schema: "VBELN STRING" }) })',
      "BAD_OPTION",
      "MANDT",
    ],
    [
      "a schema without the operation",
      'sapTable("VBAK", { changeFormat: "slt", from: readFiles("x", { format: "csv", schema: "MANDT STRING, VBELN STRING" }) })',
      "BAD_OPTION",
      "OPERATION_FLAG",
    ],
    [
      "a landing table's option",
      'sapTable("VBAK", { from: "other", sequenceBy: "x", names: { bronze: "b" } })',
      "BAD_OPTION",
      "names.bronze",
    ],
  ])("refuses %s at its place", async (_, call, code, words) => {
    const cwd = project({
      "transformations/t.ts": `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
const from = readFiles("landing", { format: "csv", header: true });
void from;
${call};
`,
    });
    const told = await refusal(cwd, "dry-run");
    expect(told).toMatchObject({ code: 3, errors: [{ code, at: "transformations/t.ts:5:1" }] });
    expect(`${told.errors[0]?.message} ${told.errors[0]?.hint}`).toContain(words);
  });
});

it("tables with fields of every type are read by their decoders", async () => {
  const dictionary = await openDictionary("s4");
  const names = ["AUSP", "BKPF", "EKPO", "T001W", "T006", "VBFA"];
  const files = names.map((name) => {
    const key = keyOf(dictionary.table(name) as DictionaryTable);
    return [`landing/${name}/1.csv`, `${key.join(",")}\n${key.map(() => "1").join(",")}\n`] as const;
  });
  const cwd = project({
    "ingot.yml": `${SPEC}sources: { ECC: { release: s4, currencies: tcurx.csv } }\n`,
    "tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\n",
    "transformations/t.ts": `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
for (const table of ${JSON.stringify(names)})
  sapTable(table, { from: readFiles(\`landing/\${table}\`, { format: "csv", header: true }), columns: "typed" });
`,
    ...Object.fromEntries(files),
  });
  const { code, stderr } = await ingot(["dry-run"], { cwd });
  expect(code, stderr).toBe(0);
});

describe("texts", () => {
  const MAKT = "MANDT,MATNR,SPRAS,MAKTX\n";
  const view = (options: string, from = "makt") => `import { materializedView, readFiles, ref, sql } from "ingot";
import { sapTable, texts } from "ingot/sap";
const makt = sapTable("MAKT", { from: readFiles("landing/makt", { format: "csv", header: true }), scdType: 2 });
materializedView("materials", sql\`
  SELECT m.id, t.maktx, t.spras FROM VALUES ('M1'), ('M2'), ('M3'), ('M4'), ('M5') AS m(id)
  LEFT JOIN \${texts(${from}, ${options})} AS t ON t.mandt = '100' AND t.matnr = m.id\`);
void [makt, ref];
`;
  const files = (text: string) => ({
    "transformations/t.ts": text,
    // M2 has no English text, M3 a language `e` that is another one, M4 none at all; M5 comes by its ISO code.
    "landing/makt/1.csv": `${MAKT}100,M1,E,pump
100,M1,D,Pumpe
200,M1,E,other client
100,M2,D,Rad
100,M2,J,wheel
100,M3,e,not English
100,M5,EN,by ISO
`,
  });

  it("gives one row a key: the wanted language, then the fallbacks, and NULL where there is none", async () => {
    const cwd = project(files(view('{ language: "E", fallback: ["DE"] }')));
    await run(cwd);
    writeProject(cwd, { "landing/makt/2.csv": `${MAKT}100,M1,E,pump 2\n` });
    await run(cwd);
    expect(await rows(cwd, "SELECT * FROM materials ORDER BY id")).toEqual([
      { id: "M1", maktx: "pump 2", spras: "E" },
      { id: "M2", maktx: "Rad", spras: "D" },
      { id: "M3", maktx: null, spras: null },
      { id: "M4", maktx: null, spras: null },
      { id: "M5", maktx: "by ISO", spras: "EN" },
    ]);
  });

  it.each([
    ["a relation whose table is not said", '{ language: "E" }', 'ref("makt_cur")', "table"],
    ["a table without texts", '{ table: "VBAK" }', 'ref("makt_cur")', "MAKT"],
    ["what is no language", '{ language: "English" }', "makt", "ISO"],
  ])("refuses %s", async (_, options, from, words) => {
    const told = await refusal(project(files(view(options, from))), "dry-run");
    expect(told).toMatchObject({ code: 3, errors: [{ code: "BAD_OPTION" }] });
    expect(`${told.errors[0]?.message} ${told.errors[0]?.hint}`).toContain(words);
  });
});

describe("amounts that grow from 13.2 to 23.2, as from ECC to S/4HANA", () => {
  const KEY = "MANDT,BUKRS,BELNR,GJAHR,BUZEI";
  const LONG = "123456789012345678901.25";
  const spec = (release: string) => `${SPEC}sources:\n  ERP: { release: ${release}, currencies: tcurx.csv }\n`;
  const bseg = (more = "") => sapTable("BSEG", `columns: "typed", columnList: ["dmbtr", "pswbt", "pswsl"],${more}`);
  const amounts = (cwd: string) =>
    rows(cwd, "SELECT belnr, dmbtr, typeof(dmbtr) AS type, pswbt FROM bseg_cur ORDER BY belnr");

  async function widened(more?: string): Promise<string> {
    const cwd = project({
      "ingot.yml": spec("ecc"),
      "tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\n",
      "transformations/t.ts": bseg(more),
      "landing/bseg/1.csv": `${KEY},DMBTR,PSWBT,PSWSL\n100,1000,1,2026,1,12345678901.50,1.00,JPY\n100,1000,2,2026,1,${LONG},1.00,JPY\n`,
    });
    await run(cwd);
    expect(await amounts(cwd)).toEqual([
      { belnr: "0000000001", dmbtr: "12345678901.50", type: "decimal(13,2)", pswbt: "100.00" },
    ]);
    writeProject(cwd, {
      "ingot.yml": spec("s4"),
      "landing/bseg/2.csv": `${KEY},DMBTR,PSWBT,PSWSL\n100,1000,2,2026,1,${LONG},${LONG},JPY\n100,1000,3,2026,1,${LONG},x,JPY\n`,
    });
    return cwd;
  }

  it("are read as they are, before and after, where the table may become wider", async () => {
    const cwd = await widened('tableProperties: { "delta.enableTypeWidening": true }');
    await run(cwd);
    expect(await amounts(cwd)).toEqual([
      { belnr: "0000000001", dmbtr: "12345678901.50", type: "decimal(23,2)", pswbt: "100.00" },
      { belnr: "0000000002", dmbtr: LONG, type: "decimal(23,2)", pswbt: "12345678901234567890125.00" },
    ]);
    expect(await rows(cwd, "SELECT belnr, dmbtr, _status FROM bseg_cdf_quarantine ORDER BY belnr")).toEqual([
      { belnr: "0000000002", dmbtr: null, _status: "MALFORMED_AMOUNT" },
      { belnr: "0000000003", dmbtr: LONG, _status: "MALFORMED_AMOUNT" },
    ]);
    // What came as text is as it was.
    expect(await rows(cwd, "SELECT DISTINCT typeof(dmbtr) AS type FROM bronze.bseg")).toEqual([{ type: "string" }]);
    writeProject(cwd, {
      "landing/bseg/3.csv": `${KEY},DMBTR,PSWBT,PSWSL\n100,1000,1,2026,1,-${LONG},1.00,JPY\n`,
    });
    await run(cwd);
    expect((await amounts(cwd)).map(({ dmbtr }) => dmbtr)).toEqual([`-${LONG}`, LONG]);
  });

  it("are refused before anything is written where it may not", async () => {
    const cwd = await widened();
    const told = await refusal(cwd, "run");
    expect(told.errors).toMatchObject([
      {
        code: "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
        message: expect.stringContaining(
          "the column dmbtr is decimal(13,2) in the table and decimal(23,2) in the query",
        ),
        hint: expect.stringContaining("'delta.enableTypeWidening' = 'true'"),
      },
    ]);
    expect(await amounts(cwd)).toHaveLength(1);
  });
});

it("columns of the snapshot have the texts of DD04T as their comments", async () => {
  const cwd = project({
    "ingot.yml": `${SPEC}sources:\n  ERP: { release: ecc, dictionary: [dd03l.csv, dd04t.csv] }\n`,
    "dd03l.csv":
      "TABNAME,FIELDNAME,KEYFLAG,DATATYPE,LENG,DECIMALS,REFTABLE,REFFIELD,ROLLNAME,DOMNAME,POSITION\nZT,MANDT,X,CLNT,3,0,,,MANDT,,1\nZT,NR,X,CHAR,10,0,,,ZNR,,2\nZT,TXT,,CHAR,40,0,,,ZTXT,,3\n",
    "dd04t.csv": "ROLLNAME,DDLANGUAGE,DDTEXT\nZNR,E,Number of the box\nMANDT,E,Client\n",
    "transformations/t.ts": sapTable("ZT", "scdType: 2"),
    "landing/zt/1.csv": "MANDT,NR,TXT\n100,1,a\n",
  });
  await run(cwd);
  const log = readFileSync(join(cwd, "storage/warehouse/default/zt_cur/_delta_log/00000000000000000000.json"), "utf8");
  const { schemaString } = log.split("\n").flatMap((line) => {
    const { metaData } = JSON.parse(line || "{}") as { metaData?: { schemaString: string } };
    return metaData ?? [];
  })[0] ?? { schemaString: "{}" };
  const { fields } = JSON.parse(schemaString) as { fields: { name: string; metadata: { comment?: string } }[] };
  expect(fields.map(({ name, metadata }) => [name, metadata.comment])).toEqual([
    ["mandt", "Client"],
    ["nr", "Number of the box"],
    ["txt", undefined],
    ["event_ts", undefined],
    ["__START_AT", undefined],
    ["__END_AT", undefined],
  ]);
  const { stdout } = await ingot(["run", "--explain"], { cwd });
  expect(stdout).toContain("nr COMMENT 'Number of the box'");
});
