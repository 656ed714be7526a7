import { describe, expect, it } from "vitest";
import { ingot, projectMaker, refusal, rows, run, SPEC, writeProject } from "./cli.js";

const project = projectMaker();

/** Spec of a source of a release, whose TCURX knows that JPY has no decimals. */
const spec = (release: "ecc" | "s4") =>
  `${SPEC}sources: { SAP: { release: ${release}, currencies: tcurx.csv } }
`;

/** Definitions that make tables of CSV files with ODQ changes, and a document of them. */
function definitions(tables: readonly string[], document: string): string {
  return `import { readFiles } from "ingot";
import { accountingDocument, purchaseOrder, salesOrder, sapTable } from "ingot/sap";
const table = (name: string, columns: "strings" | "typed" = "strings") => sapTable(name, {
  from: readFiles(\`landing/\${name.toLowerCase()}\`, { format: "csv", header: true }), changeFormat: "odq", columns,
});
${tables.map((name) => `const ${name.toLowerCase()} = table("${name}");`).join("\n")}
${document}
void [salesOrder, purchaseOrder, accountingDocument];
`;
}

/** A change file: a header, and lines that end with the mode of the change. */
const changes = (columns: string, ...lines: readonly string[]) =>
  `${[`${columns},ODQ_CHANGEMODE`, ...lines].join("\n")}\n`;

function documents(tables: readonly string[], document: string, release: "ecc" | "s4" = "ecc") {
  return project({
    "ingot.yml": spec(release),
    "tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\n",
    "transformations/t.ts": definitions(tables, document),
  });
}

const VBAK = "MANDT,VBELN,KUNNR,NETWR,WAERK";
const VBAP = "MANDT,VBELN,POSNR,MATNR,KWMENG,MEINS,NETWR,WAERK";
const VBPA = "MANDT,VBELN,POSNR,PARVW,KUNNR";
const ORDER = {
  "landing/vbak/1.csv": changes(VBAK, "100,4711,A1,30.00,EUR,C"),
  "landing/vbap/1.csv": changes(VBAP, "100,4711,000010,M1,10,ST,10.00,EUR,C", "100,4711,000020,M2,5,ST,20.00,EUR,C"),
};

