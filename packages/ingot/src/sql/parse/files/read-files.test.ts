import { describe, expect, it } from "vitest";
import { CSV_DEFAULTS } from "../../../graph/test-builders.js";
import { IngotError } from "../../../model/error.js";
import { sqlText } from "../../../model/position.js";
import { parseQuery } from "../parse-query.js";

async function read(options: string, stream = "") {
  const { relations } = await parseQuery(sqlText(`SELECT * FROM ${stream}read_files('in', ${options})`));
  const [relation] = relations;
  if (relation?.kind !== "files") throw new Error("reads no files");
  return relation.files;
}
const REQUIRED = "format => 'csv', schema => 'a INT, _bad STRING'";

describe("read_files", () => {
  it("has Spark's defaults for CSV with a schema", async () => {
    expect(await read(REQUIRED)).toEqual({
      ...CSV_DEFAULTS,
      path: "in",
      format: "csv",
      schema: [
        { name: "a", type: { kind: "int" }, nullable: true },
        { name: "_bad", type: { kind: "string" }, nullable: true },
      ],
    });
  });
  it("without a schema doubles quotes, and takes new columns", async () => {
    const found = await read("format => 'csv', header => true, schemaHints => 'n DECIMAL(10,2)'");
    expect(found).toMatchObject({ escape: '"', schemaEvolutionMode: "addNewColumns" });
    expect(found.schemaHints).toMatchObject([{ name: "n", type: { kind: "decimal" } }]);
    expect(found.schema).toBeUndefined();
  });
  it("takes option names in any case, and values as strings or literals", async () => {
    expect(
      await read(
        `FORMAT => 'CSV', Schema => 'a INT, _bad STRING', HEADER => 'TRUE', delimiter => '\\t', columnNameOfCorruptRecord => '_BAD', fileNamePattern => '*.csv', mode => 'permissive', charset => 'utf-8'`,
      ),
    ).toMatchObject({
      header: true,
      sep: "\t",
      corruptRecordColumn: "_bad",
      pathGlobFilter: "*.csv",
      encoding: "UTF-8",
    });
  });
  it("takes Auto Loader's prefix", async () => {
    const options = "format => 'json', `cloudFiles.maxFilesPerTrigger` => 10, `cloudFiles.maxBytesPerTrigger` => '10g'";
    expect(await read(options, "STREAM ")).toMatchObject({
      maxFilesPerTrigger: 10,
      maxBytesPerTrigger: 10 * 1024 ** 3,
    });
  });
  it("takes moments in UTC or with an offset", async () => {
    const options = "format => 'parquet', modifiedAfter => '2026-10-01', modifiedBefore => '2026-10-01 08:30:00+02:00'";
    expect(await read(options)).toMatchObject({
      modifiedAfter: Date.UTC(2026, 9, 1),
      modifiedBefore: Date.UTC(2026, 9, 1, 6, 30),
    });
  });
  it("rescue needs no name for its column", async () => {
    const options = "format => 'json', schemaEvolutionMode => 'rescue'";
    expect((await read(options, "STREAM ")).rescuedDataColumn).toBe("_rescued_data");
    expect((await read(`${options}, rescuedDataColumn => 'rest'`, "STREAM ")).rescuedDataColumn).toBe("rest");
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
    ["format => 'avro'", "NOT_SUPPORTED 1:42", "avro"],
    ["format => 'cvs', schema => 'a INT'", "BAD_OPTION 1:42", "cvs"],
    [`${REQUIRED}, heder => true`, "UNKNOWN_OPTION 1:81", "heder"],
    [`${REQUIRED}, \`cloudFiles.schemaLocation\` => 'x'`, "NOT_SUPPORTED 1:81", "schemaLocation"],
    [`${REQUIRED}, inferColumnTypes => true`, "BAD_OPTION 1:81", "inferColumnTypes"],
    [`${REQUIRED}, wholeText => true`, "BAD_OPTION 1:81", "csv"],
    [`${REQUIRED}, header => 'maybe'`, "BAD_OPTION 1:91", "header"],
    [`${REQUIRED}, sep => ''`, "BAD_OPTION 1:88", "sep"],
    ["format => 'csv', schema => 'a INT, _corrupt_record INT'", "BAD_SCHEMA 1:59", "_corrupt_record"],
    [`${REQUIRED}, sep => ';;'`, "BAD_OPTION 1:88", "sep"],
    [`${REQUIRED}, sep => ';', delimiter => ';'`, "BAD_OPTION 1:93", "sep"],
    [`${REQUIRED}, mode => 'FAILSLOW'`, "BAD_OPTION 1:89", "FAILSLOW"],
    [`${REQUIRED}, encoding => 'utf-7'`, "BAD_OPTION 1:93", "utf-7"],
    [`${REQUIRED}, columnNameOfCorruptRecord => 'a'`, "BAD_OPTION 1:110", "STRING"],
    [`${REQUIRED}, rescuedDataColumn => 'A'`, "BAD_OPTION 1:102", "taken"],
    [`${REQUIRED}, maxFilesPerTrigger => 5`, "BAD_OPTION 1:81", "STREAM"],
    [`${REQUIRED}, modifiedAfter => '2026-02-30'`, "BAD_OPTION 1:98", "2026-02-30"],
    ["format => 'csv', enforceSchema => false", "BAD_OPTION 1:49", "schema"],
    ["format => 'csv', schema => 'a ARRAY<INT>'", "BAD_SCHEMA 1:59", "ARRAY"],
    ["format => 'csv', schema => 'a INT, A INT'", "COLUMN_ALREADY_EXISTS 1:67", "A"],
    ["format => 'csv', schema => 'a INTT'", "BAD_SCHEMA 1:62", "INTT"],
  ])("%s", async (options, place, words) => {
    const error = await read(options).catch((e: unknown) => e);
    if (!(error instanceof IngotError)) throw new Error("not refused");
    expect(`${error.code} ${error.at?.line}:${error.at?.column}`).toBe(place);
    expect(error.message.toLowerCase()).toContain(words.toLowerCase());
    expect(error.hint).toMatch(/\.$|\?$/);
  });
});
