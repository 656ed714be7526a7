import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { registerHostFunctions } from "../../packages/ingot/src/engine/duckdb/host-functions.js";
import { type Field, formatType } from "../../packages/ingot/src/model/data-type.js";
import { sqlText } from "../../packages/ingot/src/model/position.js";
import { compileParsed } from "../../packages/ingot/src/sql/compile.js";
import { parseSchema } from "../../packages/ingot/src/sql/ddl-types.js";
import { MURMUR_INT } from "../../packages/ingot/src/sql/functions/host/hash.js";
import { parseQuery } from "../../packages/ingot/src/sql/parse/parse-query.js";
import { conditionOf } from "../../packages/ingot/src/sql/run-condition.js";
import { SESSION_SETUP } from "../../packages/ingot/src/sql/session.js";

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  registerHostFunctions(connection);
  await connection.run(`SET TimeZone='UTC';${SESSION_SETUP.join(";")}`);
});

/** Rows of a query over one relation, `t`, that holds these rows. */
async function rows(text: string, schema = "", values = ""): Promise<unknown[][]> {
  const parsed = parseQuery(sqlText(text));
  const schemas = new Map<string, readonly Field[]>(parsed.relations.map((r) => [r.id, parseSchema(schema)]));
  for (const { id } of parsed.relations) await connection.run(`CREATE OR REPLACE TEMP TABLE "${id}" AS ${values}`);
  const result = await connection.runAndReadAll(compileParsed(parsed, schemas).duckdb);
  return result.getRowsJson() as unknown[][];
}
const values = async (list: string) => (await rows(`SELECT ${list}`))[0];
async function condition(text: string, schema?: string, data?: string): Promise<string | undefined> {
  const error = await rows(text, schema, data).catch((e: unknown) => e);
  return error instanceof Error ? conditionOf(error.message) : undefined;
}

describe("an error that a query raises", () => {
  it.each([
    "CASE WHEN a > 1 THEN raise_error('stop') ELSE a END",
    "coalesce(CASE WHEN a < 0 THEN a END, raise_error('stop'))",
    "CAST(raise_error('stop') AS INT) + a",
    "if(a = 2, raise_error('stop'), a)",
  ])("has no type of its own: %s", async (text) => {
    expect(await condition(`SELECT ${text} FROM t`, "a INT", "SELECT 2 AS a")).toBe("USER_RAISED_EXCEPTION");
  });
  it("is that of a decoder where it names one", async () => {
    expect(await condition("SELECT sap_date('20230231')")).toBe("INVALID_DATE");
    expect(await condition("SELECT raise_error('[NO_REASON] stop')")).toBe("USER_RAISED_EXCEPTION");
  });
});

describe("a hash", () => {
  it("of many columns has a text that grows with them, and each hash is the seed of the next one", async () => {
    const columns = Array.from({ length: 60 }, (_, i) => (i % 7 === 3 ? "CAST(NULL AS INT)" : `${i * 1_000}`));
    const seeds = columns.reduce(
      (seed, _, i) => (i % 7 === 3 ? seed : Number(MURMUR_INT.run(...([i * 1_000, seed] as never[])))),
      42,
    );
    expect(await values(`hash(${columns.join(", ")})`)).toEqual([seeds]);
  });
});

describe("a regular expression that DuckDB reads as Java does", () => {
  const PATTERNS = [
    "^[0-9]{8}\\\\z",
    "^(?:[+-]?[0-9]+|[0-9]*[.][0-9]{1,2})\\\\z",
    "^(?:A|AB)?C*\\\\z",
    "^[A-F0-9 ]+\\\\z",
    "^[0-9]{3}$",
    "^(?:A|AB)?C*$",
    "^A|B$",
  ];
  it.each(PATTERNS)("%s finds the same as Java's rules", async (pattern) => {
    const any = fc.string({ unit: fc.constantFrom(..."0123459.+-ABCF \nß"), maxLength: 9 });
    const lines = fc
      .tuple(
        fc.constantFrom("123", "AB", "B", "ABCC", "A", ""),
        fc.array(fc.constantFrom("\n", "\r", "\u0085", "\u2028", "\u2029", "x"), { maxLength: 3 }),
      )
      .map(([text, ends]) => text + ends.join(""));
    const texts = fc.sample(fc.oneof(any, lines), { numRuns: 500, seed: 7 });
    const list = texts.map((t, i) => `(${i}, '${t.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}')`).join(", ");
    // What is no constant is left to Java's rules.
    const query = `SELECT i, s RLIKE '${pattern}' AS own, s RLIKE concat('${pattern}', left(s, 0)) AS java FROM VALUES ${list} AS v(i, s)`;
    const found = await rows(query);
    expect(found.filter(([, own, java]) => own !== java)).toEqual([]);
    expect(found).toHaveLength(texts.length);
  });
});

