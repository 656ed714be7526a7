import { beforeAll, describe, expect, it } from "vitest";
import { projectMaker, refusal, rows, run, SPEC } from "./cli.js";

/** Faults of public examples by the names of the specification (1.6): each is a query that would fall into one. */

const project = projectMaker();
let cwd = "";
const query = (text: string) => rows(cwd, text);

const TABLES =
  "VBAK VBAP VBPA VBKD VBFA VBUK MAKT EKKO EKPO EKBE QAVE T001L MCH1 LFM1 LFB1 MBEW T001W MARD MARDH".split(" ");

/** Files of `landing/<table>/<n>.csv`, from a name with a header and lines each. */
function landing(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, lines]) => {
      const [table = "", number = "1"] = name.split("/");
      const text = lines
        .trim()
        .split("\n")
        .map((line) => line.trim())
        .join("\n");
      return [`landing/${table}/${number}.csv`, `${text}\n`];
    }),
  );
}

beforeAll(async () => {
  cwd = project({
    "ingot.yml": `${SPEC}sources: { ECC: { release: ecc, currencies: tcurx.csv } }\n`,
    "tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\n",
    "transformations/t.ts": `import { readFiles } from "ingot";
import { purchaseOrder, salesOrder, sapTable } from "ingot/sap";
const tables = Object.fromEntries(${JSON.stringify(TABLES)}.map((name) => [
  name.toLowerCase(),
  sapTable(name, { from: readFiles(\`landing/\${name}\`, { format: "csv", header: true }), columns: "typed" }),
]));
const { vbak, vbap, vbpa, vbkd, vbfa, vbuk, ekko, ekpo, ekbe } = tables;
salesOrder({ header: vbak!, items: vbap!, partners: vbpa!, business: vbkd!, flow: vbfa!, status: vbuk! });
purchaseOrder({ header: ekko!, items: ekpo!, history: ekbe! });
`,
    ...landing({
      VBAK: `MANDT,VBELN
        100,4711
        100,4712
        200,4711`,
      VBAP: `MANDT,VBELN,POSNR,MATNR,KWMENG,VRKME,MEINS
        100,4711,10,M1,10,ST,ST
        100,4711,20,M2,5,ST,ST
        100,4712,10,M1,1,ST,ST
        200,4711,10,M1,7,ST,ST`,
      VBPA: `MANDT,VBELN,POSNR,PARVW,KUNNR
        100,4711,0,WE,C1
        100,4711,20,WE,C2
        200,4711,0,WE,C9`,
      VBKD: `MANDT,VBELN,POSNR,ZTERM
        100,4711,0,Z030`,
      VBFA: `MANDT,VBELV,POSNV,VBELN,POSNN,VBTYP_N,STUFE,PLMIN,RFMNG,MEINS
        100,4711,10,8001,10,J,00,+,4,ST
        100,4711,10,8002,10,J,00,+,6,ST
        100,4711,10,9001,10,M,01,+,4,ST`,
      VBUK: `MANDT,VBELN,GBSTK
        100,4711,B
        100,4712,`,
      MAKT: `MANDT,MATNR,SPRAS,MAKTX
        100,M1,E,pump
        100,M1,e,not English`,
      EKKO: `MANDT,EBELN,BSART,KTWRT,WAERS,LOEKZ
        100,45,NB,999.00,EUR,
        100,46,UB,0,EUR,`,
      EKPO: `MANDT,EBELN,EBELP,PSTYP,MENGE,NETPR,PEINH,NETWR,LOEKZ,ELIKZ,EREKZ,RETPO
        100,45,10,0,10,1500.00,100,150.00,,,,
        100,45,20,3,4,5.00,1,20.00,,,,
        100,46,10,7,2,1.00,1,2.00,L,,,`,
      EKBE: `MANDT,EBELN,EBELP,ZEKKN,VGABE,GJAHR,BELNR,BUZEI,SHKZG,MENGE
        100,45,10,0,1,2026,5001,1,S,6
        100,45,10,0,2,2026,5101,1,S,4`,
      QAVE: `MANDANT,PRUEFLOS,KZART,ZAEHLER,VBEWERTUNG
        100,1,L,,A
        100,1,T,1,R
        100,2,L,,R`,
      T001L: `MANDT,WERKS,LGORT,LGOBE
        100,1000,0001,Old name
        100,1000,0001,Main
        100,1000,0002,Spare
        100,2000,0001,Other`,
      MCH1: `MANDT,MATNR,CHARG,VFDAT
        100,M1,B1,20270101
        100,M2,B1,20280101`,
      LFM1: `MANDT,LIFNR,EKORG,WAERS
        100,7,1000,EUR
        100,7,2000,USD`,
      LFB1: `MANDT,LIFNR,BUKRS,ZTERM
        100,7,1000,Z001
        100,7,2000,Z002
        100,7,3000,Z003`,
      T001W: `MANDT,WERKS,BWKEY
        100,1000,V100`,
      MBEW: `MANDT,MATNR,BWKEY,BWTAR,LBKUM,SALK3
        100,M1,V100,,10,100.00
        100,M1,V100,NEW,6,70.00
        100,M1,V100,USED,4,30.00`,
      // Note 193554: 10 at the end of 01, 5 more in 02, 2 more in 02, 4 less in 04.
      MARD: `MANDT,MATNR,WERKS,LGORT,LFGJA,LFMON,LABST
        100,M1,1000,0001,2026,4,13`,
      MARDH: `MANDT,MATNR,WERKS,LGORT,LFGJA,LFMON,LABST
        100,M1,1000,0001,2026,1,10
        100,M1,1000,0001,2026,3,17`,
    }),
  });
  await run(cwd, "--quiet");
}, 60_000);

