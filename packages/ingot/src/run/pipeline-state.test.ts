import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { manifest, queryFlow, rejected } from "../graph/test-builders.js";
import { startGeneration } from "./checkpoint.js";
import { filledTables, knownPipelineId, pipelineId } from "./pipeline-state.js";

describe("pipelineId", () => {
  it("is made once and kept in the storage", async () => {
    const storage = writeProject({});
    const [id, same] = await Promise.all([pipelineId(storage, undefined), pipelineId(storage, undefined)]);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect([same, await pipelineId(storage, undefined)]).toEqual([id, id]);
    expect(readdirSync(storage)).toEqual(["_pipeline.json"]);
  });

  it("is the spec's where it gives one", async () => {
    const storage = writeProject({});
    expect([await pipelineId(storage, "mine"), await knownPipelineId(storage, "mine")]).toEqual(["mine", "mine"]);
    expect(readdirSync(storage)).toEqual([]);
  });

  it("is not made by looking", async () => {
    const storage = writeProject({});
    expect(await knownPipelineId(storage, undefined)).toBeUndefined();
    expect(readdirSync(storage)).toEqual([]);
    const id = await pipelineId(storage, undefined);
    expect(await knownPipelineId(storage, undefined)).toBe(id);
  });

  it.each(["", "{}", "null", '{"id": 5}', "{"])("is never replaced where its file is damaged: %j", async (text) => {
    const error = await rejected(pipelineId(writeProject({ "_pipeline.json": text }), undefined));
    expect(error).toMatchObject({ code: "CHECKPOINT_DAMAGED", hint: expect.stringContaining("pipelines.pipelineId") });
  });
});

describe("filledTables", () => {
  it("gives the names and folders of the tables that have a checkpoint", async () => {
    const storage = writeProject({});
    for (const name of ["b", "silver.A", "other.s.Ünï çødé"])
      await startGeneration(storage, queryFlow(name), undefined, manifest(0, {}), `${storage}/warehouse/${name}`, "/p");
    expect(await filledTables(storage)).toEqual([
      { name: { catalog: "other", schema: "s", table: "ünï çødé" }, location: `${storage}/warehouse/other.s.Ünï çødé` },
      { name: { catalog: "spark_catalog", schema: "default", table: "b" }, location: `${storage}/warehouse/b` },
      { name: { catalog: "spark_catalog", schema: "silver", table: "a" }, location: `${storage}/warehouse/silver.A` },
    ]);
    expect(await filledTables(writeProject({}))).toEqual([]);
  });

  it("passes by what a file manager left there", async () => {
    const storage = writeProject({
      "_checkpoints/.DS_Store": "",
      "_checkpoints/c/100%/t/x": "",
      "_checkpoints/c/s/t/f/0/metadata.json": '{"id": "1", "table": "../elsewhere/t"}',
      "_checkpoints/c/s/u/f/0/metadata.json": "{",
    });
    const location = join(storage, "../elsewhere/t");
    expect(await filledTables(storage)).toEqual([{ name: { catalog: "c", schema: "s", table: "t" }, location }]);
  });
});
