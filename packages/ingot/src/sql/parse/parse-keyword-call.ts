import type { Call, Expression } from "./ast.js";
import { hasKeyword, wordOf } from "./keywords.js";
import { offsetOf, type Parser, unexpected } from "./parser.js";

/**
 * Calls with keywords between their arguments, `trim(BOTH x FROM y)`, as the functions that Spark makes of them.
 * Undefined where the call is written with commas.
 */
export function parseKeywordCall(parser: Parser, at: number, word: string): Call | undefined {
  const form = FORMS.get(word);
  const { reader } = parser;
  if (form === undefined || !hasKeyword(reader, 1, form.keyword)) return undefined;
  reader.index += 2;
  const { name, args } = form.parse(parser);
  if (!reader.take(")")) throw unexpected(parser, [")"]);
  return { kind: "call", at, name, args: args.map((e) => ({ expression: e })), star: false, distinct: false };
}

interface Form {
  readonly keyword: string;
  readonly parse: (parser: Parser) => { readonly name: string; readonly args: readonly Expression[] };
}

const FORMS: ReadonlyMap<string, Form> = new Map([
  ["TRIM", { keyword: "FROM", parse: parseTrim }],
  ["SUBSTRING", { keyword: "FROM", parse: parseSubstring }],
  ["SUBSTR", { keyword: "FROM", parse: parseSubstring }],
  ["EXTRACT", { keyword: "FROM", parse: parseExtract }],
  ["POSITION", { keyword: "IN", parse: parsePosition }],
  ["OVERLAY", { keyword: "PLACING", parse: parseOverlay }],
]);

const TRIMMERS: Readonly<Record<string, string>> = { BOTH: "trim", LEADING: "ltrim", TRAILING: "rtrim" };

/** `[BOTH | LEADING | TRAILING] [characters] FROM text` */
function parseTrim(parser: Parser) {
  const { reader } = parser;
  const side = wordOf(reader.peek());
  const isSide = Object.hasOwn(TRIMMERS, side) && reader.peek(1)?.kind !== "operator";
  if (isSide) reader.index += 1;
  const characters = reader.sees("FROM") ? [] : [parser.rules.value(parser)];
  expectWord(parser, "FROM");
  const name = (isSide ? TRIMMERS[side] : undefined) ?? "trim";
  return { name, args: [...characters, parser.rules.value(parser)] };
}

/** `text FROM position [FOR length]` */
function parseSubstring(parser: Parser) {
  const text = parser.rules.value(parser);
  expectWord(parser, "FROM");
  const position = parser.rules.value(parser);
  const length = parser.reader.take("FOR") ? [parser.rules.value(parser)] : [];
  return { name: "substring", args: [text, position, ...length] };
}

/** `field FROM moment`; the field is a word. */
function parseExtract(parser: Parser) {
  const { reader } = parser;
  const field = { kind: "literal", at: offsetOf(parser), type: "string", value: reader.readName("a field") } as const;
  expectWord(parser, "FROM");
  return { name: "extract", args: [field, parser.rules.value(parser)] };
}

/** `part IN text` */
function parsePosition(parser: Parser) {
  const part = parser.rules.value(parser);
  expectWord(parser, "IN");
  return { name: "locate", args: [part, parser.rules.value(parser)] };
}

/** `text PLACING part FROM position [FOR length]` */
function parseOverlay(parser: Parser) {
  const text = parser.rules.value(parser);
  expectWord(parser, "PLACING");
  const part = parser.rules.value(parser);
  expectWord(parser, "FROM");
  const position = parser.rules.value(parser);
  const length = parser.reader.take("FOR") ? [parser.rules.value(parser)] : [];
  return { name: "overlay", args: [text, part, position, ...length] };
}

function expectWord(parser: Parser, word: string): void {
  if (!parser.reader.take(word)) throw unexpected(parser, [word]);
}
