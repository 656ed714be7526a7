import { expect, it } from "vitest";
import { maxConcurrentFlows } from "./max-concurrent-flows.js";

const KEY = "spark.sql.pipelines.execution.maxConcurrentFlows";
const of = (configuration: Readonly<Record<string, string>>) =>
  maxConcurrentFlows({ configuration, file: "ingot.yml" });

it("is Spark's 16 where nothing is said", () => {
  expect([of({}), of({ [KEY]: "1" }), of({ [KEY]: "40" })]).toEqual([16, 1, 40]);
});

it.each(["0", "-1", "two", "1.5", ""])("refuses %j", (value) => {
  expect(() => of({ [KEY]: value })).toThrow(expect.objectContaining({ code: "PIPELINE_SPEC_INVALID_VALUE" }));
});
