import { expect, it } from "vitest";
import { hintFor } from "./refusal-hint.js";
import { REGISTRY } from "./registry.js";
import { SPARK_FUNCTIONS } from "./spark-names.js";

it("names what to write instead", () => {
  expect(hintFor("approx_count_distinct")).toBe("Count exactly: count(DISTINCT x).");
  expect(hintFor("INPUT_FILE_NAME")).toContain("_metadata.file_path");
  expect(hintFor("TRY_parse_json")).toContain("from_json");
});

it("does not advise functions that are refused themselves", () => {
  const advised = [...SPARK_FUNCTIONS].flatMap((name) =>
    [...hintFor(name).matchAll(/([a-z_0-9]+)\(/g)].map(([, called = ""]) => called),
  );
  expect(advised.filter((called) => SPARK_FUNCTIONS.has(called) && !REGISTRY.has(called))).toEqual([]);
});
