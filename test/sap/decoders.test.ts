import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caseQuery, sourcesOf, text } from "./decoder-cases.js";
import { type DecoderSession, openDecoders } from "./decoder-session.js";
import { expectValues, fixed, sample } from "./expect-values.js";
import { HOSTILE_CASES } from "./hostile-cases.js";

/** Each decoder beside a model of it that was written without it: digit by digit, with whole numbers. */

let session: DecoderSession;
beforeAll(async () => {
  session = await openDecoders();
});
afterAll(() => session.close());

describe("sap_date", () => {
  const pad = (n: number, width: number) => String(n).padStart(width, "0");
  const days = (year: number, month: number) =>
    month === 2
      ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
        ? 29
        : 28
      : [4, 6, 9, 11].includes(month)
        ? 30
        : 31;
  const parts = fc.record({
    year: fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(1900, 2000, 2024, 9999)),
    month: fc.integer({ min: 0, max: 13 }),
    day: fc.integer({ min: 0, max: 32 }),
  });
  it.each<[string, (y: string, m: string, d: string) => string]>([
    ["YYYYMMDD", (y, m, d) => `${y}${m}${d}`],
    ["YYYY-MM-DD", (y, m, d) => `${y}-${m}-${d}`],
    ["DD.MM.YYYY", (y, m, d) => `${d}.${m}.${y}`],
    ["MM/DD/YYYY", (y, m, d) => ` ${m}/${d}/${y} `],
  ])("%s is a day of the calendar, or malformed", async (format, write) => {
    await expectValues(
      session,
      { decoder: "date", types: ["STRING"], constants: { format } },
      sample(parts, 600),
      ({ year, month, day }) => [text(write(pad(year, 4), pad(month, 2), pad(day, 2)))],
      ({ year, month, day }) => {
        if (year === 0 && month === 0 && day === 0) return null;
        const isDay = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days(year, month);
        return isDay ? `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` : undefined;
      },
    );
  });
  it("of an inverted date is 99999999 less it", async () => {
    await expectValues(
      session,
      { decoder: "gdatu", types: ["STRING"], constants: {} },
      sample(
        fc.date({ min: new Date("1900-01-01T00:00:00Z"), max: new Date("2100-12-31T00:00:00Z"), noInvalidDate: true }),
      ),
      (date) => [text(String(99999999 - Number(date.toISOString().slice(0, 10).replaceAll("-", ""))))],
      (date) => date.toISOString().slice(0, 10),
    );
  });
});

describe("sap_time", () => {
  it("is a time of a day, or its end", async () => {
    const unit = fc.integer({ min: 0, max: 61 });
    const two = (n: number) => String(n).padStart(2, "0");
    await expectValues(
      session,
      { decoder: "time", types: ["STRING"], constants: {} },
      sample(
        fc.tuple(fc.integer({ min: 0, max: 26 }), fc.oneof(unit, fc.constant(0)), fc.oneof(unit, fc.constant(0))),
        500,
      ),
      ([h, m, s]) => [text(`${two(h)}${two(m)}${two(s)}`)],
      ([h, m, s]) =>
        m < 60 && s < 60 && (h < 24 || (h === 24 && m + s === 0)) ? [h, m, s].map(two).join(":") : undefined,
    );
  });
});

