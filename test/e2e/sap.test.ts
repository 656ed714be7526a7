import { describe, expect, it } from "vitest";
import { ingot, projectMaker, SPEC, temporaryFolder, writeProject } from "./cli.js";

const project = projectMaker();
/** A spec without definitions. */
const BARE = "name: test\nstorage: storage\n";

const SOURCES = `sources:
  ECC:
    release: ecc
    numbers: eu
    dates: DD.MM.YYYY
    currencies: ddic/tcurx.csv
    dictionary: [ddic/dd03l.csv, ddic/dd04t.json, ddic/dd07t.csv]
  S4: { release: s4, client: "100" }
`;
const DDIC = {
  "ddic/tcurx.csv": "CURRKEY;CURRDEC\nJPY;0\nTND;3\n",
  "ddic/t006.csv": `MANDT;MSEHI;DIMID;ZAEHL;NENNR;EXP10;ADDKO
100;KG;MASS;1;1;0;0,000000
100;G;MASS;1;1;3-;0,000000
100;CEL;TEMP;1;1;0;273,150000
100;FAH;TEMP;5;9;0;255,372222
200;KG;MASS;2;1;0;0,000000
`,
  "ddic/t006a.csv": "MANDT;SPRAS;MSEHI;MSEH3\n100;E;KG;KG\n100;E;ST;PC\n200;E;ST;EA\n",
  "ddic/dd03l.csv": `TABNAME,FIELDNAME,AS4LOCAL,POSITION,KEYFLAG,ROLLNAME,DOMNAME,DATATYPE,LENG,DECIMALS,REFTABLE,REFFIELD
ZORD,.INCLUDE,A,0002,,,,,000000,000000,,
ZORD,AMOUNT,A,0004,,ZAMOUNT,,CURR,000013,000002,ZHEAD,WAERS
ZORD,MANDT,A,0001,X,MANDT,,CLNT,000003,000000,,
ZORD,STATUS,A,0005,,ZSTATUS,ZSTAT,CHAR,000001,000000,,
ZORD,OLD,L,0006,,,,CHAR,000001,000000,,
ZORD,ID,A,0003,X,ZID,,NUMC,000006,000000,,
`,
  "ddic/dd04t.json": JSON.stringify([
    { rollname: "ZID", ddlanguage: "D", as4local: "A", ddtext: "Nummer" },
    { rollname: "ZID", ddlanguage: "E", as4local: "A", ddtext: "Number" },
    { rollname: "ZAMOUNT", ddlanguage: "D", as4local: "A", ddtext: "Betrag" },
  ]),
  "ddic/dd07t.csv": `DOMNAME,DDLANGUAGE,AS4LOCAL,DOMVALUE_L,DDTEXT
ZSTAT,E,A,,not relevant
ZSTAT,E,A,C,completed
`,
};

