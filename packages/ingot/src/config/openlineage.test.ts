import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { rejected } from "../graph/test-builders.js";
import { readSpec } from "./spec.js";

const read = async (value: string) => {
  const root = writeProject({ "ingot.yml": `name: shop\nstorage: state\nopenlineage: ${value}\n` });
  const { openLineage } = await readSpec(join(root, "ingot.yml"));
  return JSON.parse(JSON.stringify(openLineage).replaceAll(root, "ROOT"));
};

describe("openlineage", () => {
  it("is a file or a server; the namespace is the pipeline's name unless given", async () => {
    expect(await read("{file: l.ndjson}")).toEqual({
      namespace: "shop",
      target: { kind: "file", path: "ROOT/l.ndjson" },
    });
    expect(await read("{url: https://m/api, token: T, namespace: prod}")).toEqual({
      namespace: "prod",
      target: { kind: "http", url: "https://m/api", token: "T" },
    });
  });

  it.each([
    ["{}", "PIPELINE_SPEC_INVALID_VALUE", "needs one target"],
    ["{file: a, url: https://b}", "PIPELINE_SPEC_INVALID_VALUE", "needs one target"],
    ["{file: a, token: T}", "PIPELINE_SPEC_INVALID_VALUE", "is for a url alone"],
    ["{url: b}", "PIPELINE_SPEC_INVALID_VALUE", "is no address"],
    ["{url: https://me:pw@b}", "PIPELINE_SPEC_INVALID_VALUE", "is no address"],
    ["{url: https://b, token: to-ken}", "PIPELINE_SPEC_INVALID_VALUE", "is no name of a variable"],
    ["{path: a}", "PIPELINE_SPEC_UNEXPECTED_FIELD", "unknown key `openlineage.path`"],
    ["l.ndjson", "PIPELINE_SPEC_INVALID_VALUE", "must be a map of keys"],
  ])("%s is refused", async (text, code, why) => {
    const error = await rejected(read(text));
    expect(error.code).toBe(code);
    expect(error.message).toContain(why);
    expect(error.at?.line).toBe(3);
  });
});