/** Reads a number by its grammar, one character after another. */
function parseNumber(
  input: string,
  group: string,
  point: string,
  precision: number,
  scale: number,
): string | null | undefined {
  const trimmed = input.replace(/^ +| +$/g, "");
  if (trimmed === "") return null;
  const isSign = (c: string | undefined) => c === "+" || c === "-";
  const front = isSign(trimmed[0]);
  const back = isSign(trimmed.at(-1));
  if ((front && back) || trimmed === "+" || trimmed === "-") return undefined;
  const minus = (front ? trimmed[0] : back ? trimmed.at(-1) : "+") === "-";
  const [whole = "", decimals, ...more] = trimmed.slice(front ? 1 : 0, back ? -1 : undefined).split(point);
  if (more.length > 0) return undefined;
  const digits = (s: string) => [...s].every((c) => c >= "0" && c <= "9");
  const groups = group === "" ? [whole] : whole.split(group);
  if (
    groups.length > 1 &&
    ((groups[0] ?? "").length > 3 || groups[0] === "" || groups.slice(1).some((g) => g.length !== 3))
  )
    return undefined;
  const plain = groups.join("");
  if (!digits(plain) || !digits(decimals ?? "") || (plain === "" && (decimals ?? "") === "")) return undefined;
  const [kept, lost] = [(decimals ?? "").slice(0, scale).padEnd(scale, "0"), (decimals ?? "").slice(scale)];
  if (/[1-9]/.test(lost)) return undefined;
  const unscaled = BigInt(`${plain}${kept}`);
  return unscaled >= 10n ** BigInt(precision) ? undefined : fixed(minus ? -unscaled : unscaled, scale);
}

describe("sap_number", () => {
  const FORMATS = { plain: ["", "."], us: [",", "."], eu: [".", ","], sp: [" ", ","] } as const;
  const character = fc.constantFrom(..."0123456789012345678900.,.,-+ E");
  const wild = fc.string({ unit: character, maxLength: 16 });
  const tame = fc
    .tuple(
      fc.constantFrom("", "-", "+", " "),
      fc.bigInt({ min: 0n, max: 10n ** 13n }),
      fc.constantFrom("", ",5", ".5", ".25", ",125", ".50000", ","),
      fc.constantFrom("", "-", " ", "+"),
    )
    .map(([before, whole, decimals, after]) => `${before}${whole}${decimals}${after}`);
  const grouped = fc
    .tuple(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.constantFrom(",", ".", " "),
      fc.constantFrom("", ".75", ",75"),
      fc.constantFrom("", "-"),
    )
    .map(([n, group, decimals, sign]) => `${`${n}`.replace(/\B(?=(?:\d{3})+$)/g, group)}${decimals}${sign}`);
  it.each(Object.entries(FORMATS))("%s is exact, or malformed", async (format, [group, point]) => {
    await expectValues(
      session,
      { decoder: "number", types: ["STRING"], constants: { precision: 13, scale: 2, format } },
      [...sample(wild, 800), ...sample(tame, 400), ...sample(grouped, 400)],
      (input) => [text(input)],
      (input) => parseNumber(input, group, point, 13, 2),
    );
  });
});

describe("sap_packed", () => {
  it("is its digits and its sign", async () => {
    const value = fc.record({
      digits: fc.bigInt({ min: 0n, max: 10n ** 13n - 1n }),
      sign: fc.constantFrom(..."ABCDEF"),
    });
    await expectValues(
      session,
      { decoder: "packed", types: ["BINARY"], constants: { precision: 13, scale: 3 } },
      sample(value),
      ({ digits, sign }) => [`X'${String(digits).padStart(13, "0")}${sign}'`],
      ({ digits, sign }) => fixed("BD".includes(sign) ? -digits : digits, 3),
    );
  });
  it("is malformed where a half byte is no digit, or the length another", async () => {
    const bytes = fc
      .uint8Array({ minLength: 0, maxLength: 4 })
      .map((b) => Buffer.from(b).toString("hex").toUpperCase());
    await expectValues(
      session,
      { decoder: "packed", types: ["STRING"], constants: { precision: 5, scale: 0 } },
      sample(bytes, 600),
      (hex) => [text(hex)],
      (hex) => {
        if (hex === "") return null;
        if (!/^\d{5}[A-F]$/.test(hex)) return undefined;
        return fixed(BigInt(hex.slice(0, 5)) * ("BD".includes(hex.charAt(5)) ? -1n : 1n), 0);
      },
    );
  });
});

