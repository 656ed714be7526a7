import { hostFunction, SparkCondition } from "./host-function.js";
import {
  type DigitRun,
  digitsOf,
  type NumberPattern,
  type NumberToken,
  readNumberPattern,
  runsOf,
} from "./number-pattern.js";
import { remember } from "./remember.js";

const patternOf = remember(readNumberPattern);

/** The decimal that a text means by a pattern; one that does not fit is an error, or NULL. */
export const TO_NUMBER = hostFunction(
  "to_number",
  ["string", "string", "boolean"],
  "string",
  (text, pattern, lenient) => {
    const value = parseNumber(text, patternOf(pattern));
    if (value !== undefined || lenient) return value;
    throw new SparkCondition(
      "INVALID_FORMAT.MISMATCH_INPUT",
      `The input ${text} does not match the format ${pattern}. Use try_to_number to get NULL instead.`,
    );
  },
);

interface Reading {
  readonly text: string;
  at: number;
  whole: string;
  fraction: string;
  behindPoint: boolean;
  negative: boolean;
  open: boolean;
  closed: boolean;
}

function parseNumber(text: string, { tokens, scale }: NumberPattern): string | undefined {
  const reading: Reading = {
    text,
    at: 0,
    whole: "",
    fraction: "",
    behindPoint: false,
    negative: false,
    open: false,
    closed: false,
  };
  if (!tokens.every((token) => readToken(reading, token))) return undefined;
  const { at, whole, fraction, negative, open, closed } = reading;
  if (at < text.length || open !== closed || `${whole}${fraction}` === "") return undefined;
  const padded = fraction.padEnd(scale, "0");
  return `${negative ? "-" : ""}${whole || "0"}${padded === "" ? "" : `.${padded}`}`;
}

/** False where the text does not go on as the token asks. Signs and the point may be left out, the dollar may not. */
function readToken(reading: Reading, token: NumberToken): boolean {
  if (token.kind === "digits") return readDigits(reading, runsOf(token.parts));
  const char = reading.text.charAt(reading.at);
  // At the end of the text nothing is asked for, not even the dollar.
  if (char === "") return true;
  switch (token.kind) {
    case ".":
      if (char !== ".") return true;
      reading.behindPoint = true;
      break;
    case "$":
      if (char !== "$") return false;
      break;
    case "S":
    case "MI":
      if (char !== "-" && !(char === "+" && token.kind === "S")) return true;
      if (char === "-") reading.negative = !reading.negative;
      break;
    case "<":
      if (char !== "<") return true;
      reading.open = true;
      break;
    case ">":
      if (char !== ">") return true;
      if (!reading.open) return false;
      reading.closed = true;
      reading.negative = !reading.negative;
  }
  reading.at += 1;
  return true;
}

/** Groups are told from the right, so that those in front may be missing. */
function readDigits(reading: Reading, wanted: readonly DigitRun[]): boolean {
  const sizes = [0];
  for (; reading.at < reading.text.length; reading.at += 1) {
    const char = reading.text.charAt(reading.at);
    if (char === ",") sizes.unshift(0);
    else if (/[0-9]/.test(char)) {
      sizes[0] = (sizes[0] ?? 0) + 1;
      if (reading.behindPoint) reading.fraction += char;
      else reading.whole += char;
    } else if (!/\s/.test(char)) break;
  }
  if (sizes.length > wanted.length) return false;
  return [...wanted].reverse().every(({ exact, count }, i) => {
    const size = sizes[i] ?? 0;
    return exact ? size === count : size <= count;
  });
}

/** A decimal by a pattern; `#` where it has more digits. */
export const TO_CHAR = hostFunction("to_char", ["string", "string"], "string", (text, pattern) =>
  writeNumber(text, patternOf(pattern)),
);

function writeNumber(text: string, { tokens, precision, scale }: NumberPattern): string {
  const negative = text.startsWith("-") && /[1-9]/.test(text);
  const [whole, fraction] = digitsFor(text, precision - scale, scale);
  let result = "";
  let next = 0;
  let behindPoint = false;
  for (const token of tokens) {
    switch (token.kind) {
      case "digits":
        if (behindPoint) result += fraction;
        else {
          result = writeWhole(result, whole.slice(next), token.parts);
          next += digitsOf(token.parts);
        }
        break;
      case ".":
        result = `${result.replace(/ $/, "0")}.`;
        behindPoint = true;
        break;
      case "$":
        result += "$";
        break;
      case "S":
        result = beforeSpaces(withoutLonePoint(result), negative ? "-" : "+");
        break;
      case "MI":
        result = negative ? beforeSpaces(withoutLonePoint(result), "-") : `${result} `;
        break;
      case "<":
        result += negative ? "<" : "";
        break;
      case ">":
        result = negative ? beforeSpaces(withoutLonePoint(result), ">") : `${withoutLonePoint(result)}  `;
    }
  }
  const shown = withoutLonePoint(result);
  return shown === "" || shown === "+" || shown === "-" ? "0" : shown;
}

/** The digits before and behind the point, as wide as the pattern; all `#` where it is too narrow. */
function digitsFor(text: string, before: number, behind: number): readonly [whole: string, fraction: string] {
  const [front = "", back = ""] = text.split(".");
  const whole = front.replace(/^[-0]+/, "");
  const fraction = back.replace(/0+$/, "");
  if (whole.length > before || fraction.length > behind) return ["#".repeat(before), "#".repeat(behind)];
  return [whole.padStart(before, " "), fraction.padEnd(behind, "0")];
}

function writeWhole(start: string, digits: string, parts: readonly (DigitRun | ",")[]): string {
  let result = start;
  let next = 0;
  for (const part of parts) {
    if (part === ",") {
      result = /[0-9]$/.test(result) ? `${result},` : withSpace(result);
      continue;
    }
    for (const digit of digits.slice(next, next + part.count))
      result = digit !== " " ? result + digit : part.exact ? `${result}0` : withSpace(result);
    next += part.count;
  }
  return result;
}

/** A sign in front goes behind the space, beside its digits. */
function withSpace(text: string): string {
  return text.replace(/[-+<]*$/, (signs) => ` ${signs}`);
}

/** A sign behind goes before the spaces, beside its digits. */
function beforeSpaces(text: string, sign: string): string {
  return text.replace(/ *$/, (spaces) => sign + spaces);
}

function withoutLonePoint(text: string): string {
  return text.replace(/\.(?= |$)/, " ");
}

export const NUMBER_TEXTS = [TO_NUMBER, TO_CHAR];
