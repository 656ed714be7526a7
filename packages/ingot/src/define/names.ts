import { IngotError } from "../model/error.js";
import type { ErrorCode } from "../model/error-catalogue.js";
import { completeName, quoteIdentifier, type TableName } from "../model/name.js";
import type { Position } from "../model/position.js";
import { scan } from "../sql/lexer.js";
import { TokenReader } from "../sql/token-reader.js";
import type { Scope } from "./scope.js";

/** What stands in for a name that was refused, so that the load goes on to the next fault. */
const REFUSED = ["_"];

/**
 * The one to three parts of a name as SQL writes it, back-ticks included. Reports INVALID_IDENTIFIER.
 *
 * @param what the call that the name was given to, for the message
 */
export function readParts(scope: Scope, what: string, name: unknown, call: Position): readonly string[] {
  if (typeof name !== "string") {
    return refuse(scope, "BAD_OPTION", `${what}: the name is no text`, call, "Give it as the first argument.");
  }
  const at = scope.places.literal(name, call);
  const parts = parseParts(name, at);
  if (parts instanceof IngotError) {
    const message = name.trim() === "" ? `${what}: the name is empty` : `${what}: \`${name}\` is no name`;
    const hint = parts.code === "INVALID_IDENTIFIER" ? parts.hint : "Put parts with other characters in back-ticks.";
    return refuse(scope, "INVALID_IDENTIFIER", message, parts.at ?? at, hint, name);
  }
  if (parts.length <= 3) return parts;
  const hint = "A table's name is table, schema.table or catalog.schema.table; a dot within a part needs back-ticks.";
  return refuse(scope, "INVALID_IDENTIFIER", `The name ${name} has ${parts.length} parts`, at, hint, name);
}

function parseParts(name: string, at: Position): readonly string[] | IngotError {
  const { tokens, unterminated } = scan(name);
  const reader = new TokenReader({ text: name, segments: [{ start: 0, ...at }] }, tokens);
  try {
    const parts = reader.readParts();
    return reader.done && unterminated === undefined ? parts : reader.failure([".", "the end of the name"]);
  } catch (error) {
    if (error instanceof IngotError) return error;
    throw error;
  }
}

export function readTableName(scope: Scope, what: string, name: unknown, call: Position): TableName {
  return completeName(readParts(scope, what, name, call), scope.defaults);
}

/** A name of one part, of a temporary view or a flow; a qualified one is reported under `code`. */
export function readSimpleName(
  scope: Scope,
  what: string,
  name: unknown,
  call: Position,
  code: ErrorCode & `MULTIPART_${string}`,
): string {
  const parts = readParts(scope, what, name, call);
  const last = parts.at(-1) ?? "";
  if (parts.length > 1) {
    refuse(
      scope,
      code,
      `${what}: the name ${String(name)} is qualified`,
      scope.places.literal(String(name), call),
      `It belongs to the pipeline alone, so its name has one part: ${quoteIdentifier(last)}.`,
      String(name),
    );
  }
  return last;
}

function refuse(
  scope: Scope,
  code: ErrorCode,
  message: string,
  at: Position,
  hint?: string,
  object?: string,
): readonly string[] {
  scope.report(
    new IngotError(code, message, {
      at,
      ...(hint === undefined ? {} : { hint }),
      ...(object === undefined ? {} : { object }),
    }),
  );
  return REFUSED;
}
