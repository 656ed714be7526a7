import { describe, expect, it } from "vitest";
import type { Field } from "../model/data-type.js";
import type { AutoCdcFlow } from "../model/definition.js";
import { sqlText } from "../model/position.js";
import { changedColumns, changeRules } from "./change-rules.js";
import { at, columns, compiled, DEFAULTS, tableName, thrown } from "./test-builders.js";

const SOURCE = "id int, name string, op string, seq bigint";

function changeFlow(more: Partial<AutoCdcFlow> = {}): AutoCdcFlow {
  return {
    kind: "auto-cdc",
    name: "f",
    target: tableName("t"),
    at: at(3),
    defaults: DEFAULTS,
    source: sqlText("STREAM s"),
    keys: ["id"],
    sequenceBy: sqlText("seq + 1"),
    storedAs: "scd1",
    ...more,
  };
}

const rulesOf = (flow: AutoCdcFlow, source = SOURCE, sequence = "bigint", more = "") =>
  changeRules(
    flow,
    compiled({ schema: columns(source) }),
    compiled({ schema: columns(`${source}, __ingot_sequence ${sequence}, __ingot_deleted boolean${more}`) }),
  );
const refused = (flow: AutoCdcFlow, ...more: [source?: string, sequence?: string]) => {
  const { code, message, hint } = thrown(() => rulesOf(flow, ...more));
  return { code, message, hint };
};
/** Rules of a flow whose changes list in `written` what they write. */
const listedRules = (more: Partial<AutoCdcFlow>) => {
  const list: Field = { name: "written", type: arrayOfStrings, nullable: true };
  const events = columns("__ingot_sequence bigint, __ingot_deleted boolean");
  const source = [...columns(SOURCE), list];
  return changeRules(
    changeFlow({ columnsToUpdate: "Written", ...more }),
    compiled({ schema: source }),
    compiled({ schema: [...source, ...events] }),
  );
};
const arrayOfStrings = { kind: "array", element: { kind: "string" }, containsNull: true } as const;
const refusedListed = (more: Partial<AutoCdcFlow>) => {
  const { code, message } = thrown(() => listedRules(more));
  return { code, message };
};
const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name).join();

it("bounds of versions may be missing, their fields too", () => {
  const rules = rulesOf(changeFlow({ storedAs: "scd2" }), SOURCE, "struct<a: struct<b: int not null> not null>");
  expect(changedColumns(rules).at(-1)?.type).toEqual(columns("c struct<a: struct<b: int>>")[0]?.type);
});

describe("columns", () => {
  it.each([
    [{}, "id,name,op,seq"],
    [{ columnList: ["ID", "name"] }, "id,name"],
    [{ exceptColumnList: ["op", "SEQ"] }, "id,name"],
  ])("of %j are %s", (more, expected) => {
    expect(names(rulesOf(changeFlow(more)).columns)).toBe(expected);
  });

  it("of type 2 have the sequence's type at both ends of a version", () => {
    const rules = rulesOf(changeFlow({ storedAs: "scd2" }), SOURCE, "timestamp");
    expect(changedColumns(rules).slice(-2)).toEqual(columns("__START_AT timestamp, __END_AT timestamp"));
    expect(names(changedColumns(rulesOf(changeFlow())))).toBe("id,name,op,seq");
  });

  it("that NULL does not overwrite are none of the keys", () => {
    const ignored = (ignoreNullUpdates: NonNullable<AutoCdcFlow["ignoreNullUpdates"]>) =>
      rulesOf(changeFlow({ ignoreNullUpdates })).ignoreNulls.join();
    expect(ignored(true)).toBe("name,op,seq");
    expect(ignored({ on: ["Name"] })).toBe("name");
    expect(ignored({ except: ["Name"] })).toBe("op,seq");
  });

  it("that a change may list are those of the source", () => {
    const rules = listedRules({ sequenceBy: sqlText("seq") });
    expect(rules).toMatchObject({ listable: ["id", "name", "op", "seq", "written"] });
    expect(rules.sequenceColumn).toBeUndefined();
  });

  it("whose history is tracked are all but the keys, unless they are listed", () => {
    const tracked = (more: Partial<AutoCdcFlow>) => rulesOf(changeFlow({ storedAs: "scd2", ...more })).tracked.join();
    expect(tracked({})).toBe("name,op,seq");
    expect(tracked({ trackHistoryColumnList: ["name"] })).toBe("name");
    expect(tracked({ trackHistoryExceptColumnList: ["name"] })).toBe("op,seq");
  });
});

