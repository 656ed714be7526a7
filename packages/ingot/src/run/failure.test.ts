import { describe, expect, it } from "vitest";
import { IngotError } from "../model/error.js";
import { isTransient, toIngotError } from "./failure.js";

const errno = (code: string) => Object.assign(new Error(`${code}: it went wrong`), { code });

describe("toIngotError", () => {
  it("keeps its own", () => {
    const error = new IngotError("BALANCE", "off");
    expect(toIngotError(error)).toBe(error);
  });

  it.each(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENAMETOOLONG"])(
    "names %s with the next step",
    (code) => {
      const error = toIngotError(errno(code));
      expect(error).toMatchObject({ code: "STORAGE_FAILED", exitCode: 6, message: `${code}: it went wrong` });
      expect(error.hint).toMatch(/\w/);
    },
  );

  it("takes an abort for an interruption", () => {
    expect(toIngotError(AbortSignal.abort().reason)).toMatchObject({ code: "INTERRUPTED", exitCode: 130 });
  });

  it.each([new TypeError("x is not a function"), errno("ENEW"), "a text", undefined])(
    "calls the rest a fault of Ingot: %s",
    (thrown) => {
      const error = toIngotError(thrown);
      expect(error).toMatchObject({ code: "INTERNAL_ERROR", exitCode: 70 });
      expect(error.message).toContain(thrown instanceof Error ? thrown.message : String(thrown));
    },
  );
});

it("only a lost race is worth another try", () => {
  expect(isTransient(new IngotError({ code: "DELTA_CONCURRENT_DELETE_READ", exit: "locked" }, ""))).toBe(true);
  expect(isTransient(new IngotError("STORAGE_FAILED", ""))).toBe(false);
});