describe("decimal division", () => {
  it("is the exact quotient, half up, in Spark's digits", async () => {
    // decimal(9,2) / decimal(7,3) is decimal(20,10).
    const cents = fc.bigInt({ min: -9_999_999_99n, max: 9_999_999_99n });
    const thousandths = fc.bigInt({ min: -9_999_999n, max: 9_999_999n }).filter((n) => n !== 0n);
    await fc.assert(
      fc.asyncProperty(cents, thousandths, async (a, b) => {
        const text = `SELECT CAST('${fixed(a, 2)}' AS DECIMAL(9,2)) / CAST('${fixed(b, 3)}' AS DECIMAL(7,3)) AS q`;
        expect(await rows(text)).toEqual([[fixed(halfUp(a * 10n ** 11n, b), 10)]]);
      }),
      { numRuns: 60 },
    );
  });
  it("averages exactly", async () => {
    expect(
      await rows(
        "SELECT avg(d) AS a FROM t",
        "d DECIMAL(10,2)",
        "SELECT unnest([0.01, 0.01, 0.00])::DECIMAL(10,2) AS d",
      ),
    ).toEqual([["0.006667"]]);
  });
  it("averages wide decimals exactly", async () => {
    expect(await rows("SELECT avg(d) AS a FROM t", "d DECIMAL(34,18)", "SELECT '200.5'::DECIMAL(34,18) AS d")).toEqual([
      ["200.5000000000000000000000"],
    ]);
    // 9999999999999999999999999999999999 and half of it, whose digits with 4 more zeros leave 128 bits when summed.
    const wide = "SELECT unnest(['9999999999999999999999999999999999', '4999999999999999999999999999999998'])";
    expect(await rows("SELECT avg(d) AS a FROM t", "d DECIMAL(34,0)", `${wide}::DECIMAL(34,0) AS d`)).toEqual([
      ["7499999999999999999999999999999998.5000"],
    ]);
  });
  it("divides where the digits and the scale together exceed 38", async () => {
    // decimal(34,18) / decimal(1,0) is decimal(36,20).
    expect(await values("CAST('200.5' AS DECIMAL(34,18)) / CAST(2 AS DECIMAL(1,0)) AS q")).toEqual([
      "100.25000000000000000000",
    ]);
  });
});

describe("decimals of more than 18 digits", () => {
  const any = fc.oneof(
    fc.bigInt({ min: -(10n ** 29n), max: 10n ** 29n }),
    // Those that 64 bits hold.
    fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }),
  );

  it("are rounded half up, whatever their size", async () => {
    const digits = fc.sample(any, { numRuns: 400, seed: 3 });
    const texts = digits.map((value) => `'${fixed(value, 6)}'`).join(", ");
    const found = await rows(
      "SELECT CAST(d AS DECIMAL(27,2)) AS a, round(d, 1) AS b, try_cast(d AS DECIMAL(14,4)) AS c FROM t",
      "d DECIMAL(30,6)",
      `SELECT unnest([${texts}])::DECIMAL(30,6) AS d`,
    );
    const short = (value: bigint) => (value < 10n ** 14n && value > -(10n ** 14n) ? fixed(value, 4) : null);
    expect(found).toEqual(
      digits.map((value) => [
        fixed(halfUp(value, 10n ** 4n), 2),
        fixed(halfUp(value, 10n ** 5n), 1),
        short(halfUp(value, 100n)),
      ]),
    );
  });

  it("are refused where their type has no place for them", async () => {
    const cast = (value: string) =>
      condition("SELECT CAST(d AS DECIMAL(14,4)) FROM t", "d DECIMAL(30,6)", `SELECT ${value}::DECIMAL(30,6) AS d`);
    expect(await cast("9999999999.99994")).toBeUndefined();
    expect(await cast("9999999999.99995")).toBe("NUMERIC_VALUE_OUT_OF_RANGE");
  });

  it("stand in a text with or without exponent", async () => {
    const texts = ["1E5", "-1.5e2", "1E-2", "100000", ".5", "1E32"];
    const list = texts.map((text) => `CAST('${text}' AS DECIMAL(38,4))`).join(", ");
    expect(await values(list)).toEqual([
      "100000.0000",
      "-150.0000",
      "0.0100",
      "100000.0000",
      "0.5000",
      `1${"0".repeat(32)}.0000`,
    ]);
  });
});

