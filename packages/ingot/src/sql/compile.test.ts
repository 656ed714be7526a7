import { describe, expect, it } from "vitest";
import { type Field, formatType } from "../model/data-type.js";
import { IngotError } from "../model/error.js";
import { sqlText } from "../model/position.js";
import type { CompiledQuery } from "../model/query.js";
import { compileParsed } from "./compile.js";
import { parseSchema } from "./ddl-types.js";
import { parseQuery } from "./parse/parse-query.js";

const TABLES: Readonly<Record<string, string>> = {
  bronze_orders:
    "order_id BIGINT, customer_id STRING, status STRING, amount DECIMAL(10,2), updated_at TIMESTAMP, _bad STRING",
  orders: "order_id BIGINT, customer_id STRING, status STRING, amount DECIMAL(10,2), updated_at TIMESTAMP",
  t: "a INT, b INT, s STRING, d DECIMAL(10,2), x DOUBLE, st STRUCT<f: INT, g: STRING>, m MAP<STRING,INT>",
  u: "a INT, c STRING",
};

async function compile(text: string): Promise<CompiledQuery> {
  const parsed = parseQuery(sqlText(text));
  const schemas = new Map<string, readonly Field[]>();
  for (const relation of parsed.relations) {
    const ddl = relation.kind === "table" ? TABLES[relation.name.join(".")] : undefined;
    if (ddl !== undefined) schemas.set(relation.id, parseSchema(ddl));
  }
  return compileParsed(parsed, schemas);
}
const columns = async (text: string) => (await compile(text)).schema.map((f) => `${f.name} ${formatType(f.type)}`);

async function failure(text: string): Promise<IngotError> {
  const error = await compile(text).catch((e: unknown) => e);
  if (error instanceof IngotError) return error;
  throw new Error(`${text} is not refused`);
}

describe("the shop", () => {
  it("bronze keeps every row", async () => {
    const bronze = await compile(`SELECT *, _metadata.file_name AS source_file, current_timestamp() AS loaded_at
      FROM STREAM read_files('landing', format => 'csv', header => true, enforceSchema => false,
        columnNameOfCorruptRecord => '_bad', schema => '${TABLES["bronze_orders"]}')`);
    expect(bronze.schema.map((f) => `${f.name} ${formatType(f.type)}`)).toEqual([
      "order_id bigint",
      "customer_id string",
      "status string",
      "amount decimal(10,2)",
      "updated_at timestamp",
      "_bad string",
      "source_file string",
      "loaded_at timestamp",
    ]);
    expect(bronze).toMatchObject({ preservesRows: true, deterministic: false });
    expect(bronze.reads).toMatchObject([{ id: "r0", kind: "files", stream: true }]);
  });
  it("names a record's place in its file beside Spark's _metadata, in no star", async () => {
    const files = "FROM read_files('landing', format => 'csv', schema => 'a INT')";
    expect(await columns(`SELECT *, _metadata.row_number, f._metadata.content_hash ${files} AS f`)).toEqual([
      "a int",
      "row_number bigint",
      "content_hash string",
    ]);
    const [metadata] = (await compile(`SELECT _metadata ${files}`)).schema;
    expect(formatType(metadata?.type ?? { kind: "void" })).not.toContain("row_number");
    expect((await failure(`SELECT row_number ${files}`)).code).toBe("UNRESOLVED_COLUMN.WITH_SUGGESTION");
  });
  it("silver takes a struct apart", async () => {
    const silver = `SELECT order_id, order.* FROM (
      SELECT order_id, max_by(struct(customer_id, status, amount, updated_at), updated_at) AS order
      FROM bronze_orders WHERE _bad IS NULL GROUP BY order_id)`;
    expect(await columns(silver)).toEqual([
      "order_id bigint",
      "customer_id string",
      "status string",
      "amount decimal(10,2)",
      "updated_at timestamp",
    ]);
    expect(await compile(silver)).toMatchObject({ preservesRows: false, deterministic: true });
  });
  it("gold sums", async () => {
    const gold =
      "SELECT customer_id, count(*) AS orders, sum(amount) AS spend FROM orders WHERE status != 'x' GROUP BY customer_id";
    expect(await columns(gold)).toEqual(["customer_id string", "orders bigint", "spend decimal(20,2)"]);
  });
});

