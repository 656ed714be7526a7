import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csvRead } from "../../graph/test-builders.js";
import type { CsvRead } from "../../model/file-read.js";
import { listFiles } from "./list-files.js";

const root = mkdtempSync(join(tmpdir(), "ingot-list-"));
const list = (path: string, more?: Partial<CsvRead>) =>
  listFiles(root, csvRead(path, more)).map((file) => relative(root, file.path));

beforeAll(() => {
  for (const name of [
    "in/b.csv",
    "in/a.csv",
    "in/sub/c.csv",
    "in/_x.csv",
    "in/.y.csv",
    "in/_tmp/d.csv",
    "in/z._COPYING_",
    "in/n.txt",
    "part/day=1/a.csv",
    "part/b.csv",
    "gz/a.csv.gz",
    "zip/a.csv.bz2",
  ]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), name);
  }
  mkdirSync(join(root, "empty"));
  symlinkSync(join(root, "in"), join(root, "link"));
});
afterAll(() => rmSync(root, { recursive: true }));

describe("listFiles", () => {
  it("reads a folder with all below it, sorted, without hidden names", () => {
    expect(list("in")).toEqual(["in/a.csv", "in/b.csv", "in/n.txt", "in/sub/c.csv"]);
    expect(list("link")).toEqual(["link/a.csv", "link/b.csv", "link/n.txt", "link/sub/c.csv"]);
    expect(list("empty")).toEqual([]);
  });

  it("reads a file, a glob, a glob of folders, a file: URI", () => {
    expect(list("in/b.csv")).toEqual(["in/b.csv"]);
    expect(list("in/{b,a,_x}.csv")).toEqual(["in/a.csv", "in/b.csv"]);
    expect(list("in/*/*.csv")).toEqual(["in/_tmp/d.csv", "in/sub/c.csv"]);
    expect(list("in/s*")).toEqual(["in/sub/c.csv"]);
    expect(list(`file://${root}/in/b.csv`)).toEqual(["in/b.csv"]);
  });

  it("filters names", () => {
    expect(list("in", { pathGlobFilter: "*.csv" })).toEqual(["in/a.csv", "in/b.csv", "in/sub/c.csv"]);
  });

  it("gives size and time", () => {
    const [file] = listFiles(root, csvRead("in/a.csv"));
    expect(file).toEqual({ path: join(root, "in/a.csv"), size: 8, mtimeMs: expect.any(Number) });
    expect(Number.isInteger(file?.mtimeMs)).toBe(true);
  });

  it.each([
    ["nope", "PATH_NOT_FOUND"],
    ["in/a.csv/b", "PATH_NOT_FOUND"],
    ["nope/*.csv", "PATH_NOT_FOUND"],
    ["in/*.cvs", "PATH_NOT_FOUND"],
    ["in/_x.csv", "PATH_NOT_FOUND"],
    ["s3://bucket/in", "NOT_SUPPORTED"],
    ["abfss://c@a.dfs.core.windows.net/in", "NOT_SUPPORTED"],
    ["zip", "NOT_SUPPORTED"],
    ["in/[a", "BAD_OPTION"],
  ])("refuses %s: %s", (path, code) => {
    expect(() => list(path)).toThrow(expect.objectContaining({ code, hint: expect.stringMatching(/./) }));
  });

  it("lets a glob of a stream match nothing yet, but not below a folder that is not there", () => {
    expect(listFiles(root, csvRead("in/*.cvs"), { stream: true })).toEqual([]);
    expect(() => listFiles(root, csvRead("nope/*.csv"), { stream: true })).toThrow(join(root, "nope"));
  });

  it("reads what is compressed with gzip or zstd", () => {
    expect(list("gz")).toEqual(["gz/a.csv.gz"]);
  });

  it("filters by the time of the last change, whose bounds are out", () => {
    utimesSync(join(root, "in/a.csv"), 1000, 1000);
    expect(list("in/a.csv", { modifiedAfter: 999_999, modifiedBefore: 1_000_001 })).toEqual(["in/a.csv"]);
    expect(list("in/a.csv", { modifiedAfter: 1_000_000 })).toEqual([]);
    expect(list("in/a.csv", { modifiedBefore: 1_000_000 })).toEqual([]);
  });

  it("gives files below key=value folders their values, unless such folders are like others", () => {
    const values = (more: Partial<CsvRead>) => listFiles(root, csvRead("part", more)).map((file) => file.partition);
    expect(values({})).toEqual([undefined, { day: "1" }]);
    expect(values({ recursiveFileLookup: true })).toEqual([undefined, undefined]);
    expect(values({ partitionColumns: ["month"] })).toEqual([undefined, undefined]);
  });

  it("reads the files of partition folders by a glob that goes down to them", () => {
    expect(list("part/day=*/*.csv")).toEqual(["part/day=1/a.csv"]);
  });
});
