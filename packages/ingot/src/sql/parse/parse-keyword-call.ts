import type { Call, Expression } from "./ast.js";
import { hasKeyword, wordOf } from "./keywords.js";
import { type Parser, problem, unexpected } from "./parser.js";

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
  const call = {
    kind: "call",
    at,
    name,
    args: args.map((e) => ({ expression: e })),
    star: false,
    distinct: false,
  } as const;
  return form.unnamed === true ? { ...call, unnamed: true } : call;
}

interface Form {
  readonly keyword: string;
  readonly unnamed?: true;
  readonly parse: (parser: Parser) => { readonly name: string; readonly args: readonly Expression[] };
}

const FORMS: ReadonlyMap<string, Form> = new Map([
  ["TRIM", { keyword: "FROM", parse: parseTrim }],
  ["SUBSTRING", { keyword: "FROM", parse: parseSubstring }],
  ["SUBSTR", { keyword: "FROM", parse: parseSubstring }],
  ["EXTRACT", { keyword: "FROM", unnamed: true, parse: parseExtract }],
  ["POSITION", { keyword: "IN", unnamed: true, parse: parsePosition }],
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

/** `DatePart.parseExtractField`; SECOND is not here, since EXTRACT gives it with its fraction. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  year: ["YEAR", "Y", "YEARS", "YR", "YRS"],
  quarter: ["QUARTER", "QTR"],
  month: ["MONTH", "MON", "MONS", "MONTHS"],
  weekofyear: ["WEEK", "W", "WEEKS"],
  day: ["DAY", "D", "DAYS"],
  dayofweek: ["DAYOFWEEK", "DOW"],
  dayofyear: ["DOY"],
  hour: ["HOUR", "H", "HOURS", "HR", "HRS"],
  minute: ["MINUTE", "M", "MIN", "MINS", "MINUTES"],
};

/** `field FROM moment` */
function parseExtract(parser: Parser) {
  const { reader } = parser;
  const word = wordOf(reader.peek());
  const name = Object.keys(FIELDS).find((field) => FIELDS[field]?.includes(word));
  if (name === undefined)
    throw problem(
      parser,
      "UNSUPPORTED_FUNCTION",
      `extract of ${word === "" ? "this" : word} is not supported yet`,
      `Supported are ${Object.values(FIELDS)
        .flatMap(([first]) => first)
        .join(", ")}.`,
    );
  reader.index += 1;
  expectWord(parser, "FROM");
  return { name, args: [parser.rules.value(parser)] };
}

/** `part IN text` */
function parsePosition(parser: Parser) {
  const part = parser.rules.value(parser);
  expectWord(parser, "IN");
  return { name: "instr", args: [parser.rules.value(parser), part] };
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