describe("a sales order", () => {
  it("golden case 1: an item has its own ship-to party, else the header's, after every change", async () => {
    const cwd = documents(["VBAK", "VBAP", "VBPA"], "salesOrder({ header: vbak, items: vbap, partners: vbpa });");
    const shipTo = () =>
      rows(
        cwd,
        "SELECT posnr_vbap AS item, kunnr_vbpa AS ship_to, posnr_vbpa AS of, reason_vbpa AS reason FROM silver_sd_sales_order ORDER BY 1",
      );
    writeProject(cwd, {
      ...ORDER,
      "landing/vbpa/1.csv": changes(
        VBPA,
        "100,4711,000000,WE,C1,C",
        "100,4711,000000,AG,C9,C",
        "100,4711,000020,WE,C2,C",
        // The same number in another client is another order.
        "200,4711,000010,WE,C7,C",
      ),
    });
    await run(cwd);
    expect(await shipTo()).toEqual([
      { item: "000010", ship_to: "C1", of: "000000", reason: null },
      { item: "000020", ship_to: "C2", of: "000020", reason: null },
    ]);
    writeProject(cwd, { "landing/vbpa/2.csv": changes(VBPA, "100,4711,000020,WE,,D") });
    await run(cwd);
    expect((await shipTo()).map((row) => row["ship_to"])).toEqual(["C1", "C1"]);
    writeProject(cwd, { "landing/vbpa/3.csv": changes(VBPA, "100,4711,000000,WE,C3,U") });
    await run(cwd);
    expect((await shipTo()).map((row) => row["ship_to"])).toEqual(["C3", "C3"]);
    writeProject(cwd, { "landing/vbpa/4.csv": changes(VBPA, "100,4711,000000,WE,,D", "100,4711,000000,AG,,D") });
    await run(cwd);
    expect(await shipTo()).toEqual([
      { item: "000010", ship_to: null, of: null, reason: "PARTNER_MISSING" },
      { item: "000020", ship_to: null, of: null, reason: "PARTNER_MISSING" },
    ]);
  });

  it("golden case 2: 4 and 6 delivered, 6 cancelled, are 4 of 10, in one row an item", async () => {
    const cwd = documents(["VBAK", "VBAP", "VBFA"], "salesOrder({ header: vbak, items: vbap, flow: vbfa });");
    const VBFA = "MANDT,VBELV,POSNV,VBELN,POSNN,VBTYP_N,STUFE,PLMIN,RFMNG,MEINS";
    writeProject(cwd, {
      ...ORDER,
      "landing/vbfa/1.csv": changes(
        VBFA,
        "100,4711,000010,8001,000010,J,00,+,4.000,ST,C",
        "100,4711,000010,8002,000010,J,00,+,6.000,ST,C",
        "100,4711,000010,8003,000010,J,00,-,6.000,ST,C",
        "100,4711,000010,4900,000001,R,01,+,4.000,ST,C",
        "100,4711,000010,9001,000010,M,01,+,4.000,ST,C",
        "100,4711,000010,9002,000010,N,02,-,1.000,ST,C",
        // What a follower of a follower is delivered with is no delivery of the item.
        "100,4711,000010,8009,000010,J,02,+,3.000,ST,C",
        "200,4711,000010,8001,000010,J,00,+,9.000,ST,C",
      ),
    });
    await run(cwd);
    expect(
      await rows(
        cwd,
        "SELECT posnr_vbap AS item, kwmeng_vbap AS ordered, delivered_vbfa AS delivered, billed_vbfa AS billed, meins_vbfa AS unit FROM silver_sd_sales_order ORDER BY 1",
      ),
    ).toEqual([
      { item: "000010", ordered: "10", delivered: "4.000", billed: "3.000", unit: "ST" },
      { item: "000020", ordered: "5", delivered: "0.000", billed: "0.000", unit: null },
    ]);
  });

  it("golden case 4: a JPY order of 1.00 stored is 100, and 0.62 EUR at -161.29", async () => {
    const cwd = documents(
      [],
      `salesOrder({ header: table("VBAK", "typed"), items: table("VBAP", "typed") }, { columnList: ["netwr_vbak", "netwr_vbap"] });`,
    );
    writeProject(cwd, {
      "landing/vbak/1.csv": changes(VBAK, "100,4711,A1,1.00,JPY,C"),
      "landing/vbap/1.csv": changes(VBAP, "100,4711,10,M1,1,ST,1.00,JPY,C"),
    });
    await run(cwd);
    expect(
      await rows(cwd, "SELECT *, sap_convert(netwr_vbap, -161.29, 1, 1, 2) AS eur FROM silver_sd_sales_order"),
    ).toEqual([
      {
        mandt_vbak: "100",
        vbeln_vbak: "0000004711",
        posnr_vbap: "000010",
        netwr_vbak: "100.00",
        netwr_vbap: "100.00",
        eur: "0.62",
      },
    ]);
  });

  it("keeps an order whose partners, business data and flow are missing; an item waits for its header", async () => {
    const tables = ["VBAK", "VBAP", "VBPA", "VBKD", "VBFA", "VBUK", "VBUP"];
    const cwd = documents(
      tables,
      `salesOrder(
        { header: vbak, items: vbap, partners: vbpa, business: vbkd, flow: vbfa, status: vbuk, itemStatus: vbup },
        { partnerRoles: ["SH", "AG"] },
      );`,
    );
    writeProject(cwd, {
      ...ORDER,
      "landing/vbap/2.csv": changes(VBAP, "100,4712,000010,M1,1,ST,5.00,EUR,C"),
      "landing/vbpa/1.csv": changes(VBPA, "100,4712,000000,AG,C1,C"),
      "landing/vbkd/1.csv": changes(
        "MANDT,VBELN,POSNR,ZTERM,INCO1",
        "100,4711,000000,Z030,EXW,C",
        "100,4711,000020,,FOB,C",
      ),
      "landing/vbfa/1.csv": changes("MANDT,VBELV,POSNV,VBELN,POSNN,VBTYP_N,RFMNG,MEINS,PLMIN,STUFE"),
      "landing/vbuk/1.csv": changes("MANDT,VBELN,GBSTK", "100,4711,B,C", "200,4711,C,C"),
      "landing/vbup/1.csv": changes("MANDT,VBELN,POSNR,GBSTA,LFSTA", "100,4711,000010,C,C,C"),
    });
    await run(cwd);
    const query = `SELECT vbeln_vbak AS o, posnr_vbap AS item, kunnr_vbpa_we AS we, kunnr_vbpa_ag AS ag,
      zterm_vbkd AS zterm, inco1_vbkd AS inco1, gbstk_vbak AS gbstk, gbsta_vbap AS gbsta, status_source
      FROM silver_sd_sales_order ORDER BY 1, 2`;
    const first = { o: "4711", we: null, ag: null, gbstk: "B", status_source: "VBUK" };
    expect(await rows(cwd, query)).toEqual([
      { ...first, item: "000010", zterm: "Z030", inco1: "EXW", gbsta: "C" },
      // The item's row of VBKD holds whole: its blank is a blank, and not the header's value.
      { ...first, item: "000020", zterm: null, inco1: "FOB", gbsta: null },
    ]);
    writeProject(cwd, { "landing/vbak/2.csv": changes(VBAK, "100,4712,A1,5.00,EUR,C") });
    await run(cwd);
    expect(await rows(cwd, `SELECT * FROM (${query.replace(/ORDER BY.*/, "")}) WHERE o = '4712'`)).toEqual([
      {
        o: "4712",
        item: "000010",
        we: null,
        ag: "C1",
        zterm: null,
        inco1: null,
        gbstk: null,
        gbsta: null,
        status_source: null,
      },
    ]);
  });

  it("takes statuses of S/4HANA from the document, and finds invoices that only deliveries name", async () => {
    const cwd = documents(["VBAK", "VBAP", "VBFA"], "salesOrder({ header: vbak, items: vbap, flow: vbfa });", "s4");
    writeProject(cwd, {
      "landing/vbak/1.csv": changes("MANDT,VBELN,GBSTK", "100,4711,A,C"),
      "landing/vbap/1.csv": changes("MANDT,VBELN,POSNR,GBSTA", "100,4711,000010,B,C"),
      // 1511: no STUFE, direct links alone; 8001 was billed twice, one invoice was cancelled.
      "landing/vbfa/1.csv": changes(
        "MANDT,RUUID,VBELV,POSNV,VBELN,POSNN,VBTYP_N,PLMIN,RFMNG,MEINS",
        "100,01,4711,000010,8001,000010,J,+,6.000,ST,C",
        "100,02,8001,000010,9001,000010,M,+,4.000,ST,C",
        "100,03,8001,000010,9002,000010,M,+,2.000,ST,C",
        "100,04,9002,000010,9003,000010,N,-,2.000,ST,C",
      ),
    });
    await run(cwd);
    const query =
      "SELECT gbstk_vbak, gbsta_vbap, status_source, delivered_vbfa, billed_vbfa FROM silver_sd_sales_order";
    const expected = {
      gbstk_vbak: "A",
      gbsta_vbap: "B",
      status_source: "VBAK",
      delivered_vbfa: "6.000",
      billed_vbfa: "4.000",
    };
    expect(await rows(cwd, query)).toEqual([expected]);
    // 1709 stores what follows the deliveries as well: each is counted once.
    writeProject(cwd, {
      "landing/vbfa/2.csv": changes(
        "MANDT,RUUID,VBELV,POSNV,VBELN,POSNN,VBTYP_N,PLMIN,RFMNG,MEINS,STUFE",
        "100,05,4711,000010,9001,000010,M,+,4.000,ST,01,C",
        "100,06,4711,000010,9002,000010,M,+,2.000,ST,01,C",
        "100,07,4711,000010,9003,000010,N,-,2.000,ST,02,C",
      ),
    });
    await run(cwd);
    expect(await rows(cwd, query)).toEqual([expected]);
  });

  it("tells why a quantity is not known, and is as fresh as its freshest row", async () => {
    const cwd = documents(["VBAK", "VBAP", "VBFA"], "salesOrder({ header: vbak, items: vbap, flow: vbfa });");
    const VBFA = "MANDT,VBELV,POSNV,VBELN,POSNN,VBTYP_N,STUFE,PLMIN,RFMNG,MEINS";
    writeProject(cwd, {
      ...ORDER,
      "landing/vbfa/1.csv": changes(
        VBFA,
        "100,4711,000010,8001,000010,J,00,+,4.000,ST,C",
        "100,4711,000010,8002,000010,J,00,+,1.000,KAR,C",
        "100,4711,000020,8003,000010,J,00,+,1x,ST,C",
      ),
    });
    await run(cwd);
    expect(
      await rows(
        cwd,
        `SELECT reason_vbfa AS reason, delivered_vbfa AS n,
          event_ts = (SELECT max(event_ts) FROM vbfa_cur) AS fresh FROM silver_sd_sales_order ORDER BY posnr_vbap`,
      ),
    ).toEqual([
      { reason: "MIXED_UNITS", n: null, fresh: true },
      { reason: "MALFORMED_AMOUNT", n: null, fresh: true },
    ]);
  });
});

