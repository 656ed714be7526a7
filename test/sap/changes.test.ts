import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeFormatName } from "../../packages/ingot/src/sap/changes/formats.js";
import { normalizeChanges } from "../../packages/ingot/src/sap/changes/normalize-changes.js";
import { text, VECTORS } from "./decoder-cases.js";
import { type DecoderSession, openDecoders } from "./decoder-session.js";

let session: DecoderSession;
beforeAll(async () => {
  session = await openDecoders();
});
afterAll(() => session.close());

/** The words of a change feed. */
const OPERATIONS: Readonly<Record<string, string>> = {
  update_postimage: "upsert",
  delete: "delete",
  update_preimage: "before",
};

/** What becomes of one row of a change file: its operation, or the reason why it has none. */
async function operation(format: ChangeFormatName, row: Readonly<Record<string, string>>): Promise<string> {
  const changes = normalizeChanges(format, ["K", ...Object.keys(row)]);
  const columns = Object.entries(row).map(([name, value]) => `${value} AS \`${name}\``);
  const query = `SELECT ${changes.changeType}, ${changes.additive ?? "false"} FROM (SELECT 1 AS K, ${columns.join(", ")})`;
  const [[found, additive] = []] = await session.rows(query);
  return OPERATIONS[String(found)] ?? (String(additive) === "true" ? "ADDITIVE_NOT_ALLOWED" : "UNKNOWN_OP");
}

describe("the vectors of the specification", () => {
  it.each(VECTORS["odq"] ?? [])("ODQ $mode $cntr", async ({ mode, cntr, op, err }) => {
    const row = { ODQ_CHANGEMODE: text(String(mode)), ODQ_ENTITYCNTR: String(cntr) };
    expect(await operation("odq", row)).toBe(op ?? err);
  });
  it.each(VECTORS["recordmode"] ?? [])("0RECORDMODE '$in'", async ({ in: mode, op, err }) => {
    expect(await operation("recordmode", { "0RECORDMODE": text(String(mode)) })).toBe(op ?? err);
  });
});

describe("an operation", () => {
  it.each<[ChangeFormatName, string, string, string]>([
    ["odq", "ODQ_CHANGEMODE", "NULL", "upsert"],
    ["odq", "ODQ_CHANGEMODE", "'U'", "upsert"],
    ["odq", "ODQ_CHANGEMODE", "'d'", "UNKNOWN_OP"],
    ["slt", "OPERATION_FLAG", "'L'", "upsert"],
    ["slt", "OPERATION_FLAG", "'D'", "delete"],
    ["slt", "OPERATION_FLAG", "''", "UNKNOWN_OP"],
    ["fivetran", "_fivetran_deleted", "true", "delete"],
    ["fivetran", "_fivetran_deleted", "false", "upsert"],
    ["fivetran", "_fivetran_deleted", "'TRUE'", "delete"],
    ["qlik", "header__change_oper", "'B'", "before"],
    ["qlik", "header__change_oper", "'U'", "upsert"],
    ["debezium", "__op", "'r'", "upsert"],
    ["debezium", "__op", "'d'", "delete"],
    ["debezium", "__op", "'t'", "UNKNOWN_OP"],
    ["cdf", "_change_type", "'update_preimage'", "before"],
    ["cdf", "_change_type", "'update_postimage'", "upsert"],
    ["cdf", "_change_type", "'delete'", "delete"],
  ])("of %s, %s %s, is %s", async (format, column, value, expected) => {
    expect(await operation(format, { [column]: value })).toBe(expected);
  });
  it.each([
    ["'1-'", "before"],
    ["'-1'", "before"],
    ["-1.0", "before"],
    ["'-1.000'", "before"],
    ["NULL", "upsert"],
    ["0", "upsert"],
    ["'x'", "UNKNOWN_OP"],
  ])("of ODQ reads the counter %s", async (counter, expected) => {
    expect(await operation("odq", { ODQ_CHANGEMODE: "'U'", ODQ_ENTITYCNTR: counter })).toBe(expected);
  });
});