describe("sap_zoned", () => {
  const value = fc.record({
    digits: fc.bigInt({ min: 0n, max: 10n ** 7n - 1n }),
    zone: fc.constantFrom("C", "D", "F"),
  });
  const padded = (digits: bigint) => String(digits).padStart(7, "0");
  const given = ({ digits, zone }: { digits: bigint; zone: string }) => fixed(zone === "D" ? -digits : digits, 2);
  const hex = ({ digits, zone }: { digits: bigint; zone: string }) =>
    [...padded(digits)].map((digit, i) => `${i === 6 ? zone : "F"}${digit}`).join("");
  it("in EBCDIC is a digit a byte, and its sign in the last zone", async () => {
    const constants = { precision: 7, scale: 2 };
    await expectValues(
      session,
      { decoder: "zoned", types: ["BINARY"], constants },
      sample(value),
      (v) => [`X'${hex(v)}'`],
      given,
    );
    await expectValues(
      session,
      { decoder: "zoned", types: ["STRING"], constants: { ...constants, format: "hex" } },
      sample(value),
      (v) => [text(hex(v).toLowerCase())],
      given,
    );
  });
  it("in ASCII has its sign in a letter or brace", async () => {
    const shown = { C: "{ABCDEFGHI", D: "}JKLMNOPQR", F: "0123456789" };
    await expectValues(
      session,
      { decoder: "zoned", types: ["STRING"], constants: { precision: 7, scale: 2 } },
      sample(value),
      ({ digits, zone }) => [
        text(`${padded(digits).slice(0, 6)}${shown[zone as "C" | "D" | "F"].charAt(Number(padded(digits).charAt(6)))}`),
      ],
      given,
    );
  });
  it("is malformed where a byte is none of these, or the length another", async () => {
    await expectValues(
      session,
      { decoder: "zoned", types: ["STRING"], constants: { precision: 3, scale: 0 } },
      sample(fc.string({ unit: fc.constantFrom(..."0123456789{}AIJRSa -"), maxLength: 4 }), 600),
      (input) => [text(input)],
      (input) => {
        const trimmed = input.replace(/^ +| +$/g, "");
        if (trimmed === "") return null;
        const [, digits = "", last = ""] = /^(\d\d)([0-9{}A-IJ-R])$/.exec(trimmed) ?? [];
        if (last === "") return undefined;
        const unit = /\d/.test(last) ? last : String(Math.max("{ABCDEFGHI".indexOf(last), "}JKLMNOPQR".indexOf(last)));
        return fixed(BigInt(`${digits}${unit}`) * ("}JKLMNOPQR".includes(last) ? -1n : 1n), 0);
      },
    );
  });
});

describe("keys", () => {
  const key = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 14 }),
    fc.string({ unit: fc.constantFrom(..."0123456789A- "), maxLength: 12 }),
  );
  it("sap_alpha gives both forms of one number the same text", async () => {
    await expectValues(
      session,
      { decoder: "alpha", types: ["STRING"], constants: { length: 10 } },
      sample(key, 600),
      (input) => [text(input)],
      (input) => {
        const trimmed = input.replace(/^ +| +$/g, "");
        if (!/^\d+$/.test(trimmed)) return trimmed.length > 10 ? undefined : trimmed;
        const number = String(BigInt(trimmed));
        return number.length > 10 ? undefined : number.padStart(10, "0");
      },
    );
  });
  it("sap_raw gives the same digits for hexadecimal, Base64 and bytes", async () => {
    const bytes = sample(fc.uint8Array({ minLength: 1, maxLength: 20 }), 200).map((b) => Buffer.from(b));
    const hex = (b: Buffer) => b.toString("hex").toUpperCase();
    await expectValues(
      session,
      { decoder: "raw", types: ["STRING"], constants: { format: "base64" } },
      bytes,
      (b) => [text(b.toString("base64"))],
      hex,
    );
    await expectValues(
      session,
      { decoder: "raw", types: ["STRING"], constants: {} },
      bytes,
      (b) => [text(`0x${b.toString("hex")}`)],
      hex,
    );
    await expectValues(
      session,
      { decoder: "raw", types: ["BINARY"], constants: {} },
      bytes,
      (b) => [`X'${hex(b)}'`],
      hex,
    );
  });
});

