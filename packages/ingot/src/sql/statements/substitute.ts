import { IngotError } from "../../model/error.js";
import { nearest } from "../../model/nearest.js";
import type { Position, SqlText } from "../../model/position.js";
import type { Token } from "../lexer.js";
import { concat, cut, type Locate } from "../locate.js";

/** `${key}` at [start, end) of a text. */
export interface Parameter {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** A statement of a file as written: [start, end) and the parameters in it. */
export interface RawStatement {
  readonly start: number;
  readonly end: number;
  readonly parameters: readonly Parameter[];
}

/** All parameters of a text, whose tokens are given. What stands in a comment is none. */
export function findParameters(text: string, tokens: readonly Token[]): Parameter[] {
  const found: Parameter[] = [];
  let index = 0;
  // As in Spark's ConfigReader, what does not look like a key stays as it is.
  for (const match of text.matchAll(/\$\{([^\s${}]+)\}/g)) {
    while ((tokens[index]?.end ?? Number.POSITIVE_INFINITY) <= match.index) index += 1;
    const token = tokens[index];
    if (token === undefined || token.start > match.index) continue;
    found.push({ key: match[1] ?? "", start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/**
 * Puts the values of the configuration in the place of a statement's parameters, as text. The result knows where
 * each part came from: a value stands at its parameter.
 *
 * @throws IngotError CONFIG_MISSING; BAD_OPTION for a value that itself has a parameter
 */
export function substitute(
  sql: SqlText,
  locate: Locate,
  { start, end, parameters }: RawStatement,
  configuration: ReadonlyMap<string, string>,
): SqlText {
  const parts: SqlText[] = [];
  let from = start;
  for (const parameter of parameters) {
    const at = locate(parameter.start);
    const value = configuration.get(parameter.key);
    if (value === undefined) throw missing(parameter.key, at, configuration);
    if (value.includes("${")) {
      throw new IngotError("BAD_OPTION", `The value of \`${parameter.key}\` has a parameter itself: ${value}`, {
        at,
        object: parameter.key,
        hint: "Values are put in once. Write the value out.",
      });
    }
    parts.push(cut(sql, locate, from, parameter.start), { text: value, segments: [{ start: 0, ...at }] });
    from = parameter.end;
  }
  return concat([...parts, cut(sql, locate, from, end)]);
}

function missing(key: string, at: Position, configuration: ReadonlyMap<string, string>): IngotError {
  const near = nearest(key, configuration.keys());
  const known = [...configuration.keys()].join(", ");
  return new IngotError("CONFIG_MISSING", `The configuration has no key \`${key}\``, {
    at,
    object: key,
    hint:
      near !== undefined
        ? `Did you mean \`${near}\`?`
        : `Set it under \`configuration\` in the spec, with --set ${key}=…, or with SET ${key} = … above. ${known === "" ? "No key is set." : `Set are: ${known}.`}`,
  });
}
