import { IngotError } from "../../model/error.js";
import type { ErrorCode } from "../../model/error-catalogue.js";
import { completeName, type NameDefaults, type TableName } from "../../model/name.js";
import { isToken, type TokenReader } from "../token-reader.js";

/**
 * A table's name of one to three parts, completed. `LIVE.x`, the old way to name a dataset of the pipeline itself,
 * is x.
 *
 * @throws IngotError INVALID_IDENTIFIER
 */
export function readTableName(reader: TokenReader, defaults: NameDefaults): TableName {
  const { at, parts } = readName(reader);
  if (parts.length <= 3) return completeName(parts, defaults);
  throw new IngotError("INVALID_IDENTIFIER", `The name ${parts.join(".")} has ${parts.length} parts`, {
    at,
    object: parts.join("."),
    hint: "A table's name is table, schema.table or catalog.schema.table.",
  });
}

/** A name of one part, of a temporary view or a flow. @throws IngotError MULTIPART_… as given */
export function readSimpleName(reader: TokenReader, what: string, code: ErrorCode): string {
  const { at, parts } = readName(reader);
  const [name = "", ...more] = parts;
  if (more.length === 0) return name;
  throw new IngotError(code, `The name ${parts.join(".")} of a ${what} is qualified`, {
    at,
    object: parts.join("."),
    hint: `A ${what} belongs to the pipeline alone, so its name has one part: ${parts.at(-1)}.`,
  });
}

function readName(reader: TokenReader) {
  const at = reader.at();
  const first = reader.peek();
  const parts = reader.readParts();
  return { at, parts: parts.length > 1 && first?.kind === "word" && isToken(first, "LIVE") ? parts.slice(1) : parts };
}
