import type { Expression } from "./ast.js";
import { type Parser, readText, unexpected, unsupported } from "./parser.js";

/**
 * Lakeflow's `text:a.b[0]['c']` behind its colon: `get_json_object(text, '$.a.b[0][\'c\']')`. Fields are those of exactly
 * this spelling. Spark 4.2 refuses it of a STRING, and knows it of VARIANT, a type that no query has here.
 */
export function parseJsonPath(parser: Parser, operand: Expression): Expression {
  const { reader } = parser;
  let path = reader.sees("[") ? "$" : `$${step(parser, reader.readName("a field"))}`;
  for (;;) {
    if (reader.take(".")) path += step(parser, reader.readName("a field"));
    else if (reader.take("[")) {
      const token = reader.peek();
      if (token?.kind === "string") path += step(parser, readText(reader));
      else if (token?.kind === "number" && /^\d+$/.test(token.text)) {
        reader.index += 1;
        path += `[${token.text}]`;
      } else throw unexpected(parser, ["a field's name in quotes", "a place"]);
      if (!reader.take("]")) throw unexpected(parser, ["]"]);
    } else break;
  }
  const { at } = operand;
  const args = [operand, { kind: "literal", at, type: "string", value: path } as const];
  return {
    kind: "call",
    at,
    name: "get_json_object",
    args: args.map((expression) => ({ expression })),
    star: false,
    distinct: false,
  };
}

function step(parser: Parser, field: string): string {
  if (field === "" || /['?*]/.test(field))
    throw unsupported(parser, `The JSON field ${JSON.stringify(field)} in a path`, "Use from_json.");
  return `['${field}']`;
}