describe("a purchase order", () => {
  const EKKO = "MANDT,EBELN,WAERS,LOEKZ";
  const EKPO = "MANDT,EBELN,EBELP,MENGE,MEINS,NETWR,LOEKZ,ELIKZ,EREKZ,RETPO";
  const EKBE = "MANDT,EBELN,EBELP,ZEKKN,VGABE,GJAHR,BELNR,BUZEI,BWART,SHKZG,MENGE";
  const FIGURES = `SELECT ebelp_ekpo AS item, received_ekbe AS received, to_deliver_ekpo AS to_deliver, invoiced_ekbe AS invoiced,
    received_not_invoiced_ekbe AS received_not_invoiced, ordered_not_invoiced_ekpo AS ordered_not_invoiced, status_ekpo AS status
    FROM silver_mm_purchase_order ORDER BY 1`;

  it("golden case 6: 10 ordered, 6 received, 2 returned, 4 invoiced", async () => {
    const cwd = documents(["EKKO", "EKPO", "EKBE"], "purchaseOrder({ header: ekko, items: ekpo, history: ekbe });");
    writeProject(cwd, {
      "landing/ekko/1.csv": changes(EKKO, "100,45,EUR,,C", "100,46,EUR,L,C"),
      "landing/ekpo/1.csv": changes(
        EKPO,
        "100,45,00010,10,ST,100.00,,,,,C",
        "100,45,00020,10,ST,100.00,L,,,,C",
        "100,45,00030,10,ST,100.00,,X,,,C",
        "100,45,00040,10,ST,100.00,,X,X,,C",
        "100,45,00050,10,ST,100.00,,,,X,C",
        "100,46,00060,10,ST,100.00,,,,,C",
      ),
      "landing/ekbe/1.csv": changes(
        EKBE,
        "100,45,00010,00,1,2026,5001,0001,101,S,6,C",
        "100,45,00010,00,1,2026,5002,0001,122,H,2,C",
        "100,45,00010,00,2,2026,5003,0001,,S,4,C",
        // A delivery of a stock transport order is neither received nor invoiced.
        "100,45,00010,00,8,2026,5004,0001,,S,3,C",
        "100,45,00030,00,1,2026,5005,0001,101,S,8,C",
        // Goods of a returns item go back, which is its receipt.
        "100,45,00050,00,1,2026,5006,0001,161,H,10,C",
        "200,45,00010,00,1,2026,5001,0001,101,S,6,C",
      ),
    });
    await run(cwd);
    const none = { received: "0.000", to_deliver: "0.000", invoiced: "0.000", received_not_invoiced: "0.000" };
    expect(await rows(cwd, FIGURES)).toEqual([
      {
        item: "00010",
        received: "4.000",
        to_deliver: "6.000",
        invoiced: "4.000",
        received_not_invoiced: "0.000",
        ordered_not_invoiced: "6.000",
        status: "PARTLY_RECEIVED",
      },
      { item: "00020", ...none, ordered_not_invoiced: "0.000", status: "DELETED" },
      {
        item: "00030",
        ...none,
        received: "8.000",
        received_not_invoiced: "8.000",
        ordered_not_invoiced: "10.000",
        status: "DELIVERED",
      },
      { item: "00040", ...none, ordered_not_invoiced: "0.000", status: "CLOSED" },
      {
        item: "00050",
        ...none,
        received: "10.000",
        received_not_invoiced: "10.000",
        ordered_not_invoiced: "10.000",
        status: "RECEIVED",
      },
      { item: "00060", ...none, ordered_not_invoiced: "0.000", status: "DELETED" },
    ]);
  });

  it("has amounts by the header's currency where columns are typed, and the next open date of the schedule", async () => {
    const cwd = documents(
      [],
      `purchaseOrder(
        { header: table("EKKO", "typed"), items: table("EKPO", "typed"), schedule: table("EKET", "typed") },
        { columnList: ["netwr_ekpo", "reason_ekpo", "scheduled_eket", "delivered_eket", "next_date_eket"] },
      );`,
    );
    writeProject(cwd, {
      "landing/ekko/1.csv": changes("MANDT,EBELN,WAERS", "100,45,JPY,C", "100,46,EUR,C"),
      "landing/ekpo/1.csv": changes("MANDT,EBELN,EBELP,NETWR", "100,45,10,1.00,C", "100,46,10,1.00,C"),
      "landing/eket/1.csv": changes(
        "MANDT,EBELN,EBELP,ETENR,EINDT,MENGE,WEMNG",
        "100,45,10,1,20260105,4,4,C",
        "100,45,10,2,20260205,3,1,C",
        "100,45,10,3,20260305,3,,C",
      ),
    });
    await run(cwd);
    expect(
      await rows(cwd, "SELECT * EXCEPT (mandt_ekko, ebelp_ekpo) FROM silver_mm_purchase_order ORDER BY 1"),
    ).toEqual([
      {
        ebeln_ekko: "0000000045",
        netwr_ekpo: "100.00",
        reason_ekpo: null,
        scheduled_eket: "10.000",
        delivered_eket: "5.000",
        next_date_eket: "2026-02-05",
      },
      {
        ebeln_ekko: "0000000046",
        netwr_ekpo: "1.00",
        reason_ekpo: null,
        scheduled_eket: null,
        delivered_eket: null,
        next_date_eket: null,
      },
    ]);
  });
});

