import { describe, expect, it } from "vitest";
import { ingot, projectMaker, refusal, SPEC, temporaryFolder } from "./cli.js";

const project = projectMaker();
const TABLE = { "transformations/all.sql": "CREATE MATERIALIZED VIEW m AS SELECT 1 AS a;" };

describe("a spec that cannot be used", () => {
  it("is missing: the message names both file names, and how to make one", async () => {
    const { code, errors } = await refusal(temporaryFolder(), "run");
    expect(code).toBe(3);
    expect(errors[0]).toMatchObject({ code: "PIPELINE_SPEC_FILE_NOT_FOUND", hint: expect.stringContaining("init") });
    expect(errors[0]?.message).toMatch(/ingot\.yml or spark-pipeline\.yml/);
  });

  it("is there twice", async () => {
    const { code, errors } = await refusal(project({ ...TABLE, "spark-pipeline.yml": SPEC }), "run");
    expect(code).toBe(3);
    expect(errors[0]).toMatchObject({ code: "MULTIPLE_PIPELINE_SPEC_FILES_FOUND" });
    expect(errors[0]?.message).toContain("ingot.yml, spark-pipeline.yml");
    expect(errors[0]?.hint).toContain("--spec");
  });

  it("has unknown keys: each with its place and the nearest key", async () => {
    const { code, errors } = await refusal(
      project({ ...TABLE, "ingot.yml": `${SPEC}storge: x\nwharehouse: y\n` }),
      "run",
    );
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      { code: "PIPELINE_SPEC_UNEXPECTED_FIELD", at: "ingot.yml:5:1", hint: "Did you mean `storage`?" },
      { code: "PIPELINE_SPEC_UNEXPECTED_FIELD", at: "ingot.yml:6:1", hint: "Did you mean `warehouse`?" },
    ]);
  });

  it("takes Spark's keys alone when it has Spark's name", async () => {
    const folder = project({ ...TABLE, "spark/spark-pipeline.yml": "name: x\nstorage: storage\nwarehouse: y\n" });
    const { code, errors } = await refusal(folder, "run", "--spec", "spark/spark-pipeline.yml");
    expect(code).toBe(3);
    expect(errors).toMatchObject([{ code: "PIPELINE_SPEC_UNEXPECTED_FIELD", at: "spark/spark-pipeline.yml:3:1" }]);
  });

  it("is no YAML: line and column, and the line itself for people", async () => {
    const folder = project({ ...TABLE, "ingot.yml": "name: test\nstorage: 'storage\n" });
    expect(await refusal(folder, "run")).toMatchObject({
      code: 3,
      errors: [{ code: "PIPELINE_SPEC_INVALID_YAML", at: "ingot.yml:3:1" }],
    });
    const tab = project({ ...TABLE, "ingot.yml": "name: test\nstorage: storage\nconfiguration:\n\ta: b\n" });
    const { stderr } = await ingot(["run"], { cwd: tab });
    expect(stderr).toContain("error[PIPELINE_SPEC_INVALID_YAML]");
    expect(stderr).toMatch(/at ingot\.yml:4:1\n {2}4 \| \ta: b\n/);
  });

  it("lacks a key, has a wrong value, or names a location that is no folder", async () => {
    expect(await refusal(project({ ...TABLE, "ingot.yml": "name: test\n" }), "run")).toMatchObject({
      code: 3,
      errors: [{ code: "PIPELINE_SPEC_MISSING_REQUIRED_FIELD", hint: expect.stringContaining("storage: storage") }],
    });
    const wrong =
      "name: test\nstorage: s3://bucket/x\nconfiguration: {limit: 10}\nlibraries:\n  - glob: {include: '**/*.sql'}\n";
    expect(await refusal(project({ ...TABLE, "ingot.yml": wrong }), "run")).toMatchObject({
      code: 3,
      errors: [
        { code: "PIPELINE_STORAGE_ROOT_INVALID", at: "ingot.yml:2:1" },
        { code: "PIPELINE_SPEC_INVALID_VALUE", at: "ingot.yml:3:17", hint: 'Put quotes around it: "10".' },
        { code: "PIPELINE_SPEC_INVALID_GLOB_PATTERN", at: "ingot.yml:5:5" },
      ],
    });
  });

  it("declares nothing", async () => {
    expect(await refusal(project({ "ingot.yml": "name: test\nstorage: storage\n" }), "run")).toMatchObject({
      code: 3,
      errors: [{ code: "RUN_EMPTY_PIPELINE", hint: expect.stringContaining("libraries") }],
    });
  });
});