describe("the sources of the spec", () => {
  const files = {
    ...DDIC,
    "ingot.yml": SPEC + SOURCES,
    "landing/a.csv": 'day,amount,cur\n15.01.2026,"1.234,50-",JPY\n00.00.0000,"0,01",TND\n31.12.2025,"12,34",EUR\n',
    "transformations/all.sql": `CREATE MATERIALIZED VIEW amounts AS SELECT sap_date(day, source => 'ECC') AS day,
      sap_curr(sap_number(amount, 13, 2, source => 'ecc'), cur, source => 'ECC') AS amount
      FROM read_files('landing', format => 'csv', header => true, schema => 'day STRING, amount STRING, cur STRING');`,
  };
  it("say how the decoders read a table", async () => {
    const cwd = project(files);
    expect(await ingot(["run", "--quiet"], { cwd })).toMatchObject({ code: 0 });
    const { stdout } = await ingot(["query", "SELECT * FROM amounts ORDER BY amount", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({
      columns: [
        { name: "day", type: "date" },
        { name: "amount", type: "decimal(16,3)" },
      ],
      rows: [
        { day: "2026-01-15", amount: "-123450.000" },
        { day: null, amount: "0.001" },
        { day: "2025-12-31", amount: "12.340" },
      ],
    });
  });
  it("say what units are", async () => {
    const cwd = project({
      ...DDIC,
      "transformations/all.sql": "CREATE MATERIALIZED VIEW one AS SELECT 1 AS n;",
      "ingot.yml": `${SPEC}sources:\n  A: {release: ecc, client: "100", numbers: eu, units: [ddic/t006.csv, ddic/t006a.csv]}\n`,
    });
    const query = `SELECT sap_convert_unit(1500.0, 'G', 'KG', 2) AS kg, sap_convert_unit(212.0, 'FAH', 'CEL', 1) AS cel,
      try_sap_convert_unit(1.0, 'LB', 'KG', 2) AS lb, sap_unit('PC', 'EN') AS unit, sap_unit_external('ST', 'E') AS shown`;
    const { stdout } = await ingot(["query", query, "--json"], { cwd });
    expect(JSON.parse(stdout).rows).toEqual([{ kg: "1.50", cel: "100.0", lb: null, unit: "ST", shown: "PC" }]);
  });
  it("change a table when they change", async () => {
    const cwd = project(files);
    await ingot(["run", "--quiet"], { cwd });
    writeProject(cwd, { "ddic/tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\nTND,2\n" });
    await ingot(["run", "--quiet"], { cwd });
    const { stdout } = await ingot(["query", "SELECT amount FROM amounts WHERE day IS NULL", "--json"], { cwd });
    expect(JSON.parse(stdout).rows).toEqual([{ amount: "0.01" }]);
  });
  it.each([
    ["several, and none is named", "sap_date(day)", "SAP_SOURCE_NOT_FOUND"],
    ["none of this name", "sap_date(day, source => 'BW')", "SAP_SOURCE_NOT_FOUND"],
    ["no TCURX", "sap_curr(1.00, cur, source => 'S4')", "INVALID_SAP_ARGUMENT"],
    ["an unknown format", "sap_date(day, 'YMD')", "INVALID_SAP_ARGUMENT"],
    [
      "a shift of what was shifted",
      "sap_curr(sap_curr(1.00, 0, source => 'ECC'), 0, source => 'ECC')",
      "INVALID_SAP_ARGUMENT",
    ],
  ])("are refused before a run: %s", async (_, call, code) => {
    const sql = files["transformations/all.sql"].replace("sap_date(day, source => 'ECC')", call);
    const { stderr, code: exit } = await ingot(["dry-run"], {
      cwd: project({ ...files, "transformations/all.sql": sql }),
    });
    expect([exit, stderr]).toEqual([3, expect.stringContaining(code)]);
    expect(stderr).toContain("all.sql:1:");
  });
  it("need no name where a call says all itself", async () => {
    const cwd = project(files);
    const { stdout } = await ingot(
      ["query", "SELECT sap_date('2/6/19', 'M/D/YY') AS d, sap_time('240000') AS t", "--json"],
      { cwd },
    );
    expect(JSON.parse(stdout).rows).toEqual([{ d: "2019-02-06", t: "24:00:00" }]);
  });
  it("stop a run by the reason of a malformed value", async () => {
    const cwd = project({ ...files, "landing/b.csv": "day,amount,cur\n31.02.2026,1,EUR\n" });
    const { code, stderr } = await ingot(["run"], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining("INVALID_DATE")]);
    expect(stderr).toContain("sap_date cannot read: 31.02.2026");
  });
  it.each([
    ["release: ecd", "sources.A.release", "Did you mean ecc?"],
    ["release: ecc, dates: YMD", "sources.A.dates", "YYYYMMDD"],
    ['release: ecc, client: "1000"', "sources.A.client", "three digits"],
    ["release: ecc, codepage: '9999'", "sources.A.codepage", "4110"],
    ["release: ecc, currencies: [x]", "sources.A.currencies", "text"],
    ["release: ecc, number: us", "sources.A.number", "numbers"],
    ["release: ecc, units: [1]", "sources.A.units", "t006.csv"],
    ["release: ecc, landing: landing", "sources.A.landing", "landing/{table}"],
    ["release: ecc, files: csv", "sources.A.files", "Add `landing"],
    ['release: ecc, landing: "in/{table}", files: xml', "sources.A.files", "parquet"],
    ["numbers: us", "sources.A.release", "release: ecc"],
  ])("are checked where they stand: {%s}", async (keys, object, hint) => {
    const cwd = project({ "ingot.yml": `${BARE}sources:\n  A: {${keys}}\n` });
    const { code, stderr } = await ingot(["dry-run"], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain(object);
    expect(stderr).toContain(hint);
    expect(stderr).toMatch(/ingot\.yml:4:\d+/);
  });
  it("have names that a query can write", async () => {
    const cwd = project({ "ingot.yml": `${BARE}sources:\n  "A'B": {release: ecc}\n` });
    expect((await ingot(["dry-run"], { cwd })).stderr).toContain("is no name of a source");
  });
  it.each([
    ["is not there", "currencies: no.csv"],
    ["is another table", "currencies: ddic/dd07t.csv"],
    ["holds no decimals", "currencies: bad.csv"],
    ["holds no units", "units: [ddic/tcurx.csv]"],
    ["holds those of several clients", "units: [ddic/t006.csv]"],
    ["holds a unit without a number", "units: [bad-units.csv]"],
  ])("name a file that %s", async (_, key) => {
    const cwd = project({
      ...DDIC,
      "bad.csv": "CURRKEY,CURRDEC\nJPY,x\n",
      "bad-units.csv": "MSEHI,DIMID,ZAEHL,NENNR,EXP10,ADDKO\nKG,MASS,1,x,0,0\n",
      "ingot.yml": `${BARE}sources:\n  A: {release: ecc, ${key}}\n`,
    });
    const { code, stderr } = await ingot(["dry-run"], { cwd });
    expect([code, stderr]).toEqual([3, expect.stringContaining("SAP_EXTRACT_INVALID")]);
    expect(stderr).toMatch(/ingot\.yml:4:\d+/);
  });
});

it("a decoder's reason sets a row aside, and the others arrive", async () => {
  const cwd = project({
    "landing/a.csv": "id,netwr\n1,1234.50-\n2,12A.40\n3,\n",
    "transformations/all.sql": `CREATE STREAMING TABLE amounts (
      CONSTRAINT amount EXPECT (sap_number_reason(netwr, 15, 2) IS NULL) ON VIOLATION QUARANTINE ROW
    ) AS SELECT id, netwr, try_sap_number(netwr, 15, 2) AS amount
    FROM STREAM read_files('landing', format => 'csv', header => true, schema => 'id INT, netwr STRING');`,
  });
  expect(await ingot(["run", "--quiet"], { cwd })).toMatchObject({ code: 0 });
  const { stdout } = await ingot(["query", "SELECT id, amount FROM amounts ORDER BY id", "--json"], { cwd });
  expect(JSON.parse(stdout).rows).toEqual([
    { id: 1, amount: "-1234.50" },
    { id: 3, amount: null },
  ]);
});

describe("ingot sap describe", () => {
  it("shows a table as a release has it, without a project", async () => {
    const cwd = temporaryFolder();
    const ecc = await ingot(["sap", "describe", "vbfa"], { cwd });
    expect(ecc.code).toBe(0);
    expect(ecc.stdout).toContain("key  VBTYP_N    CHAR 1\n");
    const s4 = JSON.parse((await ingot(["sap", "describe", "VBFA", "--release", "s4", "--json"], { cwd })).stdout);
    expect(s4).toMatchObject({ name: "VBFA", release: "s4", client: "MANDT", key: ["MANDT", "RUUID"] });
    const amount = JSON.parse((await ingot(["sap", "describe", "EKPO", "--json"], { cwd })).stdout);
    expect(amount.fields).toContainEqual({
      name: "NETPR",
      type: "CURR",
      length: 11,
      decimals: 2,
      key: false,
      reference: { table: "EKKO", field: "WAERS" },
    });
  });
  it("lists the tables, and knows what a misspelt one may mean", async () => {
    const cwd = temporaryFolder();
    const { stdout } = await ingot(["sap", "describe", "--json"], { cwd });
    expect(JSON.parse(stdout).tables).toHaveLength(64);
    const { code, stderr } = await ingot(["sap", "describe", "VBACK"], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining("Did you mean VBAK?")]);
  });
  it("takes tables and texts from a source's own extracts", async () => {
    const cwd = project({ ...DDIC, "ingot.yml": BARE + SOURCES });
    const { stdout } = await ingot(["sap", "describe", "ZORD", "--source", "ecc"], { cwd });
    expect(stdout).toContain(`  key  MANDT   CLNT 3
  key  ID      NUMC 6     Number
       AMOUNT  CURR 13.2  in ZHEAD-WAERS; Betrag
       STATUS  CHAR 1     blank not relevant, C completed
`);
    expect((await ingot(["sap", "describe", "VBAK", "--source", "S4", "--json"], { cwd })).stdout).toContain("GBSTK");
    expect((await ingot(["sap", "describe", "ZORD"], { cwd })).stderr).toContain("SAP_SOURCE_NOT_FOUND");
  });
  it("takes tables that a project has written down", async () => {
    const spec = (file: string) => `${BARE}sources: {S4: {release: s4, dictionary: [${file}]}}\n`;
    const own = "ZPOS: Items\r\nkey MANDT CLNT3, MATNR CHAR18/40\r\n    AMOUNT CURR13.2 WAERS\r\n";
    const cwd = project({ "ddic/own.txt": own, "ingot.yml": spec("ddic/own.txt") });
    const { stdout } = await ingot(["sap", "describe", "zpos"], { cwd });
    expect(stdout).toContain("  key  MATNR   CHAR 40\n       AMOUNT  CURR 13.2  in WAERS\n");
    const bad = project({ "bad.txt": "ZPOS: Items\nkey mandt\n", "ingot.yml": spec("bad.txt") });
    expect((await ingot(["sap", "describe", "ZPOS"], { cwd: bad })).stderr).toContain("no field of a table: mandt");
  });
});

describe("ingot sap check", () => {
  const HEADER = "MANDT,VBELN,ERDAT,NETWR,WAERK,ZZNEW,ODQ_CHANGEMODE";
  const CSV = `${HEADER}
100,0000004711,20260115,1234.50-,EUR,x,C
100,0000004712,20260231,12A.40,EUR,,C
,00000047130,00000000,1.005,EURO12,,U
`;
  it("counts what does not fit the dictionary, with the first rows", async () => {
    const cwd = writeProject(temporaryFolder(), { "vbak.csv": CSV });
    const { code, stdout } = await ingot(["sap", "check", "vbak.csv", "--table", "VBAK", "--json", "--limit", "1"], {
      cwd,
    });
    expect(code).toBe(4);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      table: "VBAK",
      rows: 3,
      missingKeys: [],
      unknown: ["ZZNEW"],
      changes: ["ODQ_CHANGEMODE"],
    });
    expect(report.missing).toContain("AUART");
    expect(report.findings).toEqual([
      { column: "MANDT", reason: "INVALID_PRIMARY_KEY", count: 1, rows: [{ MANDT: null, VBELN: "00000047130" }] },
      { column: "VBELN", reason: "VALUE_TOO_LONG", count: 1, rows: [{ MANDT: null, VBELN: "00000047130" }] },
      {
        column: "ERDAT",
        reason: "INVALID_DATE",
        count: 1,
        rows: [{ MANDT: "100", VBELN: "0000004712", ERDAT: "20260231" }],
      },
      {
        column: "NETWR",
        reason: "MALFORMED_AMOUNT",
        count: 2,
        rows: [{ MANDT: "100", VBELN: "0000004712", NETWR: "12A.40" }],
      },
      {
        column: "WAERK",
        reason: "VALUE_TOO_LONG",
        count: 1,
        rows: [{ MANDT: null, VBELN: "00000047130", WAERK: "EURO12" }],
      },
    ]);
  });
  it("reads by the conventions of a source, whose client may be left out", async () => {
    const files = {
      "ingot.yml": `${BARE}sources: {ECC: {release: ecc, client: "100", numbers: eu, dates: DD.MM.YYYY, codepage: "1160"}}\n`,
    };
    const cwd = project({
      ...files,
      "x/vbak.csv": Buffer.from("VBELN;ERDAT;NETWR;ERNAM\n0000004711;15.01.2026;1.234,50;M\u00fcller\n", "latin1"),
    });
    const args = ["sap", "check", "x", "--table", "VBAK", "--sep", ";"];
    const { code, stdout } = await ingot(args, { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining("No faults.")]);
    const bare = writeProject(temporaryFolder(), { "x/a.csv": "VBELN;ERDAT\n1;15.01.2026\n" });
    const found = await ingot(args, { cwd: bare });
    expect([found.code, found.stdout]).toEqual([4, expect.stringContaining("key missing: MANDT\n")]);
    const ids = writeProject(cwd, { "y/mbew.csv": "LFMON\n07\n7\n" });
    expect((await ingot(["sap", "check", "y", "--table", "MBEW"], { cwd: ids })).stdout).toContain(
      "NOT_PADDED in LFMON: 1",
    );
    expect(found.stdout).toContain('INVALID_DATE in ERDAT: 1\n  VBELN="1" ERDAT="15.01.2026"\n');
  });
});
