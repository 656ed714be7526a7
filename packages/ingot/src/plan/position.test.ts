import { expect, it } from "vitest";
import { filesInput, thrown } from "../graph/test-builders.js";
import type { BatchInput } from "../model/batch.js";
import type { Leaf } from "./inputs.js";
import { checkSameTable } from "./position.js";
import { filesOffer } from "./test-offer.js";

const ORDERS: Leaf = { kind: "table", stream: true, location: "/p/orders", name: "orders" };
const offer = (version: bigint, tableId = "id-1") => ({ kind: "table", version, tableId }) as const;
const read = (to: string): BatchInput => ({ kind: "appended", tableId: "id-1", to });

it.each([
  ["the same version", offer(4n), read("4")],
  ["a newer version", offer(5n), read("4")],
  ["no position yet", offer(0n, "id-2"), undefined],
  ["a whole read before", offer(0n, "id-2"), { kind: "snapshot", tableId: "id-1", version: "4" } as const],
])("takes %s", (_, now, before) => {
  expect(() => checkSameTable(ORDERS, now, before)).not.toThrow();
});

it.each([
  ["a table made anew", offer(9n, "id-2"), "orders is another table now (id id-2, before id-1; read up to version 4)"],
  ["a table put back", offer(3n), "orders is at version 3, and version 4 of it was read already"],
])("refuses %s", (_, now, message) => {
  expect(thrown(() => checkSameTable(ORDERS, now, read("4")))).toMatchObject({
    code: "CHECKPOINT_DAMAGED",
    object: "orders",
    message,
    hint: expect.stringContaining("--full-refresh"),
  });
});

it("has nothing to say of files", () => {
  const files: Leaf = filesInput("landing");
  expect(() => checkSameTable(files, filesOffer([]), read("4"))).not.toThrow();
});
