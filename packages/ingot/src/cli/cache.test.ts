import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { openFileCache, ValueCache } from "./cache.js";

describe("a file cache", () => {
  it("keeps texts by key, and nothing beside them", () => {
    const folder = join(writeProject({}), "deep/cache");
    const cache = openFileCache(folder);
    expect(cache.read("a/b")).toBeUndefined();
    cache.write("a/b", "one");
    cache.write("a/b", "two");
    expect(cache.read("a/b")).toBe("two");
    expect(readdirSync(join(folder, "a"))).toEqual(["b"]);
  });

  it("only costs time where it cannot be written or read", () => {
    const cache = openFileCache(join(writeProject({ file: "" }), "file"));
    expect(() => cache.write("a", "x")).not.toThrow();
    expect(cache.read("a")).toBeUndefined();
  });
});

describe("a value cache", () => {
  const open = (folder: string) => new ValueCache(openFileCache(folder), "values.json");

  it("gives the next command what this one saved", () => {
    const folder = writeProject({});
    const first = open(folder);
    first.set("k", { a: [1] });
    expect(open(folder).get("k")).toBeUndefined();
    first.save();
    const second = open(folder);
    expect(second.get("k")).toEqual({ a: [1] });
    second.set("l", 2);
    second.save();
    expect([open(folder).get("k"), open(folder).get("l")]).toEqual([{ a: [1] }, 2]);
  });

  it("writes nothing where nothing was added", () => {
    const folder = writeProject({});
    const cache = open(folder);
    cache.get("k");
    cache.save();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("begins anew where the file is damaged", () => {
    const folder = writeProject({ "values.json": "{" });
    const cache = open(folder);
    expect(cache.get("k")).toBeUndefined();
    cache.set("k", 1);
    cache.save();
    expect(open(folder).get("k")).toBe(1);
  });

  it("keeps only what was asked for when it has grown too big", () => {
    const old = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
    const folder = writeProject({ "values.json": JSON.stringify(old) });
    const cache = open(folder);
    cache.get("k7");
    cache.set("new", 1);
    cache.save();
    expect(JSON.parse(readFileSync(join(folder, "values.json"), "utf8"))).toEqual({ k7: 7, new: 1 });
  });
});