it("an accounting document: golden case 7, a reversal's balance is zero, and both are marked", async () => {
  const cwd = documents(["BKPF", "BSEG"], "accountingDocument({ header: bkpf, items: bseg });");
  writeProject(cwd, {
    "landing/bkpf/1.csv": changes(
      "MANDT,BUKRS,BELNR,GJAHR,BSTAT,STBLG,STJAH,WAERS,HWAER",
      "100,1000,18,2026,,19,2026,EUR,JPY,C",
      // Its reversal does not name it back.
      "100,1000,19,2026,,,,EUR,JPY,C",
      "100,1000,20,2026,V,,,EUR,EUR,C",
      "200,1000,19,2026,,,,EUR,EUR,C",
    ),
    "landing/bseg/1.csv": changes(
      "MANDT,BUKRS,BELNR,GJAHR,BUZEI,SHKZG,DMBTR,WRBTR",
      "100,1000,18,2026,001,S,161.29,1.00,C",
      "100,1000,18,2026,002,H,161.29,1.00,C",
      "100,1000,19,2026,001,H,161.29,1.00,C",
      "100,1000,19,2026,002,S,161.29,1.00,C",
      "100,1000,20,2026,001,S,5.00,5.00,C",
      "200,1000,19,2026,001,X,7.00,7.00,C",
      "200,1000,19,2026,002,S,1e5,7.00,C",
    ),
  });
  await run(cwd);
  expect(
    await rows(
      cwd,
      `SELECT mandt_bkpf AS mandt, belnr_bkpf AS belnr, sum(signed_dmbtr_bseg) AS local, sum(signed_wrbtr_bseg) AS amount,
        max(signed_dmbtr_bseg) AS most, min(reversed_bkpf) AS reversed, min(posted_bkpf) AS posted, max(reason_bseg) AS reason, count(*) AS n
      FROM silver_fi_accounting_document GROUP BY 1, 2 ORDER BY 1, 2`,
    ),
  ).toEqual([
    {
      mandt: "100",
      belnr: "18",
      local: "0.00",
      amount: "0.00",
      most: "16129.00",
      reversed: true,
      posted: true,
      reason: null,
      n: "2",
    },
    {
      mandt: "100",
      belnr: "19",
      local: "0.00",
      amount: "0.00",
      most: "16129.00",
      reversed: true,
      posted: true,
      reason: null,
      n: "2",
    },
    {
      mandt: "100",
      belnr: "20",
      local: "5.00",
      amount: "5.00",
      most: "5.00",
      reversed: false,
      posted: false,
      reason: null,
      n: "1",
    },
    {
      mandt: "200",
      belnr: "19",
      local: null,
      amount: "7.00",
      most: null,
      reversed: false,
      posted: true,
      reason: "UNKNOWN_SIGN",
      n: "2",
    },
  ]);
});

