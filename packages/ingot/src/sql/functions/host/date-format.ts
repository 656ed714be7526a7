import { DAYS, MONTHS, type PatternItem, readPattern } from "./date-pattern.js";
import { hostFunction } from "./host-function.js";
import { remember } from "./remember.js";

/** Of a reading of the clock in micros since 1970, and its distance from UTC in seconds. */
export const FORMAT_DATE = hostFunction(
  "format_date",
  ["bigint", "int", "string"],
  "string",
  (micros, offset, pattern) => print(itemsOf(pattern), fieldsOf(micros, offset)),
);

const itemsOf = remember((pattern) => readPattern(pattern, "format"));

interface Fields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly dayOfYear: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly micro: number;
  readonly offset: number;
}

const DAY_MICROS = 86_400_000_000n;

function fieldsOf(micros: bigint, offset: number): Fields {
  const time = Number(((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS);
  const days = Number((micros - BigInt(time)) / DAY_MICROS);
  const date = new Date(days * 86_400_000);
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  const seconds = Math.floor(time / 1_000_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    dayOfYear: (date.getTime() - start.getTime()) / 86_400_000 + 1,
    weekday: (date.getUTCDay() + 6) % 7,
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    micro: time % 1_000_000,
    offset,
  };
}

function print(items: readonly PatternItem[], fields: Fields): string {
  return items
    .map((item) => {
      if (item.kind === "literal") return item.text;
      return item.kind === "optional" ? print(item.items, fields) : printField(item.letter, item.count, fields);
    })
    .join("");
}

function printField(letter: string, count: number, f: Fields): string {
  const digits = (value: number) => String(value).padStart(count, "0");
  switch (letter) {
    case "y":
      return printYear(f.year, count);
    case "M":
    case "L":
      return named(MONTHS[f.month - 1] ?? "", f.month, count);
    case "d":
      return digits(f.day);
    case "D":
      return digits(f.dayOfYear);
    case "H":
      return digits(f.hour);
    case "k":
      return digits(f.hour === 0 ? 24 : f.hour);
    case "K":
      return digits(f.hour % 12);
    case "h":
      return digits(f.hour % 12 === 0 ? 12 : f.hour % 12);
    case "m":
      return digits(f.minute);
    case "s":
      return digits(f.second);
    case "S":
      return String(f.micro).padStart(6, "0").padEnd(9, "0").slice(0, count);
    case "a":
      return f.hour < 12 ? "AM" : "PM";
    case "E": {
      const name = DAYS[f.weekday] ?? "";
      return count < 4 ? name.slice(0, 3) : name;
    }
    case "Q":
    case "q": {
      const quarter = Math.ceil(f.month / 3);
      if (count < 3) return digits(quarter);
      return count === 3 ? `Q${quarter}` : `${quarter}${["st", "nd", "rd", "th"][quarter - 1]} quarter`;
    }
    case "G": {
      const after = f.year > 0;
      return count < 4 ? (after ? "AD" : "BC") : after ? "Anno Domini" : "Before Christ";
    }
    default:
      return printOffset(letter, count, f.offset);
  }
}

function printYear(year: number, count: number): string {
  if (count === 2) return String(((year % 100) + 100) % 100).padStart(2, "0");
  const text = String(Math.abs(year)).padStart(count, "0");
  if (year < 0) return `-${text}`;
  return count >= 4 && text.length > count ? `+${text}` : text;
}

function named(name: string, value: number, count: number): string {
  if (count < 3) return String(value).padStart(count, "0");
  return count === 3 ? name.slice(0, 3) : name;
}

/** `X` writes Z for UTC; `x` and `Z` do not. */
function printOffset(letter: string, count: number, offset: number): string {
  if (letter === "X" && offset === 0) return "Z";
  const total = Math.abs(offset);
  const [hours, minutes, seconds] = [total / 3600, (total / 60) % 60, total % 60].map((v) =>
    String(Math.floor(v)).padStart(2, "0"),
  );
  const sign = offset < 0 ? "-" : "+";
  if (letter === "Z") return `${sign}${hours}${minutes}`;
  if (count === 1) return `${sign}${hours}${minutes === "00" ? "" : minutes}`;
  const colon = count === 3 || count === 5 ? ":" : "";
  return `${sign}${hours}${colon}${minutes}${count > 3 && seconds !== "00" ? `${colon}${seconds}` : ""}`;
}
