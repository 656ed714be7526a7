import { describe, expect, it } from "vitest";
import { thrown } from "../graph/test-builders.js";
import { parseYaml } from "./yaml.js";

const parse = (text: string) => parseYaml("/p/ingot.yml", text);
const place = (error: { at?: { line: number; column: number } }) => `${error.at?.line}:${error.at?.column}`;

describe("parseYaml", () => {
  it.each([
    ["name: shop\nstorage: [a", "2:12"],
    ["name: shop\n  storage: s", "1:7"],
    ["name: a\nstorage: s\nname: b", "3:1"],
    ["name: a\n---\nname: b", "2:1"],
    ["- a\n- b", "1:1"],
    ["", "1:1"],
  ])("refuses %j at %s", (text, where) => {
    const error = thrown(() => parse(text));
    expect(error.code).toBe("PIPELINE_SPEC_INVALID_YAML");
    expect(place(error)).toBe(where);
  });

  it("tells every unknown key with its place and the nearest known one", () => {
    const map = parse("name: shop\nstorge: s\nxyz: 1\n");
    const error = thrown(() => map.refuseUnknown(["name", "storage"]));
    expect([error, ...error.others].map((e) => [e.code, place(e), e.hint])).toEqual([
      ["PIPELINE_SPEC_UNEXPECTED_FIELD", "2:1", "Did you mean `storage`?"],
      ["PIPELINE_SPEC_UNEXPECTED_FIELD", "3:1", "Known keys: name, storage."],
    ]);
  });

  it.each(["1", "3.5", "true", "[a]", "{a: b}"])("takes no %s for a text", (value) => {
    const error = thrown(() => parse(`a: x\nname: ${value}`).text("name"));
    expect(error).toMatchObject({ code: "PIPELINE_SPEC_INVALID_VALUE", object: "name" });
    expect(place(error)).toBe("2:1");
  });

  it("reads texts, quoted ones too, and takes null for absent", () => {
    const map = parse('a: "1"\nb: x y\nc:\nd: ~\n');
    expect(["a", "b", "c", "d", "e"].map((key) => map.text(key))).toEqual([
      "1",
      "x y",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("says which value of a map is no text, and how to make it one", () => {
    const error = thrown(() => parse("configuration:\n  a: x\n  limit: 10\n").texts("configuration"));
    expect(error).toMatchObject({ object: "configuration.limit", hint: 'Put quotes around it: "10".' });
    expect(place(error)).toBe("3:3");
  });

  it("gives the items of a list with their places", () => {
    const items = parse("libraries:\n  - glob: {include: a}\n  - b\n").items("libraries");
    expect(items).toEqual([
      { value: { glob: { include: "a" } }, at: { file: "/p/ingot.yml", line: 2, column: 5 } },
      { value: "b", at: { file: "/p/ingot.yml", line: 3, column: 5 } },
    ]);
    expect(thrown(() => parse("libraries: a").items("libraries")).code).toBe("PIPELINE_SPEC_INVALID_VALUE");
  });
});
