import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CSV_DEFAULTS } from "../../../../graph/test-builders.js";
import type { CsvRead } from "../../../../model/file-read.js";
import { TestFiles } from "../test-relation.js";

const files = new TestFiles();
beforeAll(() => files.open());
afterAll(() => files.close());

/** A read that takes its columns from the files. */
function textRead(more: Partial<CsvRead> = {}): CsvRead {
  return { ...CSV_DEFAULTS, path: files.folder, format: "csv", header: true, escape: '"', ...more };
}
const RESCUED = { rescuedDataColumn: "_rescued" };
const caseFile = (name: string) => readFileSync(`test/fixtures/cases/${name}`);

describe("every field as text, exactly as it stands", () => {
  it("keeps zeros, signs, blanks and what looks like numbers", async () => {
    const { rows } = await files.read({ "a.csv": "a,b,c\n0421, 1 ,-0\n1e5,TRUE,01.10\n" }, textRead());
    expect(rows).toEqual([
      ["0421", " 1 ", "-0"],
      ["1e5", "TRUE", "01.10"],
    ]);
  });

  it("tells an empty field from an empty text", async () => {
    const { rows } = await files.read({ "a.csv": 'a,b,c\n,"",x\n"",,"a""b"\n"","","y"\n' }, textRead());
    expect(rows).toEqual([
      [null, "", "x"],
      ["", null, 'a"b'],
      ["", "", "y"],
    ]);
  });

  it("takes the text that stands for null", async () => {
    const { rows } = await files.read({ "a.csv": 'a,b,c\nNULL,"NULL",\nx,"",null\n' }, textRead({ nullValue: "NULL" }));
    expect(rows).toEqual([
      [null, null, null],
      ["x", "", "null"],
    ]);
  });

  it("finds columns by their names, whatever their order", async () => {
    const { names, rows } = await files.read(
      { "a.csv": "BUYER,PLANT\nIris,P10\nOtto,P20\n", "b.csv": "plant,NEW,buyer\nP30,n,Ute\n" },
      textRead(),
    );
    expect(names).toEqual(["BUYER", "PLANT", "NEW"]);
    expect(rows).toEqual([
      ["Iris", "P10", null],
      ["Otto", "P20", null],
      ["Ute", "P30", "n"],
    ]);
  });

  it("drops blanks around fields where asked, not within quotes", async () => {
    const { names, rows } = await files.read(
      { "a.csv": 'a, b \n  x ,"  y "\n "z" , \n' },
      textRead({ ignoreLeadingWhiteSpace: true, ignoreTrailingWhiteSpace: true }),
    );
    expect(names).toEqual(["a", "b"]);
    expect(rows).toEqual([
      ["x", "  y "],
      ["z", null],
    ]);
  });

  it("leaves comments out", async () => {
    const { rows, records } = await files.read({ "a.csv": "#x\na,b\n# 1,2,3\n1,#2\n" }, textRead({ comment: "#" }));
    expect(rows).toEqual([["1", "#2"]]);
    expect(records).toBe(1);
  });
});

describe("records with too many or too few fields", () => {
  const content = { "a.csv": "a,b,c\n1,2,3\n\n4,5,6,X,Y\n7,8\n" };

  it("rescues what has no column, with the record, the line and the reason", async () => {
    const { rows } = await files.read(content, textRead(RESCUED));
    const rescued = rows.map((row) => (row[3] === null ? null : JSON.parse(String(row[3]))));
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ["1", "2", "3"],
      ["4", "5", "6"],
      ["7", "8", null],
    ]);
    const _file_path = `file:${files.folder}/a.csv`;
    expect(rescued).toEqual([
      null,
      { 4: "X", 5: "Y", _reason: "it should have 3 fields and has 5", _record: "4,5,6,X,Y", _line: 4, _file_path },
      { _reason: "missing field: c", _record: "7,8", _line: 5, _file_path },
    ]);
  });

  it("stops without a place for them", async () => {
    await expect(files.read(content, textRead())).rejects.toThrow(
      /\[MALFORMED_RECORD\] .*a\.csv:4: .*should have 3 fields and has 5/,
    );
  });

  it("drops and counts them where asked, or fails", async () => {
    const { rows, records, dropped } = await files.read(content, textRead({ mode: "DROPMALFORMED" }));
    expect(rows).toEqual([["1", "2", "3"]]);
    expect(records).toBe(rows.length + dropped);
    const failing = textRead({ mode: "FAILFAST", ...RESCUED });
    await expect(files.read(content, failing)).rejects.toThrow(/MALFORMED_RECORD/);
  });
});

