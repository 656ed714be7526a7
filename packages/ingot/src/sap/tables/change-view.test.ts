import { describe, expect, it } from "vitest";
import { defaultSystem } from "../system.js";
import { type ChangeViewInput, changeView, optionalColumns, UnorderedChanges } from "./change-view.js";

const system = await defaultSystem();
const likp = system.dictionary.table("LIKP");
const base: Pick<ChangeViewInput, "system" | "mode" | "keys"> = { system, mode: "strings", keys: ["MANDT", "VBELN"] };
if (likp === undefined) throw new Error("the dictionary has no LIKP");

describe("a change view", () => {
  it("of a table that no dictionary has computes only what `*` has not", () => {
    const view = changeView({ ...base, format: "debezium", keys: ["Id"] });
    expect(view.select.map((column) => column.split(" AS ").at(-1))).toEqual(["*", "_change_type", "___SOURCE_LSN"]);
    expect(view.except).toEqual(["__OP", "_change_type", "___SOURCE_LSN"]);
    expect(view).toMatchObject({ keys: ["Id"], sequenceBy: ["___SOURCE_LSN"], timed: false });
  });
  it("of a change feed takes the feed's own words", () => {
    const view = changeView({ ...base, format: "cdf", table: likp, fields: ["wadat"] });
    expect(view.select.slice(2)).toEqual([
      "CAST(WADAT AS STRING) AS wadat",
      "_CHANGE_TYPE AS _change_type",
      "_COMMIT_VERSION AS _commit_version",
      "_commit_timestamp AS event_ts",
    ]);
    expect(view.rules.map(({ name }) => name)).toEqual(["valid_key", "valid_sequence"]);
  });
  it("sets aside records that do not fit, before it looks at their columns", () => {
    const view = changeView({ ...base, format: "odq", table: likp, delivery: "_delivery", corruptRecord: "_bad" });
    expect(view.rules[0]).toEqual({ name: "whole_record", condition: "_bad IS NULL", status: "MALFORMED_RECORD" });
    expect([view.select.includes("_bad"), view.except.includes("_bad")]).toEqual([true, true]);
  });
  it("without anything that orders its rows is refused", () => {
    expect(() => changeView({ ...base, format: "plain", table: likp })).toThrow(UnorderedChanges);
    expect(changeView({ ...base, format: "plain", table: likp, sequenceBy: ["AEDAT"] }).sequenceBy).toEqual(["aedat"]);
  });
  it("takes a client that the source declares where a schema has none", () => {
    const conventions = { ...system.conventions, client: "100" };
    const columns = ["VBELN", "WADAT"];
    const view = changeView({
      ...base,
      system: { ...system, conventions },
      format: "plain",
      table: likp,
      columns,
      delivery: "_d",
    });
    expect(view.select.slice(0, 3)).toEqual([
      "'100' AS mandt",
      "nullif(rtrim(CAST(VBELN AS STRING)), '') AS vbeln",
      "CAST(WADAT AS STRING) AS wadat",
    ]);
  });
});

it("files may lack fields outside of the key, where all values are texts, and the counter of ODQ", () => {
  const of = { ...base, table: likp, format: "odq", fields: ["wadat", "vbeln"] } as const;
  expect(optionalColumns(of, true)).toEqual(["WADAT", "ODQ_ENTITYCNTR"]);
  expect(optionalColumns(of, false)).toEqual(["ODQ_ENTITYCNTR"]);
});
