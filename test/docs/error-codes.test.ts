import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { DELTA_ERRORS } from "../../packages/delta/src/index.js";
import { deltaFault } from "../../packages/ingot/src/engine/tables/delta-errors.js";
import { CATALOGUE, MISSING_CHANGE_DATA, NO_DELTA_TABLE } from "../../packages/ingot/src/model/error-catalogue.js";

/** The library, and the engine that fills it. */
const RAISING = ["../../packages/delta/src", "../../packages/ingot/src/engine/duckdb"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

it("no code of the Delta library is there that nothing raises", () => {
  const sources = RAISING.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/(\.test|error-catalogue)\.ts$/.test(name))
      .map((name) => readFileSync(join(folder, name), "utf8")),
  ).join("\n");
  expect(Object.keys(DELTA_ERRORS).filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
});

it("no code stands in two catalogues", () => {
  expect(Object.keys(DELTA_ERRORS).filter((code) => Object.hasOwn(CATALOGUE, code))).toEqual([]);
  expect(deltaFault("NO_DELTA_TABLE")).toMatchObject(NO_DELTA_TABLE);
  expect(deltaFault("DELTA_MISSING_CHANGE_DATA")).toMatchObject(MISSING_CHANGE_DATA);
});
