import type { Position } from "../../model/position.js";
import type { TokenReader } from "../token-reader.js";

/** A key and value of TBLPROPERTIES. */
export interface Property {
  readonly key: string;
  readonly value: string;
  readonly at: Position;
}

/** `( key [=] value, … )`; a key is a string or dotted words, a value a string, a number, TRUE or FALSE. */
export function readProperties(reader: TokenReader): Property[] {
  const properties: Property[] = [];
  const keys = new Set<string>();
  reader.expect("(");
  do {
    const at = reader.at();
    const from = reader.index;
    const key = readKey(reader);
    if (keys.has(key)) {
      reader.index = from;
      throw reader.error("PARSE_SYNTAX_ERROR", `The property \`${key}\` stands twice`, "Keep one of the two.");
    }
    keys.add(key);
    reader.take("=");
    properties.push({ key, value: readValue(reader), at });
  } while (reader.take(","));
  if (!reader.take(")")) throw reader.failure([",", ")"]);
  return properties;
}

function readKey(reader: TokenReader): string {
  if (reader.peek()?.kind === "string") return reader.readString();
  return reader.readParts("a property's name").join(".");
}

/** A property's or option's value as text. */
export function readValue(reader: TokenReader): string {
  const token = reader.peek();
  if (token?.kind === "string") return reader.readString();
  if (token?.kind === "number" || reader.sees("TRUE") || reader.sees("FALSE")) {
    reader.index += 1;
    return token?.text.toLowerCase() ?? "";
  }
  throw reader.failure(["a string", "a number", "TRUE", "FALSE"]);
}
