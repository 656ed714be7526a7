import { expect, it } from "vitest";
import * as ingot from "../public/index.js";
import * as sap from "../public/sap.js";
import * as testing from "../public/testing.js";
import { OWN_MODULES } from "./import-bundle.js";

it("a load has the functions that the package exports, and no others", () => {
  const exported = { ingot, "ingot/sap": sap, "ingot/testing": testing };
  const names = Object.entries(exported).map(([module, api]) => [module, Object.keys(api).sort()]);
  expect(Object.fromEntries(names)).toEqual(
    Object.fromEntries(Object.entries(OWN_MODULES).map(([module, keys]) => [module, [...keys].sort()])),
  );
});

it("helpers of the public module are seen by collect", () => {
  const made = testing.collect(() => {
    ingot.table("a.t", ingot.sql`SELECT 1`);
  });
  expect(made.datasets.map((d) => d.name)).toEqual(["a.t"]);
});
