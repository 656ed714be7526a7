import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { thrown } from "../graph/test-builders.js";
import { findSpec } from "./find-spec.js";

describe("findSpec", () => {
  it.each(["ingot.yml", "ingot.yaml", "spark-pipeline.yml", "spark-pipeline.yaml"])("finds %s upward", (name) => {
    const root = writeProject({ [name]: "", "deep/er/x.sql": "" });
    expect(findSpec({ cwd: join(root, "deep/er") })).toBe(join(root, name));
  });

  it("takes the nearest folder that has one", () => {
    const root = writeProject({ "ingot.yml": "", "inner/spark-pipeline.yml": "" });
    expect(findSpec({ cwd: join(root, "inner") })).toBe(join(root, "inner/spark-pipeline.yml"));
  });

  it("takes --spec as it is named, relative to the working folder", () => {
    const root = writeProject({ "ingot.yml": "", "other.yml": "" });
    expect(findSpec({ spec: "other.yml", cwd: root })).toBe(join(root, "other.yml"));
  });

  it.each(["ingot.yaml", "spark-pipeline.yml"])("refuses %s beside ingot.yml", (second) => {
    const root = writeProject({ "ingot.yml": "", [second]: "" });
    const error = thrown(() => findSpec({ cwd: root }));
    expect(error.code).toBe("MULTIPLE_PIPELINE_SPEC_FILES_FOUND");
    expect(error.message).toContain(`ingot.yml, ${second}`);
  });

  it("does not look above a folder that was named", () => {
    const root = writeProject({ "ingot.yml": "", "inner/x.sql": "" });
    const error = thrown(() => findSpec({ project: "inner", cwd: root }));
    expect(error.code).toBe("PIPELINE_SPEC_FILE_NOT_FOUND");
    expect(error.message).toBe(`No ingot.yml or spark-pipeline.yml in ${join(root, "inner")}`);
  });

  it("passes by a folder that is called like a spec", () => {
    const root = writeProject({ "ingot.yml": "", "inner/ingot.yml/x.sql": "" });
    expect(findSpec({ cwd: join(root, "inner") })).toBe(join(root, "ingot.yml"));
  });

  it.each([
    [{ spec: "gone.yml" }, "PIPELINE_SPEC_FILE_DOES_NOT_EXIST"],
    [{ spec: "folder" }, "PIPELINE_SPEC_FILE_DOES_NOT_EXIST"],
    [{ project: "gone" }, "PIPELINE_SPEC_FILE_NOT_FOUND"],
    [{ project: "folder" }, "PIPELINE_SPEC_FILE_NOT_FOUND"],
    [{}, "PIPELINE_SPEC_FILE_NOT_FOUND"],
  ])("refuses %j with the next step", (options, code) => {
    const root = writeProject({ "folder/x.sql": "" });
    const error = thrown(() => findSpec({ ...options, cwd: root }));
    expect(error).toMatchObject({ code, hint: expect.stringMatching(/--spec|--project|ingot init/) });
  });
});