describe("the sequence", () => {
  it.each([
    ["seq", {}, "seq"],
    ["`SEQ`", {}, "seq"],
    ["seq + 1", {}, undefined],
    ["seq", { exceptColumnList: ["seq"] }, undefined],
    ["seq", { ignoreNullUpdates: true }, undefined],
  ] as const)("%s with %j stands in the target's column %s", (text, more, expected) => {
    expect(rulesOf(changeFlow({ sequenceBy: sqlText(text), ...more })).sequenceColumn).toBe(expected);
  });

  it("needs an order", () => {
    expect(refused(changeFlow(), SOURCE, "void")).toMatchObject({
      code: "AUTOCDC_MICROBATCH_VALIDATION.NON_ORDERABLE_SEQUENCE",
      message: "The flow f: SEQUENCE BY is void, which has no order",
    });
  });

  it("must be the same when a batch is done again", () => {
    const events = compiled({ schema: columns(`${SOURCE}, __ingot_sequence timestamp`), deterministic: false });
    const fault = thrown(() => changeRules(changeFlow(), compiled({ schema: columns(SOURCE) }), events));
    expect(fault.message).toContain("asks for the time or a random number");
  });
});

describe("what is refused", () => {
  it.each<[Partial<AutoCdcFlow>, string, string]>([
    [
      { keys: ["id"], exceptColumnList: ["id"] },
      "AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA",
      "the key id is not among the columns that are taken",
    ],
    [{ columnList: ["id", "nam"] }, "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", "there is no column nam"],
    [{ exceptColumnList: ["nam"] }, "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", "there is no column nam"],
    [
      { applyAsTruncates: sqlText("op = 'T'"), ignoreNullUpdates: true },
      "NOT_SUPPORTED",
      "APPLY AS TRUNCATE WHEN beside IGNORE NULL UPDATES",
    ],
    [{ columnsToUpdate: "nam" }, "AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA", "there is no column nam"],
    [{ columnsToUpdate: "op" }, "BAD_OPTION", "COLUMNS TO UPDATE names the column op, which is string"],
  ])("%j: %s", (more, code, message) => {
    expect(refused(changeFlow(more))).toMatchObject({ code, message: `The flow f: ${message}` });
  });

  it.each<[Partial<AutoCdcFlow>, string, string]>([
    [{ ignoreNullUpdates: true }, "BAD_OPTION", "COLUMNS TO UPDATE beside IGNORE NULL UPDATES"],
    [{ applyAsTruncates: sqlText("op = 'T'") }, "NOT_SUPPORTED", "APPLY AS TRUNCATE WHEN beside COLUMNS TO UPDATE"],
  ])("COLUMNS TO UPDATE with %j: %s", (more, code, message) => {
    expect(refusedListed(more)).toEqual({ code, message: `The flow f: ${message}` });
  });

  it("says which column was meant", () => {
    expect(refused(changeFlow({ columnList: ["id", "nam"] })).hint).toBe("Did you mean name?");
  });

  it.each([
    ["id int, __ingot_x int", "scd1", "AUTOCDC_RESERVED_COLUMN_NAME_PREFIX_CONFLICT"],
    ["id int, __start_at int", "scd2", "AUTOCDC_RESERVED_COLUMN_NAME_PREFIX_CONFLICT"],
    ["id int, a int, A int", "scd1", "COLUMN_ALREADY_EXISTS"],
  ] as const)("a source with %s for %s: %s", (source, storedAs, code) => {
    expect(refused(changeFlow({ storedAs }), source)).toMatchObject({ code });
  });
});
