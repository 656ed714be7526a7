import { expect, it } from "vitest";
import { DeltaError, isConflict } from "./error.js";
import { DELTA_ERRORS } from "./error-catalogue.js";

it("the catalogue says for every code when it happens, with a SQLSTATE or none", () => {
  for (const entry of Object.values(DELTA_ERRORS)) {
    expect(entry.when).toMatch(/^\S.*\.$/);
    if ("sqlState" in entry) expect(entry.sqlState).toMatch(/^[0-9A-Z]{5}$/);
  }
});

it("an error knows its kind and its SQLSTATE", () => {
  const lost = new DeltaError("DELTA_CONCURRENT_APPEND", "", { table: "/t" });
  expect(lost).toMatchObject({ kind: "conflict", sqlState: "2D521" });
  expect(isConflict(lost)).toBe(true);
  const damaged = new DeltaError("DELTA_TABLE_UNREADABLE", "", { table: "/t" });
  expect(damaged).toMatchObject({ kind: "damaged", sqlState: undefined });
  expect(isConflict(damaged)).toBe(false);
});
