import { argumentAt, type Decoder, DecoderFault, decimalOf } from "./decoder.js";
import { matches } from "./pattern.js";

/** Numbers of a fixed length whose decimal point stands in the dictionary alone, as ABAP and mainframes store them. */

const CONSTANTS: Decoder["constants"] = [
  { name: "precision", type: "number", required: true },
  { name: "scale", type: "number", required: true },
];

/** Bytes of a packed number: two digits each, the sign in the last half. */
const bytesOf = (precision: number) => Math.floor(precision / 2) + 1;

/** BCD: digits, then C, F, A or E for plus, D or B for minus. */
export const PACKED: Decoder = {
  values: [{ name: "value", takes: ["text", "binary"] }],
  constants: CONSTANTS,
  reason: "MALFORMED_AMOUNT",
  does: "a packed number (BCD), as BINARY or hexadecimal text, to DECIMAL(precision, scale)",
  decode: (use) => {
    const { sql, type } = argumentAt(use);
    const { precision, scale } = decimalOf(use);
    const digits = 2 * bytesOf(precision) - 1;
    const text = type.kind === "binary" ? `hex(${sql})` : `upper(trim(${sql}))`;
    const number = signed(`right(${text}, 1) IN ('B', 'D')`, text, digits, scale);
    return {
      value: `CASE WHEN ${matches(text, `[0-9]{${digits}}[A-F]`)} THEN try_cast(${number} AS DECIMAL(${precision},${scale})) END`,
      nothing: type.kind === "binary" ? `${sql} IS NULL` : `coalesce(${text} = '', true)`,
    };
  },
};

/** The last digit of a zoned number in ASCII, the plus and the minus of 0 to 9. */
const [PLUS, MINUS] = ["{ABCDEFGHI", "}JKLMNOPQR"];

/**
 * Zoned numbers: a digit a byte, the sign in the zone of the last one. In EBCDIC C or F for plus, D for minus; a text file
 * in ASCII shows these bytes as `{`, A to I and `}`, J to R, or a digit without a sign. A number of another length has
 * lost digits or its sign.
 */
export const ZONED: Decoder = {
  values: [{ name: "value", takes: ["text", "binary"] }],
  constants: [...CONSTANTS, { name: "format", type: "text" }],
  reason: "MALFORMED_AMOUNT",
  does: "a zoned number, as BINARY or hexadecimal text (format hex) in EBCDIC, or as text in ASCII, to DECIMAL(precision, scale)",
  decode: (use) => {
    const { sql, type } = argumentAt(use);
    const { precision, scale } = decimalOf(use);
    const isBinary = type.kind === "binary";
    const { text, pattern, digits, isMinus } =
      isBinary || isHex(use.texts["format"])
        ? ebcdic(isBinary ? `hex(${sql})` : `upper(trim(${sql}))`, precision)
        : ascii(`trim(${sql})`, precision);
    const number = signed(isMinus, digits, precision, scale);
    return {
      value: `CASE WHEN ${matches(text, pattern)} THEN try_cast(${number} AS DECIMAL(${precision},${scale})) END`,
      nothing: isBinary ? `${sql} IS NULL` : `coalesce(${text} = '', true)`,
    };
  },
};

/** How the bytes of a zoned number are read; all but the pattern is Spark SQL. */
interface Zoned {
  readonly text: string;
  readonly pattern: string;
  readonly digits: string;
  readonly isMinus: string;
}

/** Hexadecimal digits in pairs: the zone, then the digit. */
function ebcdic(text: string, precision: number): Zoned {
  return {
    text,
    pattern: `(?:F[0-9]){${precision - 1}}[CDF][0-9]`,
    digits: `concat(replace(left(${text}, ${2 * precision - 2}), 'F', ''), right(${text}, 1))`,
    isMinus: `substr(${text}, ${2 * precision - 1}, 1) = 'D'`,
  };
}

function ascii(text: string, precision: number): Zoned {
  return {
    text,
    pattern: `[0-9]{${precision - 1}}[0-9{}A-R]`,
    digits: `translate(${text}, '${PLUS}${MINUS}', '01234567890123456789')`,
    isMinus: `contains('${MINUS}', right(${text}, 1))`,
  };
}

/** @throws DecoderFault */
function isHex(format: string | undefined): boolean {
  if (format === undefined || format === "hex") return format === "hex";
  throw new DecoderFault(`${format} is no format of zoned numbers`, "Write hex, or leave it out for ASCII.", "format");
}

/** The text of a number from its digits. */
function signed(isMinus: string, digits: string, length: number, scale: number): string {
  const whole = length - scale;
  const point = scale === 0 ? "" : `, '.', substr(${digits}, ${whole + 1}, ${scale})`;
  return `concat(CASE WHEN ${isMinus} THEN '-' ELSE '' END, '0', left(${digits}, ${whole})${point})`;
}
