import { DeltaError, type DeltaErrorCode } from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { IngotError } from "../../model/error.js";
import { EXIT } from "../../model/error-catalogue.js";
import { withDelta } from "../tables/delta-errors.js";
import { fromDuckdb } from "./errors.js";

describe("an error of the Delta library", () => {
  const raise = (code: DeltaErrorCode) => async () => {
    throw new DeltaError(code, "what", { table: "/t", hint: "next" });
  };

  it.each<[DeltaErrorCode, keyof typeof EXIT, string | undefined]>([
    ["DELTA_CONCURRENT_DELETE_READ", "locked", "2D521"],
    ["DELTA_TABLE_UNREADABLE", "unreachable", undefined],
    ["DELTA_UNSUPPORTED_FEATURES_FOR_WRITE", "runFailed", "56038"],
    ["DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "runFailed", "23502"],
    ["DELTA_UNKNOWN_CONFIGURATION", "projectInvalid", "F0000"],
    ["DELTA_VERSION_NOT_FOUND", "usage", "22003"],
    ["DELTA_INVALID_COMMIT", "bug", undefined],
  ])("keeps its code and its SQLSTATE: %s ends the process as %s", async (code, exit, sqlState) => {
    const error = await withDelta(raise(code)).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(IngotError);
    expect(error).toMatchObject({ code, sqlState, exitCode: EXIT[exit], message: "what", object: "/t", hint: "next" });
    expect(fromDuckdb(new DeltaError(code, "what", { table: "/t" }), "t")).toMatchObject({ code, exit });
  });

  it("that a query raises itself is one of the library, too", () => {
    const error = new Error("Invalid Input Error: [DELTA_UNSUPPORTED_FEATURES_FOR_READ] A data file of /t is odd.");
    expect(fromDuckdb(error, "t")).toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ",
      sqlState: "56038",
      message: "A data file of /t is odd.",
    });
  });

  it("others pass as they are", async () => {
    const error = new Error("disk full");
    await expect(withDelta(() => Promise.reject(error))).rejects.toBe(error);
  });
});
