/**
 * The patterns of `to_number` and `to_char`: `99,999.00`, `$9.9`, `S9`, `9MI`, `9PR`. The grammar is
 * `[MI | S] [$] digits [. digits] [$] [PR | MI | S]`, where a run of digits that begins with 0 stands for exactly so many,
 * one that begins with 9 for at most so many.
 */
export interface NumberPattern {
  readonly tokens: readonly NumberToken[];
  /** Digits before and behind the point together, and behind it. */
  readonly precision: number;
  readonly scale: number;
}

export type NumberToken =
  | { readonly kind: "digits"; readonly parts: readonly (DigitRun | ",")[] }
  | { readonly kind: "." | "$" | "S" | "MI" | "<" | ">" };

export interface DigitRun {
  readonly exact: boolean;
  readonly count: number;
}

/** A text that is no such pattern; `code` is the subclass of Spark's INVALID_FORMAT. */
export class NumberPatternFault extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws NumberPatternFault */
export function readNumberPattern(pattern: string): NumberPattern {
  const tokens = readTokens(pattern);
  if (!tokens.some((t) => t.kind === "digits"))
    throw new NumberPatternFault(pattern === "" ? "EMPTY" : "WRONG_NUM_DIGIT", "It has no digit, 0 or 9");
  checkSeparators(tokens);
  checkOrder(tokens);
  const point = tokens.findIndex((t) => t.kind === ".");
  const digits = tokens.map((t) => (t.kind === "digits" ? digitsOf(t.parts) : 0));
  const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
  return { tokens, precision: sum(digits), scale: point === -1 ? 0 : sum(digits.slice(point)) };
}

export function runsOf(parts: readonly (DigitRun | ",")[]): DigitRun[] {
  return parts.filter((part) => part !== ",");
}

export function digitsOf(parts: readonly (DigitRun | ",")[]): number {
  return runsOf(parts).reduce((count, run) => count + run.count, 0);
}

const SIGNS = { S: "S", MI: "MI", $: "$", ".": ".", D: "." } as const;

function readTokens(pattern: string): NumberToken[] {
  const tokens: NumberToken[] = [];
  let digits: (DigitRun | ",")[] = [];
  let behindPoint = false;
  const close = () => {
    if (digits.length > 0) tokens.push({ kind: "digits", parts: digits });
    digits = [];
  };
  for (const sign of pattern.match(/[09]+|MI|PR|./gs) ?? []) {
    if (/[09]/.test(sign)) digits.push({ exact: sign.startsWith("0") && !behindPoint, count: sign.length });
    else if (sign === "," || sign === "G") digits.push(",");
    else {
      close();
      if (sign === "PR") {
        tokens.unshift({ kind: "<" });
        tokens.push({ kind: ">" });
      } else if (Object.hasOwn(SIGNS, sign)) tokens.push({ kind: SIGNS[sign as keyof typeof SIGNS] });
      else throw new NumberPatternFault("UNEXPECTED_TOKEN", `${sign} has no meaning`);
      if (sign === "." || sign === "D") behindPoint = true;
    }
  }
  close();
  return tokens;
}

function checkSeparators(tokens: readonly NumberToken[]): void {
  const point = tokens.findIndex((t) => t.kind === ".");
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== "digits") continue;
    const { parts } = token;
    if (point !== -1 && i > point && parts.includes(","))
      throw new NumberPatternFault("THOUSANDS_SEPS_MUST_BEFORE_DEC", "A comma stands behind the point");
    if (parts.some((part, j) => part === "," && [parts[j - 1], parts[j + 1]].some((p) => p === undefined || p === ",")))
      throw new NumberPatternFault("CONT_THOUSANDS_SEPS", "A comma stands between digits");
  }
}

const ORDER: readonly (readonly NumberToken["kind"][])[] = [
  ["<"],
  ["MI", "S"],
  ["$"],
  ["digits"],
  ["."],
  ["digits"],
  ["$"],
  ["MI", "S", ">"],
];

function checkOrder(tokens: readonly NumberToken[]): void {
  for (const kind of [".", "S", "MI", "$", ">"] as const)
    if (tokens.filter((t) => t.kind === kind).length > 1)
      throw new NumberPatternFault("WRONG_NUM_TOKEN", `${kind === ">" ? "PR" : kind} stands there twice`);
  const dollar = tokens.findIndex((t) => t.kind === "$");
  if (tokens.findIndex((t) => t.kind === "digits") < dollar)
    throw new NumberPatternFault("CUR_MUST_BEFORE_DIGIT", "$ stands before the digits");
  let next = 0;
  for (const kinds of ORDER) if (kinds.includes(tokens[next]?.kind ?? "<") && next < tokens.length) next += 1;
  if (next < tokens.length)
    throw new NumberPatternFault("UNEXPECTED_TOKEN", `${tokens[next]?.kind} stands out of order`);
}
