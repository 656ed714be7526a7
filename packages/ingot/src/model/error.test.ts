import { describe, expect, it } from "vitest";
import { IngotError, throwAll, withPlace } from "./error.js";
import { CATALOGUE, EXIT } from "./error-catalogue.js";

const error = (message: string, others: readonly IngotError[] = []) => new IngotError("CYCLE", message, { others });
const thrownBy = (errors: readonly IngotError[]): string[] => {
  try {
    throwAll(errors);
    return [];
  } catch (e) {
    const first = e as IngotError;
    return [first, ...first.others].map((one) => one.message);
  }
};

describe("throwAll", () => {
  it("throws nothing for none, and one as it is", () => {
    expect(thrownBy([])).toEqual([]);
    const only = error("a");
    expect(() => throwAll([only])).toThrow(only);
  });

  it("carries all, and those that each of them carried, once", () => {
    expect(thrownBy([error("a", [error("b")]), error("c", [error("d")])])).toEqual(["a", "b", "c", "d"]);
  });

  it("keeps what the first one tells", () => {
    const at = { file: "a.sql", line: 1, column: 2 };
    const first = new IngotError("BAD_OPTION", "a", { at, hint: "h", object: "o", cause: "c" });
    expect(() => throwAll([first, error("b")])).toThrow(
      expect.objectContaining({ code: "BAD_OPTION", message: "a", at, hint: "h", object: "o", cause: "c" }),
    );
  });
});

it("withPlace gives a place to an error that has none", () => {
  const [here, there] = [1, 2].map((line) => ({ file: "a.sql", line, column: 1 })) as [never, never];
  expect(withPlace(error("a", [error("b")]), here)).toMatchObject({
    at: here,
    message: "a",
    others: [{ message: "b" }],
  });
  expect(withPlace(withPlace(error("a"), here), there).at).toBe(here);
});

it("an error knows its SQLSTATE and the exit code that it leads to", () => {
  expect(new IngotError("DIVIDE_BY_ZERO", "")).toMatchObject({ sqlState: "22012", exitCode: 1 });
  expect(new IngotError("RUN_LOCKED", "")).toMatchObject({ sqlState: undefined, exitCode: 7 });
  const fault = { code: "A_LIBRARY_S_OWN", exit: "locked", sqlState: "2D521" } as const;
  const at = { file: "a.sql", line: 1, column: 1 };
  expect(withPlace(new IngotError(fault, ""), at)).toMatchObject({ ...fault, exitCode: 7, at });
});

it("the catalogue names an exit code and says when, for every error", () => {
  for (const entry of Object.values(CATALOGUE)) {
    expect(EXIT).toHaveProperty(entry.exit);
    expect(entry.when).toMatch(/^\S.*\.$/);
    if ("sqlState" in entry) expect(entry.sqlState).toMatch(/^[0-9A-Z]{5}$/);
  }
});
