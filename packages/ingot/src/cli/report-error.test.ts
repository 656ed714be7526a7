import { join } from "node:path";
import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { IngotError } from "../model/error.js";
import { displayPath, errorJson, formatError } from "./report-error.js";

const plain = picocolors.createColors(false);

describe("formatError", () => {
  it("shows code, place, the line itself, and the next step", () => {
    const root = writeProject({ "a/silver.sql": "SELECT\n\tidd, name\nFROM orders\n" });
    const at = { file: join(root, "a/silver.sql"), line: 2, column: 2 };
    const error = new IngotError("UNRESOLVED_COLUMN.WITH_SUGGESTION", "No column idd", {
      at,
      hint: "Did you mean id?",
    });
    expect(formatError(error, plain, root)).toBe(
      [
        "error[UNRESOLVED_COLUMN.WITH_SUGGESTION]: No column idd",
        "  at a/silver.sql:2:2",
        "  2 | \tidd, name",
        "    | \t^",
        "  next: Did you mean id?",
      ].join("\n"),
    );
  });

  it("puts the pointer under a line with a long number", () => {
    const root = writeProject({ "x.sql": `${"\n".repeat(99)}SELECT a` });
    const error = new IngotError("CYCLE", "m", { at: { file: join(root, "x.sql"), line: 100, column: 8 } });
    expect(formatError(error, plain, root).split("\n").slice(2)).toEqual(["  100 | SELECT a", "      |        ^"]);
  });

  it.each([
    ["a file that is gone", "gone.sql", 1],
    ["a line that is gone", "x.sql", 9],
    ["a line too long to show", "long.sql", 1],
  ])("shows the place alone for %s", (_, name, line) => {
    const root = writeProject({ "x.sql": "a", "long.sql": "x".repeat(301) });
    const error = new IngotError("CYCLE", "m", { at: { file: join(root, name), line, column: 1 } });
    expect(formatError(error, plain, root)).toBe(`error[CYCLE]: m\n  at ${name}:${line}:1`);
  });

  it("shows every error that came with the first", () => {
    const error = new IngotError("CYCLE", "one", {
      others: [new IngotError("BAD_OPTION", "two"), new IngotError("CYCLE", "three")],
    });
    expect(formatError(error, plain, "/p")).toBe("error[CYCLE]: one\n\nerror[BAD_OPTION]: two\n\nerror[CYCLE]: three");
  });
});

it("errorJson holds all errors with what is known of each", () => {
  const at = { file: "/p/a.sql", line: 1, column: 2 };
  const other = new IngotError("DIVIDE_BY_ZERO", "two", { object: "t", at, hint: "try_divide" });
  expect(errorJson(new IngotError("CYCLE", "one", { others: [other] }))).toEqual({
    errors: [
      { code: "CYCLE", message: "one" },
      { code: "DIVIDE_BY_ZERO", message: "two", sqlState: "22012", object: "t", at, hint: "try_divide" },
    ],
  });
});

it.each([
  ["/p/a/b", "/p", "a/b"],
  ["/p", "/p", "."],
  ["/x/y", "/p/q/r/s", "/x/y"],
  ["/long/path/x", "/long/path/q", "../x"],
])("displayPath shows %s from %s as %s", (path, cwd, shown) => {
  expect(displayPath(path, cwd)).toBe(shown);
});