describe("columns", () => {
  // As Spark 4.2 names them.
  it.each([
    ["A", "A"],
    ["t.a + 1", "(a + 1)"],
    ["-b", "(- b)"],
    ["+ b", "(+ b)"],
    ["a DIV b", "(a div b)"],
    ["s || 'x'", "concat(s, x)"],
    ["st.f", "f"],
    ["CAST(t.A AS STRING)", "A"],
    ["CAST(st.f AS STRING)", "CAST(st.f AS STRING)"],
    ["CAST(a + 1 AS STRING)", "CAST((a + 1) AS STRING)"],
    ["upper(CAST(a AS STRING))", "upper(CAST(a AS STRING))"],
    ["string(a + 1)", "(a + 1)"],
    ["a > 1 AND b > 1 AND a > 2 AND b > 2", "(((a > 1) AND (b > 1)) AND ((a > 2) AND (b > 2)))"],
    ["s LIKE 'a/%' ESCAPE '/'", "s LIKE a/% ESCAPE '/'"],
    ["trim('x', s)", "TRIM(BOTH x FROM s)"],
    ["trim(LEADING 'x' FROM s)", "TRIM(LEADING x FROM s)"],
    ["substring(s FROM 2)", "substring(s, 2, 2147483647)"],
    ["rpad(s, 5)", "rpad(s, 5,  )"],
    ["replace(s, 'a')", "replace(s, a, )"],
    ["round(d)", "round(d, 0)"],
    ["struct(a x, b)", "struct(a AS x, b)"],
    ["equal_null(a, b)", "equal_null(a, b)"],
    ["a IS NOT DISTINCT FROM b", "(a <=> b)"],
    ["(SELECT 1)", "scalarsubquery()"],
    ["(SELECT max(u.a) FROM u WHERE u.a = t.b AND u.a > t.a)", "scalarsubquery(b, a)"],
    ["EXISTS (SELECT 1 FROM u WHERE u.a = t.a)", "exists(a)"],
    ["a IN (SELECT u.a FROM u WHERE u.c = t.s)", "(a IN (listquery(s)))"],
    ["current_date", "current_date()"],
  ])("%s is called %s", async (text, name) => {
    expect((await compile(`SELECT ${text} FROM t`)).schema.map((f) => f.name)).toEqual([name]);
  });
  it("take the alias of an alias", async () => {
    expect(await columns("SELECT CAST(a AS STRING) AS p, p FROM u")).toEqual(["p string", "p string"]);
  });
  it.each(["(SELECT max(u.a + t.a) FROM u)"])("%s needs a name", async (text) => {
    expect((await failure(`SELECT ${text} FROM t`)).hint).toBe("Name it with AS.");
  });
  it("of a join see all that stands before it", async () => {
    const text = "SELECT * FROM (SELECT 1 AS a, 'a' AS b) x, u JOIN (SELECT 'a' AS c, 2 AS z) y USING (c)";
    expect(await columns(text)).toEqual(["c string", "a int", "b string", "a int", "z int"]);
  });
  it("USING puts its keys first", async () => {
    expect((await columns("SELECT * FROM u JOIN t USING (a)")).slice(0, 3)).toEqual(["a int", "c string", "b int"]);
  });
  it("may stand behind an alias of the same list", async () => {
    expect(await columns("SELECT a AS p, p + 1 AS q FROM u")).toEqual(["p int", "q int"]);
  });
  it("a star leaves columns out", async () => {
    expect(await columns("SELECT * EXCEPT (x, m, st, D) FROM t")).toEqual(["a int", "b int", "s string"]);
  });
});

describe("preservesRows", () => {
  it.each([
    ["SELECT a FROM t", true],
    ["WITH x AS (SELECT a FROM t) SELECT a + 1 AS b FROM (SELECT * FROM x)", true],
    ["SELECT a FROM t WHERE a = 1", false],
    ["SELECT DISTINCT a FROM t", false],
    ["SELECT a FROM t LIMIT 1", false],
    ["SELECT max(a) FROM t", false],
    ["SELECT t.a FROM t LEFT JOIN u ON t.a = u.a", false],
    ["SELECT a FROM t UNION ALL SELECT a FROM u", false],
  ])("%s", async (text, keeps) => {
    expect((await compile(text)).preservesRows).toBe(keeps);
  });
});

