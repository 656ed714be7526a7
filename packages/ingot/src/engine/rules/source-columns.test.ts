import { expect, it } from "vitest";
import { columns, csvRead } from "../../graph/test-builders.js";
import { sourcesAt } from "./source-columns.js";

const TEXT = { column: (name: string) => `f.${name}`, rowNumber: "f.row" };
const known = (ddl: string, more = {}) =>
  sourcesAt({ kind: "files", read: csvRead("landing", more), columns: columns(ddl), files: [] }, TEXT, () => false);
const PLACE = { file: "f._metadata.file_path", row: "f.row" };

it("knows file and record of each row of files", () => {
  expect(known("a int")).toEqual(PLACE);
});

it("has the raw record where a column keeps it, whatever the case of its name; corrupt records first", () => {
  const named = { corruptRecordColumn: "_bad", rescuedDataColumn: "_Rest" };
  expect(known("_rest string, _BAD string", named)).toEqual({ ...PLACE, record: "coalesce(f._BAD, f._rest)" });
});

it("knows nothing where the files have a column _metadata of their own", () => {
  expect(known("a int, _Metadata string")).toEqual({});
});