describe("line breaks within quotes", () => {
  it("reads case V19: breaks and doubled quotes in text and header", async () => {
    const { names, rows } = await files.read({ "a.csv": caseFile("V19/input.csv") }, textRead({ multiLine: true }));
    expect(names).toEqual(["id", "Long\ntext", "n"]);
    expect(rows).toEqual([
      ["1", 'line1\r\nline2 "quoted", end', "7"],
      ["2", "", "8"],
    ]);
  });

  it("says on which line a record begins", async () => {
    const content = { "a.csv": 'a,b\r\n"1\r\n\r\n2",3\r\n4\r\n' };
    const read = textRead({ multiLine: true, ...RESCUED });
    const { rows } = await files.read(content, read);
    expect(rows[0]).toEqual(["1\r\n\r\n2", "3", null]);
    expect(JSON.parse(String(rows[1]?.[2]))).toMatchObject({ _line: 5, _record: "4" });
  });

  it("keeps what a quote that nobody closes takes", async () => {
    const read = textRead({ multiLine: true, ...RESCUED });
    const { rows, records } = await files.read({ "a.csv": 'a,b\n1,"2\n3,4\n5,6\n' }, read);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([["1", "2\n3,4\n5,6\n"]]);
    expect(records).toBe(1);
  });
});

describe("encodings and compression", () => {
  const rows = [
    ["1", "Müller"],
    ["2", "Groß €"],
  ];
  const text = `id,name\n${rows.map((row) => row.join(",")).join("\n")}\n`;
  const inCp1252 = Buffer.from(text.replace("€", "\x80"), "latin1");
  const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");

  it.each([
    ["windows-1252", inCp1252],
    ["UTF-16", utf16],
    ["UTF-16", Buffer.from(utf16).swap16()],
    ["UTF-16LE", utf16],
    ["UTF-16BE", Buffer.from(text, "utf16le").swap16()],
    ["ISO-8859-15", Buffer.from(text.replace("€", "\xa4"), "latin1")],
    ["UTF-8", Buffer.from(`\ufeff${text}`)],
  ])("reads %s", async (encoding, content) => {
    expect((await files.read({ "a.csv": content }, textRead({ encoding }))).rows).toEqual(rows);
    expect((await files.read({ "a.csv.gz": gzipSync(content) }, textRead({ encoding, multiLine: true }))).rows).toEqual(
      rows,
    );
  });

  it("holds back a file that is not what it should be, with the place", async () => {
    await expect(files.read({ "a.csv": inCp1252 }, textRead())).rejects.toMatchObject({
      code: "FILE_BAD_ENCODING",
      message: expect.stringContaining("line 2, column 4"),
    });
    await expect(files.read({ "a.csv": utf16 }, textRead())).rejects.toMatchObject({
      code: "FILE_BAD_ENCODING",
      hint: expect.stringContaining("UTF-16LE"),
    });
  });

  it("reads case V23: a compressed file in which quotes are characters", async () => {
    const { rows, records } = await files.read(
      { "a.tsv.gz": caseFile("V23/input.tsv.gz") },
      textRead({ sep: "\t", quote: "" }),
    );
    expect(rows.length).toBe(3000);
    expect(records).toBe(3000);
    expect(rows.filter((row) => row.includes("O'Neil pipe 3\" steel")).length).toBe(60);
  });

  it("takes the members of a gzip file for one, and one that is cut off for none", async () => {
    const members = Buffer.concat([gzipSync("a\n1\n"), gzipSync("2\n")]);
    expect((await files.read({ "a.csv.gz": members }, textRead())).rows).toEqual([["1"], ["2"]]);
    for (const cut of [members.subarray(0, members.length - 6), Buffer.from("a\n1\n")]) {
      await expect(files.read({ "a.csv.gz": cut }, textRead())).rejects.toMatchObject({ code: "FILE_CORRUPT" });
    }
  });

  // By `printf 'a\n1\n' | zstd`, and again with 2.
  const [first, second] = ["28b52ffd0458210000610a310a751cc301", "28b52ffd0458110000320a3acd0d31"].map((hex) =>
    Buffer.from(hex, "hex"),
  ) as [Buffer, Buffer];

  it("reads the frames of a zstd file, not one that is cut off", async () => {
    const { rows } = await files.read({ "a.csv.zst": Buffer.concat([first, second]) }, textRead());
    expect(rows).toEqual([["1"], ["2"]]);
    for (const cut of [first.subarray(0, first.length - 2), first.subarray(0, 3), Buffer.from("a\n1\n")]) {
      await expect(files.read({ "a.csv.zst": cut }, textRead())).rejects.toMatchObject({ code: "FILE_CORRUPT" });
    }
  });
});