describe("errors tell the place, what is wrong and the next step", () => {
  it.each([
    [
      "SELECT nam FROM u JOIN t ON u.c = nam",
      "1:35 UNRESOLVED_COLUMN.WITH_SUGGESTION",
      "There is no column nam here. The columns are a, c, b, s, d, x, st, m.",
    ],
    ["SELECT\n  t.bb FROM t", "2:3 UNRESOLVED_COLUMN.WITH_SUGGESTION", "There is no column t.bb here. Did you mean b?"],
    [
      "SELECT a FROM t, u",
      "1:8 AMBIGUOUS_REFERENCE",
      "2 columns are called a. Put the table's name or alias before it.",
    ],
    [
      "SELECT a AS x, b AS x, x FROM t ORDER BY x",
      "1:42 AMBIGUOUS_REFERENCE",
      "x may mean more than one column. Name them apart with AS.",
    ],
    [
      "SELECT a + 1 AS a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
      "1:62 AMBIGUOUS_REFERENCE",
      "a may mean more than one column. Name them apart with AS.",
    ],
    ["SELECT st.h FROM t", "1:8 FIELD_NOT_FOUND", "The struct has no field h. Its fields are f, g."],
    [
      "SELECT a, max(b) FROM t GROUP BY s",
      "1:8 MISSING_AGGREGATION",
      "The column a is neither grouped nor aggregated. Add it to GROUP BY, or take max_by(a, …) or another aggregate of it.",
    ],
    [
      "SELECT a FROM t HAVING max(b) > 1",
      "1:8 MISSING_AGGREGATION",
      "The column a is neither grouped nor aggregated. Add it to GROUP BY, or take max_by(a, …) or another aggregate of it.",
    ],
    ["SELECT cout(*) FROM t", "1:8 UNRESOLVED_ROUTINE", "There is no function cout. Did you mean count?"],
    [
      "SELECT xpath(s, s) FROM t",
      "1:8 UNSUPPORTED_FUNCTION",
      "The function xpath is not supported yet. Take values out with regexp_extract, or make JSON of the file before it lands.",
    ],
    [
      "SELECT upper(s, s) FROM t",
      "1:8 WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
      "upper takes 1 argument, not 2. Check the arguments.",
    ],
    [
      "SELECT size(s) FROM t",
      "1:13 DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
      "size takes an ARRAY or MAP here, this is STRING. Cast the argument.",
    ],
    [
      "SELECT a FROM t WHERE s",
      "1:23 DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
      "A condition is BOOLEAN, this is STRING. Compare it with something.",
    ],
    [
      "SELECT a = true FROM t",
      "1:8 DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES",
      "= takes values of one type, these are INT and BOOLEAN. Bring them to one type with CAST.",
    ],
    [
      "SELECT s + NULL FROM t",
      "1:8 UNSUPPORTED_CLAUSE",
      "+ of STRING and NULL is not supported yet. Cast the string to a number.",
    ],
    [
      "SELECT to_number(c, '9a') FROM u",
      "1:21 INVALID_FORMAT",
      "The pattern 9a: a has no meaning. Write one such as '99,999.00', 'S9.9', '$9' or '9PR'.",
    ],
    [
      "SELECT sin(a) FROM t",
      "1:8 UNSUPPORTED_FUNCTION",
      "The function sin is not supported yet. The processor decides the last digit of Spark's result: compute it outside of the pipeline.",
    ],
    [
      "SELECT a FROM t UNION SELECT a, c FROM u",
      "1:23 NUM_COLUMNS_MISMATCH",
      "The sides of UNION have 1 and 2 columns. Select as many columns on both sides.",
    ],
    ["SELECT a FROM missing", "1:15 UNKNOWN_TABLE", "There is no table missing. Declare it, or check its name."],
    [
      "SELECT a FROM t WHERE sum(a) > 1",
      "1:23 UNSUPPORTED_CLAUSE",
      "An aggregate function cannot stand in WHERE. Use HAVING, or aggregate in a subquery.",
    ],
    [
      "SELECT DISTINCT a FROM t ORDER BY b",
      "1:35 UNSUPPORTED_CLAUSE",
      "ORDER BY a value that DISTINCT does not select is not supported yet. Add it to the select list.",
    ],
    [
      "SELECT '5' * '2' FROM t",
      "1:8 DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE",
      "* takes numbers, both sides are STRING. Cast them to a number.",
    ],
    [
      "SELECT s + s FROM t",
      "1:8 DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE",
      "+ takes numbers, both sides are STRING. Cast them to a number.",
    ],
    [
      "SELECT mod(s, '2') FROM t",
      "1:8 DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE",
      "% takes numbers, both sides are STRING. Cast them to a number.",
    ],
    [
      "SELECT ordr_id FROM orders",
      "1:8 UNRESOLVED_COLUMN.WITH_SUGGESTION",
      "There is no column ordr_id here. Did you mean order_id?",
    ],
    [
      "SELECT a FROM t WHERE NULL",
      "1:23 DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
      "A condition is BOOLEAN, this is NULL. Write false, or CAST(NULL AS BOOLEAN).",
    ],
    [
      "SELECT a FROM t GROUP BY a QUALIFY max(b) > 1",
      "1:36 UNSUPPORTED_CLAUSE",
      "An aggregate function cannot stand in QUALIFY. Give it a name in the select list, and use the name.",
    ],
    [
      "SELECT a FROM t GROUP BY a HAVING count(*) > 1 ORDER BY max(b)",
      "1:57 UNSUPPORTED_CLAUSE",
      "An aggregate function cannot stand in ORDER BY beside a HAVING over what is not selected. Give it a name in the select list, and order by the name.",
    ],
    ["SELECT a FROM t ORDER BY 5", "1:26 UNSUPPORTED_CLAUSE", "The select list has no place 5. It has one column."],
    [
      "SELECT * FROM t JOIN u USING (b)",
      "1:31 UNRESOLVED_COLUMN.WITHOUT_SUGGESTION",
      "The right side has no column b. USING names columns of both sides.",
    ],
    [
      "SELECT (SELECT a, b FROM t)",
      "1:9 NUM_COLUMNS_MISMATCH",
      "A subquery that is a value has one column. Select one column.",
    ],
    [
      "SELECT a FROM t ORDER BY m",
      "1:26 UNSUPPORTED_CLAUSE",
      "Sorting by MAP<STRING,INT> is not supported yet. Maps have no order.",
    ],
  ])("%s", async (text, code, words) => {
    const { at, code: own, message, hint } = await failure(text);
    expect([`${at?.line}:${at?.column} ${own}`, `${message}. ${hint}`]).toEqual([code, words]);
  });
  it.each(["s - '1'", "'5' / s", "'5' % '2'", "'5' DIV '2'", "try_divide(s, s)"])(
    "%s takes no strings",
    async (text) => {
      expect((await failure(`SELECT ${text} FROM t`)).code).toBe("DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE");
    },
  );
});

describe("conditions that may fail", () => {
  const chain = (terms: number, op: string) =>
    Array.from({ length: terms }, (_, i) => `b = ${i} ${op} a DIV b > ${i}`).join(` ${op} `);
  const nested = (levels: number): string =>
    levels === 0 ? "b = 0" : `((${nested(levels - 1)} OR a DIV b > ${levels}) AND a DIV b < ${levels})`;
  it.each([
    ["an OR as a value", (n: number) => `SELECT ${chain(n, "OR")} AS c FROM t`],
    ["an AND as a value", (n: number) => `SELECT ${chain(n, "AND")} AS c FROM t`],
    ["an OR in a filter", (n: number) => `SELECT a FROM t WHERE ${chain(n, "OR")}`],
    ["both in turn as a value", (n: number) => `SELECT ${nested(n)} AS c FROM t`],
    ["both in turn in a filter", (n: number) => `SELECT a FROM t WHERE a = 1 OR ${nested(n)}`],
  ])("%s: the text grows with their number", async (_, query) => {
    const length = async (n: number) => (await compile(query(n))).duckdb.length;
    const [few, more] = [await length(10), await length(20)];
    expect(more).toBeLessThan(2.5 * few);
  });
});
