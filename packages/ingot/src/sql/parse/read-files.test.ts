import { describe, expect, it } from "vitest";
import { IngotError } from "../../model/error.js";
import { sqlText } from "../../model/position.js";
import { parseQuery } from "./parse-query.js";

async function read(options: string) {
  const { relations } = await parseQuery(sqlText(`SELECT * FROM read_files('in', ${options})`));
  const [relation] = relations;
  if (relation?.kind !== "files") throw new Error("reads no files");
  return relation.files;
}
const REQUIRED = "format => 'csv', schema => 'a INT, _bad STRING'";

describe("read_files", () => {
  it("has Spark's defaults for CSV", async () => {
    expect(await read(REQUIRED)).toEqual({
      path: "in",
      format: "csv",
      schema: [
        { name: "a", type: { kind: "int" }, nullable: true },
        { name: "_bad", type: { kind: "string" }, nullable: true },
      ],
      header: false,
      enforceSchema: true,
      sep: ",",
      quote: '"',
      escape: "\\",
    });
  });
  it("takes option names in any case, and values as strings or literals", async () => {
    expect(
      await read(
        `FORMAT => 'CSV', Schema => 'a INT, _bad STRING', HEADER => 'TRUE', delimiter => '\\t', columnNameOfCorruptRecord => '_BAD', fileNamePattern => '*.csv', mode => 'permissive'`,
      ),
    ).toMatchObject({ header: true, sep: "\t", corruptRecordColumn: "_bad", pathGlobFilter: "*.csv" });
  });
  it("takes the column _corrupt_record for corrupt records, unless the option names another", async () => {
    const schema = "format => 'csv', schema => 'a INT, _bad STRING, _corrupt_record STRING'";
    expect((await read(schema)).corruptRecordColumn).toBe("_corrupt_record");
    expect((await read(`${schema}, columnNameOfCorruptRecord => '_bad'`)).corruptRecordColumn).toBe("_bad");
    const upper = "format => 'csv', schema => 'a INT, _CORRUPT_RECORD STRING'";
    expect((await read(upper)).corruptRecordColumn).toBeUndefined();
  });
  it("takes an empty quote and escape", async () => {
    expect(await read(`${REQUIRED}, quote => '', escape => ''`)).toMatchObject({ quote: "", escape: "" });
  });
  it.each([
    ["schema => 'a INT'", "NOT_SUPPORTED 1:15", "format"],
    ["format => 'csv'", "NOT_SUPPORTED 1:15", "schema"],
    ["format => 'json', schema => 'a INT'", "NOT_SUPPORTED 1:42", "json"],
    ["format => 'cvs', schema => 'a INT'", "BAD_OPTION 1:42", "cvs"],
    [`${REQUIRED}, heder => true`, "UNKNOWN_OPTION 1:81", "heder"],
    [`${REQUIRED}, \`cloudFiles.inferColumnTypes\` => true`, "NOT_SUPPORTED 1:81", "inferColumnTypes"],
    [`${REQUIRED}, header => 'maybe'`, "BAD_OPTION 1:91", "header"],
    [`${REQUIRED}, sep => ''`, "BAD_OPTION 1:88", "sep"],
    ["format => 'csv', schema => 'a INT, _corrupt_record INT'", "BAD_SCHEMA 1:59", "_corrupt_record"],
    [`${REQUIRED}, sep => ';;'`, "BAD_OPTION 1:88", "sep"],
    [`${REQUIRED}, sep => ';', delimiter => ';'`, "BAD_OPTION 1:93", "sep"],
    [`${REQUIRED}, mode => 'FAILFAST'`, "NOT_SUPPORTED 1:89", "FAILFAST"],
    [`${REQUIRED}, columnNameOfCorruptRecord => 'a'`, "BAD_OPTION 1:110", "STRING"],
    ["format => 'csv', schema => 'a ARRAY<INT>'", "BAD_SCHEMA 1:59", "ARRAY"],
    ["format => 'csv', schema => 'a INTT'", "BAD_SCHEMA 1:62", "INTT"],
  ])("%s", async (options, place, words) => {
    const error = await read(options).catch((e: unknown) => e);
    if (!(error instanceof IngotError)) throw new Error("not refused");
    expect(`${error.code} ${error.at?.line}:${error.at?.column}`).toBe(place);
    expect(error.message.toLowerCase()).toContain(words.toLowerCase());
  });
});
