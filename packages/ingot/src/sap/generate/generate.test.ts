import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { CHANGE_FORMATS, type ChangeFormatName } from "../changes/formats.js";
import type { TableCounts } from "./counts.js";
import { generateFiles, groups } from "./generate-fixture.js";
import { generateInMemory, type SapData, type SapDataOptions } from "./in-memory.js";

/** One hash of all files, in the order of their paths. */
function digest({ files }: Pick<SapData, "files">): string {
  const hash = createHash("sha256");
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${path}\n${text}\n`);
  return hash.digest("hex");
}

describe("what is generated", () => {
  // These hold on every platform. A change of the generator changes them: take the new ones over with it.
  const tables = ["VBAK", "VBAP", "VBFA", "LIPS", "BKPF", "BSEG", "EKPO", "EKBE", "MARC", "MAKT", "KNA1", "TCURR"];
  const PINNED: readonly (readonly [SapDataOptions, string])[] = [
    [{ tables }, "24d468716c1be140d06573ae7acda95fed602b40f8c18f023cbfcc3566cc8767"],
    [
      { tables, seed: "other", release: "s4", clients: ["100", "200"], changes: "slt", format: "json", faults: "all" },
      "96484a4b206bddf9aad3cc6956bf49a24b8a1d3fbe4e2fc58133a8ff479faf88",
    ],
  ];
  it.each(PINNED)("is the same for the same seed: %j", async (options, expected) => {
    const [first, second] = [await generateInMemory(options), await generateInMemory(options)];
    expect(digest(second)).toBe(digest(first));
    expect(digest(first)).toBe(expected);
  });

  it("is another for another seed", async () => {
    const texts = await Promise.all(["1", "2"].map((seed) => generateInMemory({ seed, tables: ["VBAK"] })));
    expect(new Set(texts.map(digest)).size).toBe(2);
  });

  it("has the same rows of a table, whichever others are written", async () => {
    const whole = await generateInMemory();
    for (const tables of [["BSEG"], ["VBAP", "MAKT"]]) {
      const { files } = await generateInMemory({ tables });
      expect([...files].filter(([path, text]) => whole.files.get(path) !== text).map(([path]) => path)).toEqual([]);
      expect(files.size).toBeGreaterThan(5);
    }
  });

  it("has the rows of a client, whichever others there are", async () => {
    const [one, two] = [
      await generateFiles({ tables: ["VBAK"] }),
      await generateFiles({ tables: ["VBAK"], clients: ["100", "200"] }),
    ];
    const clients = groups(two.truth("VBAK"), "MANDT");
    expect(clients.get("100")).toEqual(one.truth("VBAK"));
    const numbers = new Set(one.truth("VBAK").map(({ VBELN }) => VBELN));
    expect(clients.get("200")?.some(({ VBELN }) => numbers.has(VBELN))).toBe(true);
  });

  it("refuses a table that it does not make", async () => {
    await expect(generateInMemory({ tables: ["VBAK", "VBOK"] })).rejects.toMatchObject({
      code: "SAP_TABLE_NOT_FOUND",
      message: "Table VBOK is not generated",
    });
  });

  it("has about as much as its scale says, and grows with it", async () => {
    const { tables } = await generateInMemory({ scale: "tiny", days: 2 });
    expect(tables.get("VBAK")?.initial).toBe(40);
    expect(tables.get("EKKO")?.initial).toBe(20);
    expect(changesOf(tables)).toBeGreaterThan(200);
    expect(changesOf(tables)).toBeLessThan(800);
    const larger = await generateInMemory({ scale: 3000, tables: ["BSEG"], history: 200 });
    expect(larger.tables.get("BSEG")?.initial).toBeGreaterThan(1500);
    expect(larger.tables.get("BSEG")?.initial).toBeLessThan(6000);
  });

  it("has as many changes as it is told to have, over the same start", async () => {
    const own = await generateInMemory({ scale: "tiny" });
    const more = await generateInMemory({ scale: "tiny", changesPerDay: 2000 });
    const initial = ({ tables }: typeof own) => [...tables].map(([name, counts]) => [name, counts.initial]);
    expect(initial(more)).toEqual(initial(own));
    expect(changesOf(more.tables)).toBeGreaterThan(1000);
    expect(changesOf(more.tables)).toBeLessThan(4000);
  });
});

function changesOf(tables: ReadonlyMap<string, TableCounts>): number {
  return [...tables.values()].reduce((sum, counts) => sum + counts.insert + counts.update + counts.delete, 0);
}

describe("the texts of materials", () => {
  it("lack languages, and have what breaks files", async () => {
    const texts = groups((await generateFiles({ tables: ["MAKT"], batches: 1 })).rows("initial/MAKT.json"), "MATNR");
    const languages = (number: string) => texts.get(number.padStart(18, "0"))?.map(({ SPRAS }) => SPRAS);
    expect(languages("1001")).toEqual(["D"]);
    expect(languages("1002")).toBeUndefined();
    expect(languages("1004")).toContain("J");
    expect(languages("1005")).toContain("e");
    expect(texts.get("1003".padStart(18, "0"))?.some(({ MAKTX }) => MAKTX?.includes('"L"\n'))).toBe(true);
  });
});

describe("change formats", () => {
  const read = async (changes: ChangeFormatName) =>
    generateFiles({ changes, tables: ["VBAK", "VBAP"], days: 4, batches: 4 });
  const names = Object.keys(CHANGE_FORMATS) as ChangeFormatName[];

  it("bear the same transactions: as many rows of each kind, and the same truth", async () => {
    const all = await Promise.all(names.map(async (name) => [name, await read(name)] as const));
    const count = (rows: readonly object[]) => rows.length;
    const [, odq] = all[0] ?? [];
    const truth = odq?.files.get("truth/VBAP.json");
    const deletes = {
      odq: (row: Record<string, string>) => row.ODQ_CHANGEMODE === "D",
      recordmode: (row: Record<string, string>) => row["0RECORDMODE"] === "R",
      slt: (row: Record<string, string>) => row.OPERATION_FLAG === "D",
      fivetran: (row: Record<string, string>) => row._FIVETRAN_DELETED === "true",
      qlik: (row: Record<string, string>) => row.HEADER__CHANGE_OPER === "D",
      debezium: (row: Record<string, string>) => row.__OP === "d",
      cdf: (row: Record<string, string>) => row._change_type === "delete",
    };
    const deleted = odq?.changes("VBAP").filter(deletes.odq) ?? [];
    expect(deleted.length).toBeGreaterThan(0);
    // Of a table that someone keeps, each batch has the newest row of a key alone.
    const atEnd = [1, 2, 3, 4].flatMap((batch) => {
      const newest = new Map<string, Record<string, string>>();
      for (const row of odq?.rows(`cdc/VBAP/0000${batch}.json`) ?? []) {
        const key = `${row.VBELN}/${row.POSNR}`;
        newest.delete(key);
        newest.set(key, row);
      }
      return [...newest.values()].filter(deletes.odq);
    });
    for (const [name, data] of all) {
      expect(data.files.get("truth/VBAP.json"), name).toBe(truth);
      if (name === "plain") continue;
      expect(
        data
          .changes("VBAP")
          .filter(deletes[name])
          .map(({ VBELN, POSNR }) => [VBELN, POSNR]),
        name,
      ).toEqual((name === "fivetran" ? atEnd : deleted).map(({ VBELN, POSNR }) => [VBELN, POSNR]));
    }
    const plain = all.find(([name]) => name === "plain")?.[1];
    const images = odq
      ?.changes("VBAP")
      .filter(({ ODQ_ENTITYCNTR, ODQ_CHANGEMODE }) => ODQ_ENTITYCNTR === "1" && ODQ_CHANGEMODE !== "D");
    expect(count(plain?.changes("VBAP") ?? [])).toBe(count(images ?? []));
  });

  it("have ODQ rows as SAP counts them: a before image is U and −1, with the row before it", async () => {
    const data = await read("odq");
    const modes = new Set(data.changes("VBAK").map((row) => `${row.ODQ_CHANGEMODE}/${row.ODQ_ENTITYCNTR}`));
    expect([...modes].every((mode) => ["C/1", "U/-1", "U/1", "D/-1"].includes(mode))).toBe(true);
    const initial = data.rows("initial/VBAK.json");
    expect(new Set(initial.map((row) => `${row.ODQ_CHANGEMODE}/${row.ODQ_TSN}`))).toEqual(
      new Set([`/${"0".repeat(23)}`]),
    );
    const known = new Map(initial.map((row) => [row.VBELN, row.NETWR]));
    for (const row of data.changes("VBAK")) {
      if (row.ODQ_ENTITYCNTR === "-1") expect(known.get(row.VBELN)).toBe(row.NETWR);
      else known.set(row.VBELN, row.NETWR);
    }
  });

  it("may lack the producer's sequence", async () => {
    const data = await generateFiles({ tables: ["VBAK"], sequence: false });
    expect(Object.keys(data.rows("initial/VBAK.json")[0] ?? {}).slice(-2)).toEqual([
      "ODQ_CHANGEMODE",
      "ODQ_ENTITYCNTR",
    ]);
  });
});
