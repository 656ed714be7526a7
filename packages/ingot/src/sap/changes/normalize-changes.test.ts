import { describe, expect, it } from "vitest";
import { CHANGE_FORMATS, type ChangeFormatName } from "./formats.js";
import { ChangeFormatFault, normalizeChanges } from "./normalize-changes.js";

describe("normalizeChanges", () => {
  it.each<[ChangeFormatName, string[], string[], "upsert" | "delete"]>([
    ["odq", ["VBELN", "ODQ_CHANGEMODE", "ODQ_ENTITYCNTR"], [], "upsert"],
    [
      "odq",
      ["VBELN", "odq_changemode", "ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"],
      ["ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"],
      "upsert",
    ],
    ["recordmode", ["VBELN", "ROCANCEL", "REQUID", "DATAPAKID", "RECORD"], ["REQUID", "DATAPAKID", "RECORD"], "upsert"],
    ["slt", ["VBELN", "IUUC_OPERATION", "recordstamp"], ["recordstamp"], "delete"],
    ["fivetran", ["VBELN", "_fivetran_deleted", "_fivetran_synced"], ["_fivetran_synced"], "upsert"],
    ["qlik", ["VBELN", "header__change_oper", "header__change_seq"], ["header__change_seq"], "upsert"],
    ["debezium", ["VBELN", "__op", "__source_ts_ms", "__lsn"], ["__lsn"], "upsert"],
    ["cdf", ["VBELN", "_change_type", "_commit_version", "_commit_timestamp"], ["_commit_version"], "upsert"],
    ["plain", ["VBELN"], [], "upsert"],
  ])("%s: takes the row's own columns, its sequence and its rule for ties", (format, columns, sequence, ties) => {
    expect(normalizeChanges(format, columns)).toMatchObject({ payload: ["VBELN"], sequence, ties });
  });
  it.each<[ChangeFormatName, string[]]>([
    ["odq", ["VBELN", "ODQ_ENTITYCNTR"]],
    ["odq", ["VBELN", "ODQ_CHANGEMODE", "ODQ_TSN"]],
    ["slt", ["VBELN", "RECORDSTAMP"]],
  ])("%s: refuses a file with %j", (format, columns) => {
    expect(() => normalizeChanges(format, columns)).toThrow(ChangeFormatFault);
  });
  it("orders no changes by a counter", () => {
    const sequences = Object.values(CHANGE_FORMATS).flatMap(({ sequence }) => sequence.flat());
    expect(sequences).not.toContain("ODQ_ENTITYCNTR");
  });
});