describe("a document", () => {
  it("is made of relations with the same columns, and of the rows that hold now where a table keeps its history", async () => {
    const cwd = project({
      "ingot.yml": spec("ecc"),
      "tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\n",
      "transformations/t.ts": `import { materializedView, readFiles, sql } from "ingot";
import { salesOrder, sapTable } from "ingot/sap";
const header = materializedView("header", sql\`SELECT '100' AS mandt, '1' AS vbeln, 'C1' AS kunnr, TIMESTAMP '2026-01-01 00:00:00' AS event_ts\`);
const items = sapTable("VBAP", { from: readFiles("landing", { format: "csv", header: true }), scdType: 2, columnList: ["matnr"] });
salesOrder({ header, items }, { name: "orders", columnList: ["kunnr_vbak", "matnr_vbap"], comment: "all orders" });
`,
      "landing/1.csv": "MANDT,VBELN,POSNR,MATNR\n100,1,000010,M1\n",
    });
    await run(cwd);
    writeProject(cwd, { "landing/2.csv": "MANDT,VBELN,POSNR,MATNR\n100,1,000010,M2\n" });
    await run(cwd);
    expect(await rows(cwd, "SELECT * FROM orders")).toEqual([
      { mandt_vbak: "100", vbeln_vbak: "1", posnr_vbap: "000010", kunnr_vbak: "C1", matnr_vbap: "M2" },
    ]);
  });

  it("is printed as plain SQL that gives the same", async () => {
    const cwd = documents(["VBAK", "VBAP", "VBPA"], "salesOrder({ header: vbak, items: vbap, partners: vbpa });");
    writeProject(cwd, { ...ORDER, "landing/vbpa/1.csv": changes(VBPA, "100,4711,000000,WE,C1,C") });
    await run(cwd);
    const { stdout, code } = await ingot(["run", "--explain"], { cwd });
    expect(code).toBe(0);
    const again = project({ "ingot.yml": spec("ecc"), "tcurx.csv": "CURRKEY,CURRDEC\nJPY,0\n" });
    writeProject(again, {
      "transformations/t.sql": stdout.slice(stdout.indexOf("CREATE ")),
      ...ORDER,
      "landing/vbpa/1.csv": changes(VBPA, "100,4711,000000,WE,C1,C"),
    });
    await run(again);
    const query = "SELECT * EXCEPT (event_ts) FROM silver_sd_sales_order ORDER BY posnr_vbap";
    expect(await rows(again, query)).toEqual(await rows(cwd, query));
  });

  it.each([
    ["without items", "salesOrder({ header: vbak })", "ecc", "BAD_OPTION", "items"],
    ["of another table", "salesOrder({ header: vbak, items: vbak })", "ecc", "BAD_OPTION", "takes VBAP"],
    [
      "of an unknown part",
      "salesOrder({ header: vbak, items: vbap, partner: vbap })",
      "ecc",
      "UNKNOWN_OPTION",
      "partners",
    ],
    [
      "with a column that it has not",
      'salesOrder({ header: vbak, items: vbap }, { columnList: ["kunr_vbak"] })',
      "ecc",
      "BAD_OPTION",
      "kunnr_vbak",
    ],
    [
      "with what is no partner function",
      "salesOrder({ header: vbak, items: vbap }, { partnerRoles: ['ship-to'] })",
      "ecc",
      "BAD_OPTION",
      "partner functions",
    ],
    [
      "of S/4HANA with the statuses of ECC",
      'salesOrder({ header: vbak, items: vbap, status: table("VBUK") })',
      "s4",
      "BAD_OPTION",
      "VBAK and VBAP",
    ],
    [
      "whose table lacks a column that it needs",
      'purchaseOrder({ header: table("EKKO"), items: table("EKPO"), history: sapTable("EKBE", { from: readFiles("x", { format: "csv" }), columnList: ["menge"] }) })',
      "ecc",
      "BAD_OPTION",
      "shkzg of EKBE",
    ],
    [
      "of a source that is not there",
      'salesOrder({ header: vbak, items: vbap }, { system: "X" })',
      "ecc",
      "SAP_SOURCE_NOT_FOUND",
      "SAP",
    ],
  ] as const)("%s is refused at its place", async (_, call, release, code, words) => {
    const told = await refusal(documents(["VBAK", "VBAP"], `${call} as never;`, release), "dry-run");
    expect(told).toMatchObject({ code: 3, errors: [{ code, at: "transformations/t.ts:8:1" }] });
    expect(`${told.errors[0]?.message} ${told.errors[0]?.hint}`).toContain(words);
  });
});