describe("traps", () => {
  it("join VBPA/VBKD on posnr only: items inherit what the header has", async () => {
    expect(
      await query(
        "SELECT kunnr_vbpa AS we, zterm_vbkd AS zterm FROM silver_sd_sales_order WHERE mandt_vbak = '100' ORDER BY vbeln_vbak, posnr_vbap",
      ),
    ).toEqual([
      { we: "C1", zterm: "Z030" },
      { we: "C2", zterm: "Z030" },
      { we: null, zterm: null },
    ]);
  });
  it("join VBFA on vbeln/posnr: followers multiply no item", async () => {
    expect(
      await query(
        "SELECT count(*) AS n, sum(kwmeng_vbap) AS ordered, sum(delivered_vbfa) AS delivered FROM silver_sd_sales_order",
      ),
    ).toEqual([{ n: "4", ordered: "23.000", delivered: "10.000" }]);
  });
  it("gbstk = C → CLOSE else OPEN: a blank status is not open, and an unknown one is neither", async () => {
    expect(
      await query(
        `SELECT vbeln_vbak AS o, mandt_vbak AS client, gbstk_vbak IN ('A', 'B') AS open, status_source
        FROM silver_sd_sales_order WHERE posnr_vbap = '000010' ORDER BY 2, 1`,
      ),
    ).toEqual([
      { o: "0000004711", client: "100", open: true, status_source: "VBUK" },
      { o: "0000004712", client: "100", open: null, status_source: "VBUK" },
      { o: "0000004711", client: "200", open: null, status_source: null },
    ]);
  });
  it("spras == 'e': finds another language", async () => {
    expect(await query("SELECT maktx FROM makt_cur WHERE spras = 'E'")).toEqual([{ maktx: "pump" }]);
    expect(await query("SELECT maktx FROM makt_cur WHERE spras = 'e'")).toEqual([{ maktx: "not English" }]);
  });
  it("bsart in ('nb','zarb','ub'): codes are in capitals", async () => {
    expect(
      await query("SELECT count_if(bsart = 'nb') AS lower, count_if(bsart = 'NB') AS upper FROM ekko_cur"),
    ).toEqual([{ lower: "0", upper: "1" }]);
  });
  it("pstyp == 'l': subcontracting is stored as 3", async () => {
    expect(await query("SELECT ebelp_ekpo AS item FROM silver_mm_purchase_order WHERE pstyp_ekpo = '3'")).toEqual([
      { item: "00020" },
    ]);
  });
  it("QAVE vbewertung == 'L': the lot's decision is the one of KZART L", async () => {
    expect(await query("SELECT prueflos, vbewertung AS v FROM qave_cur WHERE kzart = 'L' ORDER BY 1")).toEqual([
      { prueflos: "000000000001", v: "A" },
      { prueflos: "000000000002", v: "R" },
    ]);
  });
  it("T001L on plant only, dim_batch key = batch: the whole key keeps each apart", async () => {
    expect(
      await query("SELECT (SELECT count(*) FROM t001l_cur) AS locations, (SELECT count(*) FROM mch1_cur) AS batches"),
    ).toEqual([{ locations: "3", batches: "2" }]);
  });
  it("LFM1 × LFB1 then dedupe on lifnr: two roles of one supplier are two tables", async () => {
    expect(
      await query(
        `SELECT m.waers, b.zterm FROM lfm1_cur AS m JOIN lfb1_cur AS b ON b.mandt = m.mandt AND b.lifnr = m.lifnr
        WHERE m.ekorg = '2000' AND b.bukrs = '3000'`,
      ),
    ).toEqual([{ waers: "USD", zterm: "Z003" }]);
  });
  it("net order value = EKKO.KTWRT: it is the sum of the items", async () => {
    expect(
      await query(
        "SELECT sum(netwr_ekpo) AS value, max(ktwrt_ekko) AS target FROM silver_mm_purchase_order WHERE ebeln_ekko = '0000000045'",
      ),
    ).toEqual([{ value: "170.00", target: "999.00" }]);
  });
  it("price without PEINH/BPRME: a price is for PEINH pieces", async () => {
    expect(
      await query(
        "SELECT CAST(netpr_ekpo * menge_ekpo / peinh_ekpo AS DECIMAL(13,2)) = netwr_ekpo AS same FROM silver_mm_purchase_order",
      ),
    ).toEqual([{ same: true }, { same: true }, { same: true }]);
  });
  it("MBEW bwkey = werks, BWTAR ignored: the valuation area is the plant's, and the row without BWTAR has the sum", async () => {
    const value = "SELECT sum(salk3) AS value FROM mbew_cur AS m JOIN t001w_cur AS w ON w.mandt = m.mandt";
    expect(await query(`${value} AND w.bwkey = m.bwkey WHERE w.werks = '1000' AND m.bwtar = ''`)).toEqual([
      { value: "100.00" },
    ]);
    expect(await query(`${value} AND w.bwkey = m.bwkey WHERE w.werks = '1000' AND m.bwtar <> ''`)).toEqual([
      { value: "100.00" },
    ]);
  });
  it("qty_to_invoice = still to deliver: three figures, each by its name", async () => {
    expect(
      await query(
        `SELECT to_deliver_ekpo AS to_deliver, ordered_not_invoiced_ekpo AS ordered, received_not_invoiced_ekbe AS received
        FROM silver_mm_purchase_order WHERE ebeln_ekko = '0000000045' AND ebelp_ekpo = '00010'`,
      ),
    ).toEqual([{ to_deliver: "4.000", ordered: "6.000", received: "2.000" }]);
  });
  it("po_status ignores LOEKZ, ELIKZ, EREKZ: what is deleted is not open", async () => {
    expect(
      await query("SELECT status_ekpo AS status FROM silver_mm_purchase_order ORDER BY ebeln_ekko, ebelp_ekpo"),
    ).toEqual([{ status: "PARTLY_RECEIVED" }, { status: "OPEN" }, { status: "DELETED" }]);
  });
  it("month-end by inner join on period: a quiet month has the stock of the next row (Note 193554)", async () => {
    const rowsOfAll = "SELECT lfgja, lfmon, labst FROM mardh_cur UNION ALL SELECT lfgja, lfmon, labst FROM mard_cur";
    expect(
      await query(
        `SELECT p.month, coalesce(min_by(s.labst, s.lfgja || s.lfmon), max(c.labst)) AS stock
        FROM VALUES ('01'), ('02'), ('03'), ('04'), ('05') AS p(month) CROSS JOIN mard_cur AS c
        LEFT JOIN (${rowsOfAll}) AS s ON s.lfgja || s.lfmon >= '2026' || p.month
        GROUP BY p.month ORDER BY 1`,
      ),
    ).toEqual(["10.000", "17.000", "17.000", "13.000", "13.000"].map((stock, i) => ({ month: `0${i + 1}`, stock })));
  });
  it("no MANDT in any gold join: equal numbers of two clients never meet", async () => {
    expect(
      await query(
        "SELECT kunnr_vbpa AS we, kwmeng_vbap AS ordered FROM silver_sd_sales_order WHERE mandt_vbak = '200'",
      ),
    ).toEqual([{ we: "C9", ordered: "7.000" }]);
  });
  it("load timestamp cut to date as SCD sequence: of two rows of one moment the one that was delivered later counts", async () => {
    expect(await query("SELECT lgobe FROM t001l_cur WHERE werks = '1000' AND lgort = '0001'")).toEqual([
      { lgobe: "Main" },
    ]);
  });
  it("order by ODQ_ENTITYCNTR: a counter is refused as a sequence", async () => {
    const other = project({
      "transformations/t.ts": `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
sapTable("VBAK", { from: readFiles("x", { format: "csv" }), changeFormat: "odq", sequenceBy: "ODQ_ENTITYCNTR" });
`,
    });
    expect(await refusal(other, "dry-run")).toMatchObject({ errors: [{ code: "BAD_OPTION" }] });
  });
});