describe("amounts", () => {
  it("sap_curr moves the point once, and loses no digit", async () => {
    const input = fc.tuple(
      fc.bigInt({ min: -(10n ** 13n) + 1n, max: 10n ** 13n - 1n }),
      fc.integer({ min: 0, max: 6 }),
    );
    await expectValues(
      session,
      { decoder: "curr", types: ["DECIMAL(13,2)", "INT"], constants: { scale: 3 } },
      sample(input, 500),
      ([stored, decimals]) => [fixed(stored, 2), String(decimals)],
      ([stored, decimals]) => {
        if (decimals > 5) return undefined;
        // stored / 100 * 10^(2 - decimals), in thousandths.
        const [over, under] = [stored * 1000n, 10n ** BigInt(decimals)];
        return over % under === 0n ? fixed(over / under, 3) : undefined;
      },
    );
  });
  describe("sap_convert rounds the exact quotient half up, once", () => {
    const factor = fc.constantFrom(1n, 10n, 100n, 1000n, 3n, 7n);
    const input = fc.record({
      amount: fc.oneof(
        fc.bigInt({ min: -(10n ** 13n) + 1n, max: 10n ** 13n - 1n }),
        fc.bigInt({ min: -999n, max: 999n }),
      ),
      rate: fc.oneof(
        fc.bigInt({ min: -999_999_999n, max: 999_999_999n }),
        fc.constantFrom(-200_000n, -300_000n, -1n, 50_000n, 12_500n),
      ),
      ffact: factor,
      tfact: factor,
    });
    type Input = typeof input extends fc.Arbitrary<infer T> ? T : never;
    const literals = ({ amount, rate, ffact, tfact }: Input) => [
      fixed(amount, 2),
      fixed(rate, 5),
      String(ffact),
      String(tfact),
    ];
    /** In units of the last place: amount * rate / 10^(7 - decimals), or amount * 10^(3 + decimals) / |rate|. */
    const units = ({ amount, rate, ffact, tfact }: Input, decimals: bigint) => {
      if (rate === 0n) return undefined;
      const [over, under] =
        rate > 0n
          ? [amount * rate * tfact, 10n ** (7n - decimals) * ffact]
          : [amount * 10n ** (3n + decimals) * tfact, -rate * ffact];
      const absolute = over < 0n ? -over : over;
      const rounded = (2n * absolute + under) / (2n * under);
      return over < 0n ? -rounded : rounded;
    };
    const types = ["DECIMAL(13,2)", "DECIMAL(9,5)", "INT", "INT"];

    it("to decimals that are a constant", async () => {
      await expectValues(
        session,
        { decoder: "convert", types, constants: { decimals: 2 } },
        sample(input, 800),
        literals,
        (given) => {
          const found = units(given, 2n);
          return found === undefined ? undefined : fixed(found, 2);
        },
      );
    });

    it("to the decimals of each row, as far as the scale has room", async () => {
      await expectValues(
        session,
        { decoder: "convert", types: [...types, "INT"], constants: { scale: 3 } },
        sample(fc.tuple(input, fc.constantFrom(0, 1, 2, 3, 4, 5, 6, undefined)), 800),
        ([given, decimals]) => [...literals(given), decimals === undefined ? "NULL" : String(decimals)],
        ([given, decimals = 2]) => {
          const found = decimals > 3 ? undefined : units(given, BigInt(decimals));
          return found === undefined ? undefined : fixed(found * 10n ** BigInt(3 - decimals), 3);
        },
      );
    });
  });
});

describe("hostile values", () => {
  it("give a value, nothing or a reason, and never an error", async () => {
    for (const test of HOSTILE_CASES) {
      const rows = await session.rows(caseQuery(test, "call"), sourcesOf(test));
      expect(rows).toHaveLength(test.rows.length);
      expect(rows.filter(([, value, reason]) => value !== null && reason !== null)).toEqual([]);
    }
  });
});
