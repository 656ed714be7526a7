import { describe, expect, it } from "vitest";
import { openDictionary } from "./dictionary.js";
import { kindOfExtract, NO_EXTRACTS, tablesOf } from "./extracts.js";
import { parseTables } from "./parse-tables.js";

describe("parseTables", () => {
  it("reads the notation", () => {
    const text =
      "A: One: two\n# note\nkey M CLNT3, N INT4\n    P CURR11.2/23 EKKO-WAERS,\n    Q QUAN13.3 MEINS\ns4  R RAW16\ns4 key M, R\n\nB: Three\nkey S LANG1\n";
    expect(parseTables(text)).toEqual([
      {
        name: "A",
        description: "One: two",
        note: "note",
        s4Key: ["M", "R"],
        fields: [
          { name: "M", type: "CLNT", length: 3, key: true },
          { name: "N", type: "INT4", key: true },
          {
            name: "P",
            type: "CURR",
            length: 11,
            decimals: 2,
            s4Length: 23,
            key: false,
            reference: { table: "EKKO", field: "WAERS" },
          },
          { name: "Q", type: "QUAN", length: 13, decimals: 3, key: false, reference: { field: "MEINS" } },
          { name: "R", type: "RAW", length: 16, key: false, s4Only: true },
        ],
      },
      { name: "B", description: "Three", fields: [{ name: "S", type: "LANG", length: 1, key: true }] },
    ]);
  });
  it("refuses what is no field", () => expect(() => parseTables("A: x\nkey m clnt3")).toThrow("no field"));
});

describe("the dictionary", () => {
  it("has all tables and fields of the specification", async () => {
    const dictionary = await openDictionary("s4");
    const fields = dictionary.names.flatMap((name) => dictionary.table(name)?.fields ?? []);
    expect([dictionary.names.length, fields.length]).toEqual([64, 995]);
  });
  it("names only fields that are there as references", async () => {
    const dictionary = await openDictionary("s4");
    const missing = dictionary.names.flatMap((name) =>
      (dictionary.table(name)?.fields ?? []).flatMap(({ name: own, reference }) => {
        if (reference === undefined) return [];
        const table = dictionary.table(reference.table ?? name);
        return table?.fields.some((f) => f.name === reference.field) === true ? [] : [`${name}-${own}`];
      }),
    );
    expect(missing).toEqual([]);
  });
  it("differs by release where SAP's does", async () => {
    const [ecc, s4] = [await openDictionary("ecc"), await openDictionary("s4")];
    const length = (d: typeof ecc, table: string, name: string) =>
      d.table(table)?.fields.find((f) => f.name === name)?.length;
    expect([length(ecc, "MARA", "MATNR"), length(s4, "MARA", "MATNR")]).toEqual([18, 40]);
    expect([length(ecc, "BSEG", "DMBTR"), length(s4, "BSEG", "DMBTR")]).toEqual([13, 23]);
  });
  it("takes a project's own table before its own, with the texts that it keeps", async () => {
    const own = { name: "MAKT", description: "", fields: [{ name: "MATNR", type: "CHAR", length: 40, key: true }] };
    expect((await openDictionary("ecc", [own])).table("MAKT")).toMatchObject({
      description: "Material descriptions (text table)",
      fields: own.fields,
    });
  });
});

describe("extracts", () => {
  it.each([
    ["fields", ["TABNAME", "FIELDNAME", "DATATYPE", "LENG", "KEYFLAG"]],
    ["values", ["DOMNAME", "DDLANGUAGE", "DOMVALUE_L", "DDTEXT"]],
    ["elements", ["ROLLNAME", "DDLANGUAGE", "DDTEXT"]],
    ["tables", ["TABNAME", "DDLANGUAGE", "DDTEXT"]],
    [undefined, ["CURRKEY", "CURRDEC"]],
  ])("are known by their columns: %s", (kind, columns) => expect(kindOfExtract(columns)).toBe(kind));
  it("count where they are active, by position, English first", () => {
    const fields = [
      {
        TABNAME: "Z",
        FIELDNAME: "B",
        POSITION: "0002",
        KEYFLAG: "",
        ROLLNAME: "E",
        DOMNAME: "D",
        DATATYPE: "CHAR",
        LENG: "000001",
      },
      { TABNAME: "Z", FIELDNAME: "A", POSITION: "0001", KEYFLAG: "X", DATATYPE: "INT4", LENG: "000010" },
      { TABNAME: "Z", FIELDNAME: ".INCLUDE", POSITION: "0003", DATATYPE: "", LENG: "000000" },
      { TABNAME: "Z", FIELDNAME: "OLD", POSITION: "0004", AS4LOCAL: "N", DATATYPE: "CHAR", LENG: "1" },
    ];
    const elements = [
      { ROLLNAME: "E", DDLANGUAGE: "D", DDTEXT: "Kennzeichen" },
      { ROLLNAME: "E", DDLANGUAGE: "E", DDTEXT: "Indicator" },
    ];
    const values = [{ DOMNAME: "D", DDLANGUAGE: "D", DOMVALUE_L: "X", DDTEXT: "ja" }];
    expect(tablesOf({ ...NO_EXTRACTS, fields, elements, values })).toEqual([
      {
        name: "Z",
        description: "",
        fields: [
          { name: "A", type: "INT4", length: 10, key: true },
          {
            name: "B",
            type: "CHAR",
            length: 1,
            key: false,
            description: "Indicator",
            values: [{ value: "X", text: "ja" }],
          },
        ],
      },
    ]);
  });
});
