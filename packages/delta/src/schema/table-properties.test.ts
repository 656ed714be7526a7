import { describe, expect, it } from "vitest";
import { parseColumnList } from "./stats-property.js";
import { isInternalProperty, propertyName, validateProperties } from "./table-properties.js";

const AT = { table: "/t", version: 1n };

describe("validateProperties", () => {
  it("spells names and values as Delta does, and leaves the user's own alone", () => {
    expect(
      validateProperties(AT, {
        "DELTA.AppendOnly": "TRUE",
        "delta.columnmapping.mode": "NAME",
        "delta.isolationLevel": "writeserializable",
        "delta.checkpointInterval": "100",
        "delta.logRetentionDuration": "interval 60 days",
        "delta.deletedFileRetentionDuration": "2 weeks",
        "delta.dataSkippingStatsColumns": "a, `b c`.d",
        "delta.targetFileSize": "128mb",
        "delta.feature.DeletionVectors": "Enabled",
        "delta.universalFormat.config.x": "y",
        Owner: "me",
        delta: "no prefix",
      }),
    ).toEqual({
      "delta.appendOnly": "true",
      "delta.columnMapping.mode": "name",
      "delta.isolationLevel": "WriteSerializable",
      "delta.checkpointInterval": "100",
      "delta.logRetentionDuration": "interval 60 days",
      "delta.deletedFileRetentionDuration": "2 weeks",
      "delta.dataSkippingStatsColumns": "a, `b c`.d",
      "delta.targetFileSize": "128mb",
      "delta.feature.deletionvectors": "supported",
      "delta.universalFormat.config.x": "y",
      Owner: "me",
      delta: "no prefix",
    });
  });

  it.each([
    ["delta.appendOnly", "yes"],
    ["delta.checkpointInterval", "0"],
    ["delta.checkpointInterval", "ten"],
    ["delta.dataSkippingNumIndexedCols", "-2"],
    ["delta.logRetentionDuration", "1 month"],
    ["delta.columnMapping.mode", "position"],
    ["delta.checkpointPolicy", "v3"],
    ["delta.parquet.format.version", "3.0.0"],
    ["delta.dataSkippingStatsColumns", "a b"],
    ["delta.targetFileSize", "0"],
  ])("refuses %s = %s", (key, value) => {
    expect(() => validateProperties(AT, { [key]: value })).toThrow(
      expect.objectContaining({
        code: "DELTA_VIOLATE_TABLE_PROPERTY_VALIDATION_FAILED",
        message: expect.stringContaining(key),
      }),
    );
  });

  it("refuses what Delta does not have, and what commits keep", () => {
    expect(() => validateProperties(AT, { "delta.apendOnly": "true" })).toThrow(
      expect.objectContaining({
        code: "DELTA_UNKNOWN_CONFIGURATION",
        message: expect.stringContaining("delta.apendOnly"),
      }),
    );
    for (const key of [
      "delta.columnMapping.maxColumnId",
      "delta.rowTracking.materializedRowIdColumnName",
      "delta.inCommitTimestampEnablementVersion",
    ]) {
      expect(isInternalProperty(key)).toBe(true);
      expect(() => validateProperties(AT, { [key]: "9" })).toThrow(
        expect.objectContaining({ code: "DELTA_CANNOT_MODIFY_TABLE_PROPERTY" }),
      );
    }
  });

  it("finds names whatever their case", () => {
    expect(propertyName("DELTA.ENABLECHANGEDATAFEED")).toBe("delta.enableChangeDataFeed");
    expect(propertyName("My.Own")).toBe("My.Own");
  });
});

describe("parseColumnList", () => {
  it.each<[string, string[][] | undefined]>([
    ["a", [["a"]]],
    ["a,b.c", [["a"], ["b", "c"]]],
    [" a , `x.y,z` . `q``r` ", [["a"], ["x.y,z", "q`r"]]],
    ["", undefined],
    ["a,", undefined],
    ["a b", undefined],
    ["`a", undefined],
  ])("%j", (text, expected) => {
    expect(parseColumnList(text)).toEqual(expected);
  });
});