function fixed(value: bigint, scale: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
function halfUp(n: bigint, d: bigint): bigint {
  const [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  const quotient = (a + b / 2n) / b;
  return n < 0n === d < 0n ? quotient : -quotient;
}

describe("errors of ANSI mode", () => {
  it.each([
    ["1 / 0", "DIVIDE_BY_ZERO"],
    ["1.5 / 0.0", "DIVIDE_BY_ZERO"],
    ["1D / 0", "DIVIDE_BY_ZERO"],
    ["1 DIV 0", "DIVIDE_BY_ZERO"],
    ["1 % 0", "REMAINDER_BY_ZERO"],
    ["2147483647 + 1", "ARITHMETIC_OVERFLOW"],
    ["127Y * 2Y", "BINARY_ARITHMETIC_OVERFLOW"],
    ["-9223372036854775807 - 2", "ARITHMETIC_OVERFLOW"],
    ["CAST('12.5' AS INT)", "CAST_INVALID_INPUT"],
    ["CAST('' AS DECIMAL(5,2))", "CAST_INVALID_INPUT"],
    ["CAST('1_0' AS INT)", "CAST_INVALID_INPUT"],
    ["CAST('0x1p3' AS DOUBLE)", "NOT_SUPPORTED"],
    ["TRY_CAST(' -0X.8P-2f ' AS FLOAT)", "NOT_SUPPORTED"],
    ["CAST('0x10' AS DOUBLE)", "CAST_INVALID_INPUT"],
    ["CAST('2026-01-01 10:00:00 Europe/Berlin' AS TIMESTAMP)", "NOT_SUPPORTED"],
    ["CAST('2026-01-01 10:00:00 UTC+2:00' AS TIMESTAMP)", "NOT_SUPPORTED"],
    ["CAST('2026-01-01 10:00:00+2' AS TIMESTAMP)", "NOT_SUPPORTED"],
    ["CAST('+2026-01-01' AS TIMESTAMP)", "NOT_SUPPORTED"],
    ["CAST('10:00:00' AS TIMESTAMP)", "NOT_SUPPORTED"],
    ["CAST('2026-01-01T' AS TIMESTAMP)", "CAST_INVALID_INPUT"],
    ["CAST('2026-01-01 10:00Z' AS TIMESTAMP)", "CAST_INVALID_INPUT"],
    ["CAST('2026-02-30 10:00:00' AS TIMESTAMP)", "CAST_INVALID_INPUT"],
    ["CAST('2026-01-01 24:00:00' AS TIMESTAMP)", "CAST_INVALID_INPUT"],
    ["CAST('soon' AS TIMESTAMP)", "CAST_INVALID_INPUT"],
    ["CAST('1000.00' AS DECIMAL(5,2))", "NUMERIC_VALUE_OUT_OF_RANGE"],
    ["CAST(1000 AS DECIMAL(5,2))", "NUMERIC_VALUE_OUT_OF_RANGE"],
    ["CAST(99999999999 AS INT)", "CAST_OVERFLOW"],
    ["CAST(3e9 AS INT)", "CAST_OVERFLOW"],
    ["to_date('2024-02-30', 'yyyy-MM-dd')", "CANNOT_PARSE_TIMESTAMP"],
    ["try_to_date('+12024-01-05', 'yyyy-MM-dd')", "NOT_SUPPORTED"],
    ["try_to_timestamp('-2024-01-05', 'yyyy-MM-dd')", "NOT_SUPPORTED"],
    ["to_date('05+12024', 'ddyyyy')", "NOT_SUPPORTED"],
    ["array(1)[1]", "INVALID_ARRAY_INDEX"],
    ["element_at(array(1), 2)", "INVALID_ARRAY_INDEX_IN_ELEMENT_AT"],
    ["(SELECT col1 FROM VALUES (1), (2))", "SCALAR_SUBQUERY_TOO_MANY_ROWS"],
  ])("%s", async (text, code) => {
    expect(await condition(`SELECT ${text} AS v`)).toBe(code);
  });
  it("a sum beyond BIGINT", async () => {
    const data = "SELECT unnest([9223372036854775807, 1])::BIGINT AS b";
    expect(await condition("SELECT sum(b) AS s FROM t", "b BIGINT", data)).toBe("ARITHMETIC_OVERFLOW");
  });
  it("NULL divided by zero is NULL", async () => {
    expect(await values("NULL / 0 AS a, CAST(NULL AS INT) % 0 AS b")).toEqual([null, null]);
  });
});

describe("a condition guards what comes after it", () => {
  const data = "SELECT * FROM (VALUES (1, 0), (6, 3)) AS v(a, b)";
  it.each([
    ["SELECT a FROM t WHERE b <> 0 AND a / b > 1", [[6]]],
    ["SELECT a FROM t WHERE b = 0 OR a / b > 1", [[1], [6]]],
    ["SELECT b <> 0 AND a / b > 1 AS v FROM t", [[false], [true]]],
    ["SELECT b = 0 OR a / b > 1 AS v FROM t", [[true], [true]]],
    ["SELECT CASE WHEN b <> 0 THEN a / b END AS v FROM t", [[null], [2]]],
    ["SELECT coalesce(a, a / b) AS v FROM t", [[1], [6]]],
    ["SELECT a FROM (SELECT * FROM t WHERE b <> 0) WHERE a / b > 1", [[6]]],
  ])("%s", async (text, expected) => {
    expect(await rows(text, "a INT, b INT", data)).toEqual(expected);
  });
});

describe("relations beside each other", () => {
  it.each([
    [
      "SELECT * FROM VALUES (1) AS a(x), VALUES (2) AS b(y) RIGHT JOIN VALUES (3) AS c(z) ON c.z = b.y",
      [[null, null, 3]],
    ],
    ["SELECT x.a FROM VALUES (1) AS x(a), VALUES (2) AS u(b) LEFT JOIN VALUES (1) AS y(c) ON x.a = y.c", [[1]]],
    ["SELECT x FROM VALUES (1) AS t(x) CROSS JOIN VALUES (1), (2) AS u(y) ON x = y", [[1]]],
    ["VALUES (1, 'a') AS t(x, y)", [[1, "a"]]],
  ])("%s", async (text, expected) => {
    expect(await rows(text)).toEqual(expected);
  });
});

describe("what Spark leaves open has one result", () => {
  const schema = "k INT, o INT, v STRING";
  const orders = [
    "(1, 5, 'x'), (1, 5, NULL), (1, 5, 'y'), (1, NULL, 'z')",
    "(1, NULL, 'z'), (1, 5, 'y'), (1, 5, NULL), (1, 5, 'x')",
  ];
  const all = async (text: string) => {
    const results = [];
    for (const list of orders) results.push(await rows(text, schema, `SELECT * FROM (VALUES ${list}) AS v(k, o, v)`));
    expect(results[1]).toEqual(results[0]);
    return results[0];
  };
  it("max_by takes the greatest value of a tie, min_by the least, NULL being less than any", async () => {
    expect(await all("SELECT max_by(v, o), min_by(v, o) FROM t")).toEqual([["y", null]]);
  });
  it("row_number looks at the other columns", async () => {
    expect(await all("SELECT v, row_number() OVER (PARTITION BY k ORDER BY o DESC) AS n FROM t ORDER BY n")).toEqual([
      [null, 1],
      ["x", 2],
      ["y", 3],
      ["z", 4],
    ]);
  });
  it("LIMIT takes the first rows by all columns", async () => {
    expect(await all("SELECT v FROM t ORDER BY o DESC LIMIT 2")).toEqual([[null], ["x"]]);
  });
});

describe("values as Spark has them", () => {
  it.each([
    ["upper('straße')", "STRASSE"],
    ["substring('hello', -3, 2)", "ll"],
    ["substring('hello', -10, 7)", "he"],
    ["substring('hello', 0, 2)", "he"],
    ["trim('  a\t ')", "a\t"],
    ["ltrim('0', '0012')", "12"],
    ["lpad('abc', 2, ' ')", "ab"],
    ["CAST(CAST(0.5 AS DECIMAL(2,2)) AS STRING)", "0.50"],
    ["CAST(-1.999 AS INT)", -1],
    ["CAST(2.345 AS DECIMAL(5,2))", "2.35"],
    ["TRY_CAST(' 42 ' AS INT)", 42],
    ["TRY_CAST('2024-02-30' AS DATE)", null],
    ["CAST(TIMESTAMP '2024-01-31 13:45:06.789' AS STRING)", "2024-01-31 13:45:06.789"],
    ["CAST(TIMESTAMP '2024-01-31 13:45:00' AS STRING)", "2024-01-31 13:45:00"],
    ["'a%b' LIKE 'a\\%b'", true],
    ["try_to_date('2024-1-05', 'yyyy-MM-dd')", null],
    ["try_to_date('+2024-01-05', 'yyyy-MM-dd')", null],
    ["try_to_date('12024-01-05', 'yyyy-MM-dd')", null],
    ["trim(BOTH 'x' FROM 'xax')", "a"],
    ["trim(TRAILING 'a' FROM 'aba')", "ab"],
    ["trim(LEADING FROM '  a ')", "a "],
    ["substring('hello' FROM -3 FOR 2)", "ll"],
    ["position('b' IN 'abc')", 2],
    ["position('' IN '')", 1],
    ["extract(DOW FROM DATE '2024-02-05')", 2],
    ["extract(QTR FROM DATE '2024-02-05')", 1],
    ["extract(HOUR FROM TIMESTAMP '2024-02-05 03:04:05')", 3],
    ["CAST(NULL AS BOOLEAN) IS NOT TRUE", true],
    ["'true' IS TRUE", true],
    ["x'1F' = x '1F'", true],
    ["1 IN ((SELECT 1))", true],
    ["current_date = current_date()", true],
    ["try_to_timestamp('20240131 240000', 'yyyyMMdd HHmmss')", null],
    ["7 DIV -2", "-3"],
    ["-7 % 3", -1],
  ])("%s", async (text, expected) => {
    expect(await values(`${text} AS v`)).toEqual([expected]);
  });
});

describe("strings as moments, in UTC", () => {
  it.each([
    ["2026", "2026-01-01 00:00:00"],
    ["2026-3", "2026-03-01 00:00:00"],
    ["2026-01-01T10", "2026-01-01 10:00:00"],
    ["2026-1-2 1:2", "2026-01-02 01:02:00"],
    ["2026-01-01 10:00:00.1234567", "2026-01-01 10:00:00.123456"],
    ["2026-01-01 10:00:00.9999999Z", "2026-01-01 10:00:00.999999"],
    ["2026-01-01 10:00:00.", "2026-01-01 10:00:00"],
    ["2026-01-01 10:00:00 UTC", "2026-01-01 10:00:00"],
    ["2026-01-01 10:00:00 GMT", "2026-01-01 10:00:00"],
    ["2026-01-01 10:00:00 UT", "2026-01-01 10:00:00"],
    ["2026-01-01 10:00:00+0200", "2026-01-01 08:00:00"],
    ["2026-01-01T10:00:00+02", "2026-01-01 08:00:00"],
    ["2026-01-01 10:00:00.5 -02:30", "2026-01-01 12:30:00.5"],
    ["2026-01-01 10:00:00UTC+02", "2026-01-01 08:00:00"],
    ["2026-01-01 10:00:00 GMT-0130", "2026-01-01 11:30:00"],
  ])("%s", async (text, expected) => {
    expect(await values(`CAST(CAST('${text}' AS TIMESTAMP) AS STRING) AS v`)).toEqual([expected]);
  });
});

describe("floor and ceil of decimals", () => {
  it.each([
    ["floor(CAST(1 AS DECIMAL(38,0)))", "decimal(38,0)", "1"],
    ["ceil(CAST(7 AS DECIMAL(5,0)))", "decimal(5,0)", "7"],
    ["floor(CAST('-1.5' AS DECIMAL(5,2)))", "decimal(4,0)", "-2"],
    ["ceil(CAST('9.5' AS DECIMAL(38,37)))", "decimal(2,0)", "10"],
    ["ceil(CAST('0.5' AS DECIMAL(38,38)))", "decimal(1,0)", "1"],
  ])("%s", async (text, type, expected) => {
    const [field] = compileParsed(parseQuery(sqlText(`SELECT ${text} AS v`)), new Map()).schema;
    expect(field && formatType(field.type)).toBe(type);
    expect(await values(`${text} AS v`)).toEqual([expected]);
  });
});
