import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caseQuery, VECTOR_CASES, VECTORS } from "./decoder-cases.js";
import { type DecoderSession, openDecoders } from "./decoder-session.js";

let session: DecoderSession;
beforeAll(async () => {
  session = await openDecoders();
});
afterAll(() => session.close());

describe("the vectors of the specification", () => {
  it.each(
    VECTOR_CASES.map((test) => [test.decoder, test.rows[0]?.values.join(), JSON.stringify(test.constants), test]),
  )("sap_%s(%s) %s", async (_, __, ___, test) => {
    const { gives } = (test as (typeof VECTOR_CASES)[number]).rows[0] ?? {};
    const failed = typeof gives === "object" && gives !== null;
    const expected = failed ? ["0", null, gives.reason] : ["0", gives, null];
    const [row] = await session.rows(caseQuery(test as (typeof VECTOR_CASES)[number], "call"));
    expect(row?.map((value) => (value === null ? null : String(value)))).toEqual(expected);
  });
  it("are all here", () => {
    const elsewhere = ["odq", "recordmode", "history_stock", "note"];
    const kinds = Object.keys(VECTORS).filter((kind) => !elsewhere.includes(kind));
    expect(VECTOR_CASES).toHaveLength(kinds.reduce((sum, kind) => sum + (VECTORS[kind]?.length ?? 0), 0));
  });
});
