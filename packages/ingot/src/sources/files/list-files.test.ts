import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileRead } from "../../model/query.js";
import { listFiles } from "./list-files.js";

const root = mkdtempSync(join(tmpdir(), "ingot-list-"));
const read = (path: string, more: Partial<FileRead> = {}): FileRead => ({
  path,
  format: "csv",
  schema: [],
  header: true,
  enforceSchema: true,
  sep: ",",
  quote: '"',
  escape: "\\",
  ...more,
});
const list = (path: string, more?: Partial<FileRead>) =>
  listFiles(root, read(path, more)).map((file) => relative(root, file.path));

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
    "zip/a.csv.gz",
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
    const [file] = listFiles(root, read("in/a.csv"));
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
    ["part", "NOT_SUPPORTED"],
    ["zip", "NOT_SUPPORTED"],
    ["in/[a", "BAD_OPTION"],
  ])("refuses %s: %s", (path, code) => {
    expect(() => list(path)).toThrow(expect.objectContaining({ code, hint: expect.stringMatching(/./) }));
  });

  it("lets a glob of a stream match nothing yet, but not below a folder that is not there", () => {
    expect(listFiles(root, read("in/*.cvs"), { stream: true })).toEqual([]);
    expect(() => listFiles(root, read("nope/*.csv"), { stream: true })).toThrow(join(root, "nope"));
  });

  it("reads the files of partition folders by a glob that goes down to them", () => {
    expect(list("part/day=*/*.csv")).toEqual(["part/day=1/a.csv"]);
  });
});
