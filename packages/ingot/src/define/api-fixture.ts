import type * as model from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { createApi } from "./api.js";
import { outsideScope } from "./outside.js";

/** For tests: the API as a unit test of a user sees it. */
export const api = createApi(outsideScope());

/** For tests: what the calls in `declare` declare. */
export function declared(declare: () => void): model.Definitions {
  return outsideScope().collect(declare);
}

/** For tests: the error that a call throws, as `CODE` and its hint. */
export function refusal(call: () => unknown): { code: string; message: string; hint: string | undefined } {
  try {
    call();
  } catch (error) {
    if (error instanceof IngotError) return { code: error.code, message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error("nothing was refused");
}

/** For tests: what the compiler would refuse, and plain JavaScript may still do. */
export function untyped(value: unknown): never {
  return value as never;
}
