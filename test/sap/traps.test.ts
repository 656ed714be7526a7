import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAP_DEFAULTS } from "../../packages/ingot/src/sap/conventions.js";
import { openDictionary } from "../../packages/ingot/src/sap/dictionary/dictionary.js";
import { clientOf, keyOf, languageOf } from "../../packages/ingot/src/sap/dictionary/table.js";
import { type DecoderSession, openDecoders } from "./decoder-session.js";

/** Faults of public examples, by the names of the specification (1.6), and its golden cases (7.7). */

let session: DecoderSession;
beforeAll(async () => {
  session = await openDecoders();
});
afterAll(() => session.close());

describe("traps", () => {
  it("regex ^\\d{8}$ for dates: a date is a day of the calendar", async () => {
    const query =
      "SELECT try_sap_date('20230231'), sap_date_reason('20230231'), try_sap_date('00000000'), sap_date_reason('00000000')";
    expect(await session.rows(query)).toEqual([[null, "INVALID_DATE", null, null]]);
  });
  it.each([
    "YYYYMMDD|00000000",
    "YYYY-MM-DD|0000-00-00",
    "DD.MM.YYYY|00.00.0000",
    "DD MM YYYY|00 00 0000",
    "M/D/YY|0/0/00",
    "YYMMDD|000000",
    "excel|0",
  ])("the initial date is none in any format: %s", async (pair) => {
    const [format, value] = pair.split("|");
    expect(await session.rows(`SELECT sap_date('${value}', '${format}')`)).toEqual([[null]]);
  });
  it("spras == 'e': upper case is another language than lower case", async () => {
    expect(await session.rows("SELECT sap_language('e') = sap_language('E'), sap_language('EN')")).toEqual([
      [false, "E"],
    ]);
  });
  it("HUF by ISO 4217: the decimals are those of the source's TCURX", async () => {
    const sources = new Map([["ecc", { ...SAP_DEFAULTS, currencies: new Map([["HUF", 0]]) }]]);
    expect(
      await session.rows("SELECT sap_curr(3291.86, 'HUF'), sap_curr(3291.86, 'EUR'), sap_curr(3291.86, '')", sources),
    ).toEqual([["329186.00", "3291.86", "3291.86"]]);
  });
  it("a shift of amounts that the source has shifted: they stay", async () => {
    const sources = new Map([["s4", { ...SAP_DEFAULTS, amounts: "shifted" as const }]]);
    expect(await session.rows("SELECT sap_curr(329186.00, 'HUF')", sources)).toEqual([["329186.00"]]);
  });
  it("truth of letters: LOEKZ L and S are values", async () => {
    expect(await session.rows("SELECT try_sap_flag('L'), sap_flag_reason('S'), sap_flag('X'), sap_flag(' ')")).toEqual([
      [null, "INVALID_FLAG", true, false],
    ]);
  });
  it("no MANDT: every key has the client, but for tables that all clients share", async () => {
    const dictionary = await openDictionary("ecc");
    const without = dictionary.names.filter((name) => clientOf(dictionary.table(name) ?? never(name)) === undefined);
    expect(without).toEqual(["T002", "TCURX", "TQ31T"]);
  });
  it.each<[string, string[]]>([
    ["VBPA", ["MANDT", "VBELN", "POSNR", "PARVW"]],
    ["VBKD", ["MANDT", "VBELN", "POSNR"]],
    ["T001L", ["MANDT", "WERKS", "LGORT"]],
    ["MCH1", ["MANDT", "MATNR", "CHARG"]],
    ["MCHA", ["MANDT", "MATNR", "WERKS", "CHARG"]],
    ["LFM1", ["MANDT", "LIFNR", "EKORG"]],
    ["LFB1", ["MANDT", "LIFNR", "BUKRS"]],
    ["MBEW", ["MANDT", "MATNR", "BWKEY", "BWTAR"]],
    ["QAVE", ["MANDANT", "PRUEFLOS", "KZART", "ZAEHLER"]],
    ["VBFA", ["MANDT", "VBELV", "POSNV", "VBELN", "POSNN", "VBTYP_N"]],
  ])("keys by guess: those of %s are the dictionary's", async (name, key) => {
    expect(keyOf((await openDictionary("ecc")).table(name) ?? never(name))).toEqual(key);
  });
  it("MAKT without language: its key has one", async () => {
    expect(languageOf((await openDictionary("s4")).table("makt") ?? never("MAKT"))).toBe("SPRAS");
  });
  it("GBSTK of VBAK: only S/4HANA has it", async () => {
    const has = async (release: "ecc" | "s4") =>
      (await openDictionary(release)).table("VBAK")?.fields.some(({ name }) => name === "GBSTK");
    expect([await has("ecc"), await has("s4")]).toEqual([false, true]);
  });
});

describe("near misses", () => {
  it.each([
    ["sap_convert(CAST(1 AS DECIMAL(31,10)), -161.29, 1, 1, 2)", "more than a DECIMAL holds"],
    ["sap_convert(CAST(1 AS DECIMAL(27,2)), -161.29, 1, 1, 2)", "more than a DECIMAL holds"],
    ["sap_curr(CAST(1 AS DECIMAL(38,2)), 0)", "at most 31 digits"],
    ["sap_number(1.5D, 38, 2)", "has not the digits"],
    ["sap_number('1', 5, 6)", "from 0 to 5"],
    ["sap_date(DATE '2026-01-15')", "takes STRING"],
    ["sap_time(92511)", "takes STRING"],
    ["sap_alpha('1', length('x'))", "a constant number"],
  ])("%s is refused", async (call, message) => {
    await expect(session.rows(`SELECT ${call}`)).rejects.toThrow(message);
  });
  it("a factor that is no whole number is no 1", async () => {
    const query =
      "SELECT try_sap_convert(1.00, 2.0, 1.5, 1, 2), try_sap_convert(1.00, 2.0, -1, 1, 2), try_sap_convert(1.00, 2.0, 2000000000, 1, 2), sap_convert(1.00, 2.0, 0, NULL, 2)";
    expect(await session.rows(query)).toEqual([[null, null, null, "2.00"]]);
  });
  it("a time stamp's point is the source's, and a DECIMAL has its own", async () => {
    const sources = new Map([["ecc", { ...SAP_DEFAULTS, numbers: "eu" as const }]]);
    const query =
      "SELECT sap_utc(20260115093011.1234567BD), sap_utc('20.260.115.093.011,5'), try_sap_utc('20260115093011.1234567')";
    expect(await session.rows(query, sources)).toEqual([
      ["2026-01-15 09:30:11.123456+00", "2026-01-15 09:30:11.5+00", null],
    ]);
  });
});

describe("golden cases", () => {
  it("4: a JPY order of 1.00 stored is 100, and 0.62 EUR at -161.29", async () => {
    const query =
      "SELECT true_amount, sap_convert(true_amount, -161.29, 1, 1, 2) FROM (SELECT sap_curr(1.00, 0) AS true_amount)";
    expect(await session.rows(query)).toEqual([["100.00", "0.62"]]);
  });
});

function never(name: string): never {
  throw new Error(`no table ${name}`);
}
