import { IngotError } from "../model/error.js";

/** A table that the project declares and that has no rows to look at, or to care for, yet. */
export function notMade(name: string): IngotError {
  return new IngotError("UNKNOWN_TABLE", `${name} is declared, and no run has made its table yet`, {
    object: name,
    hint: "Run the project first: ingot run",
  });
}
