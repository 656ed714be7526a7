import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { rejected } from "../graph/test-builders.js";
import { readSpec, type Spec } from "./spec.js";

/** Reads a spec of this text; `ROOT` in the answer stands for its folder. */
async function read(text: string, name = "ingot.yml", overrides?: Record<string, string>): Promise<Partial<Spec>> {
  const root = writeProject({ [name]: text });
  const spec = await readSpec(join(root, name), overrides);
  return JSON.parse(JSON.stringify(spec).replaceAll(root, "ROOT"));
}

async function faults(text: string, name?: string): Promise<string[]> {
  const error = await rejected(read(text, name));
  return [error, ...error.others].map((e) => `${e.code} ${e.object ?? ""} ${e.at?.line}:${e.at?.column}`);
}

describe("readSpec", () => {
  it("needs a name and a storage alone; the rest is Spark's default", async () => {
    expect(await read("name: shop\nstorage: state\n")).toEqual({
      file: "ROOT/ingot.yml",
      root: "ROOT",
      name: "shop",
      storage: "ROOT/state",
      warehouse: "ROOT/state/warehouse",
      catalog: "spark_catalog",
      schema: "default",
      configuration: {},
      catalogs: {},
      sources: [],
      extracts: [],
      alerts: [],
      definitionFiles: [],
    });
  });

  it("reads all keys; --set wins over `configuration`", async () => {
    const text = `name: shop
id: "42"
storage: file:///data/my%20state
warehouse: /data/tables/
catalog: main
database: bronze
configuration: {a: x, b: y}
catalogs: {Other: ../other}
`;
    expect(await read(text, "ingot.yml", { b: "z" })).toMatchObject({
      id: "42",
      storage: "/data/my state",
      warehouse: "/data/tables",
      catalog: "main",
      schema: "bronze",
      configuration: { a: "x", b: "z" },
      catalogs: { other: expect.stringMatching(/^\/.*other$/) },
    });
  });

  it.each(["schema", "database"])("takes `%s` in Spark's own spec", async (key) => {
    expect(await read(`name: a\nstorage: s\n${key}: x`, "spark-pipeline.yml")).toMatchObject({ schema: "x" });
  });

  it.each(["id", "warehouse", "catalogs"])("knows `%s` in ingot.yml and not in spark-pipeline.yml", async (key) => {
    const text = `name: a\nstorage: s\n${key}: ${key === "catalogs" ? "{o: o}" : "x"}\n`;
    expect(await read(text)).toHaveProperty(key);
    expect(await faults(text, "spark-pipeline.yml")).toEqual([`PIPELINE_SPEC_UNEXPECTED_FIELD ${key} 3:1`]);
  });

  const FOLDER = "Use a path beside the spec, an absolute path or file:///….";
  const URI = "Write it as file:///absolute/path, or as a path beside the spec.";
  it.each([
    ["s3://bucket/x", "`storage` uses s3:, and only local folders work now", FOLDER],
    ["abfss://c@a.dfs.core.windows.net/x", "`storage` uses abfss:, and only local folders work now", FOLDER],
    ["file:state", "`storage` is no usable file URI: file:state", URI],
    ["file://host/x", "`storage` is no usable file URI: file://host/x", URI],
    ['""', "`storage` is empty", "Write a path beside the spec, such as `storage`."],
  ])("refuses the storage %s by name", async (storage, message, hint) => {
    expect(await rejected(read(`name: a\nstorage: ${storage}`))).toMatchObject({
      code: "PIPELINE_STORAGE_ROOT_INVALID",
      sqlState: "42K03",
      at: { line: 2, column: 1 },
      message,
      hint,
    });
  });
  it.each([
    ["name: a", ["PIPELINE_SPEC_MISSING_REQUIRED_FIELD storage 1:1"]],
    ["name: a\nstorage: s\nschema: x\ndatabase: y", ["PIPELINE_SPEC_INVALID_VALUE  4:1"]],
    ["name: a\nstorage: s\nschema: ''", ["PIPELINE_SPEC_INVALID_VALUE schema 3:1"]],
    ["name: a\nstorage: s\ncatalog: Main\ncatalogs: {main: m}", ["PIPELINE_SPEC_INVALID_VALUE catalogs.main 4:1"]],
    ["name: a\nstorage: s\ncatalogs: {o: x, O: y}", ["PIPELINE_SPEC_INVALID_VALUE catalogs.O 3:1"]],
    ["name: a\nstorage: s\ncatalogs: {o: s3://x}", ["PIPELINE_STORAGE_ROOT_INVALID  3:1"]],
    ["name: a\nstorage: s\nconfiguration: x", ["PIPELINE_SPEC_INVALID_VALUE configuration 3:1"]],
  ])("refuses %j", async (text, expected) => {
    expect(await faults(text)).toEqual(expected);
  });

  it("tells all faults at once", async () => {
    expect(await faults("nmae: a\nstorage: 5\ncatalog: [x]\nwhat: 1\n")).toEqual([
      "PIPELINE_SPEC_UNEXPECTED_FIELD nmae 1:1",
      "PIPELINE_SPEC_UNEXPECTED_FIELD what 4:1",
      "PIPELINE_SPEC_MISSING_REQUIRED_FIELD name 1:1",
      "PIPELINE_SPEC_INVALID_VALUE storage 2:1",
      "PIPELINE_SPEC_INVALID_VALUE catalog 3:1",
    ]);
  });
});