it("tells which record of which file a row is", async () => {
  const content = { "a.csv": "a\nx\n\ny\n", "b.csv": "a\nz\r\n" };
  const query = 'SELECT a, "_metadata.row_number", "_metadata.content_hash" FROM ?';
  const { rows, files: found } = await files.read(content, textRead(), query);
  const [first, second] = found.map(({ sha256 }) => sha256);
  expect(rows).toEqual([
    ["x", "1", first],
    ["y", "2", first],
    ["z", "1", second],
  ]);
});

describe("laws", () => {
  const unit = fc.constantFrom("a", "0", '"', "\\", ",", ";", "'", " ", "\t", "é", "\u{1F600}", "\x1c", "\n", "\r");
  const value = fc.option(fc.string({ unit, maxLength: 6 }), { freq: 4 });
  const sep = fc.constantFrom(",", ";", "\t", "|");
  const end = fc.constantFrom("\n", "\r\n");
  const encoding = fc.constantFrom("UTF-8", "UTF-16LE");

  it("reads back random records of random dialects, each field as it was written", async () => {
    const record = fc.tuple(value, value, value);
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1 }),
        sep,
        end,
        encoding,
        fc.boolean(),
        async (rows, s, e, code, zip) => {
          const write = (text: string | null) => (text === null ? "" : `"${text.replaceAll('"', '""')}"`);
          const lines = [["k", "a", "b", "c"], ...rows.map((row) => ["k", ...row])];
          const text = lines.map((line) => line.map(write).join(s) + e).join("");
          const bytes = Buffer.from(text, code === "UTF-8" ? "utf8" : "utf16le");
          const content = zip ? { "p.csv.gz": gzipSync(bytes) } : { "p.csv": bytes };
          const read = textRead({ sep: s, encoding: code, multiLine: true });
          const { rows: found, records } = await files.read(content, read, "SELECT a, b, c FROM ?");
          expect(found).toEqual(rows);
          expect(records).toBe(rows.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("gives each record of any file one row, or says where it went", async () => {
    const bytes = fc.string({
      unit: fc.constantFrom("a", ",", '"', "\n", "\r", "\0", " ", "\x1c", "\ufeff"),
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(bytes, fc.boolean(), fc.boolean(), async (text, multiLine, drop) => {
        const read = textRead({ multiLine, ...RESCUED, mode: drop ? "DROPMALFORMED" : "PERMISSIVE" });
        const { rows, records, dropped } = await files.read({ "q.csv": `h,i\n${text}` }, read);
        expect(rows.length + dropped).toBe(records);
      }),
      { numRuns: 100 },
    );
  });
});
