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
    ["current_date", "current_date()"],
  ])("%s is called %s", async (text, name) => {
    expect((await compile(`SELECT ${text} FROM t`)).schema.map((f) => f.name)).toEqual([name]);
  });
  it("take the alias of an alias", async () => {
    expect(await columns("SELECT CAST(a AS STRING) AS p, p FROM u")).toEqual(["p string", "p string"]);
  });
  it.each(["(SELECT max(u.a) FROM u WHERE u.a = t.a)"])("%s needs a name", async (text) => {
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

describe("errors tell the place and the next step", () => {
  it.each([
    ["SELECT nam FROM u JOIN t ON u.c = nam", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "1:35"],
    ["SELECT\n  t.bb FROM t", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "2:3"],
    ["SELECT a FROM t, u", "AMBIGUOUS_REFERENCE", "1:8"],
    ["SELECT a AS x, b AS x, x FROM t ORDER BY x", "AMBIGUOUS_REFERENCE", "1:42"],
    ["SELECT a + 1 AS a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1", "AMBIGUOUS_REFERENCE", "1:62"],
    ["SELECT st.h FROM t", "FIELD_NOT_FOUND", "1:8"],
    ["SELECT a, max(b) FROM t GROUP BY s", "MISSING_AGGREGATION", "1:8"],
    ["SELECT a FROM t HAVING max(b) > 1", "MISSING_AGGREGATION", "1:8"],
    ["SELECT cout(*) FROM t", "UNRESOLVED_ROUTINE", "1:8"],
    ["SELECT xpath(s, s) FROM t", "UNSUPPORTED_FUNCTION", "1:8"],
    ["SELECT upper(s, s) FROM t", "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "1:8"],
    ["SELECT size(s) FROM t", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "1:13"],
    ["SELECT a FROM t WHERE s", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "1:23"],
    ["SELECT a = true FROM t", "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "1:8"],
    ...["'5' * '2'", "s + s", "s - '1'", "'5' / s", "'5' % '2'", "'5' DIV '2'", "mod(s, '2')", "try_divide(s, s)"].map(
      (text): [string, string, string] => [`SELECT ${text} FROM t`, "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE", "1:8"],
    ),
    ["SELECT s + NULL FROM t", "UNSUPPORTED_CLAUSE", "1:8"],
    ["SELECT avg(CAST(a AS DECIMAL(38,10))) FROM t", "UNSUPPORTED_FUNCTION", "1:12"],
    ["SELECT mean(CAST(a AS DECIMAL(35,0))) FROM t", "UNSUPPORTED_FUNCTION", "1:13"],
    ["SELECT a FROM t UNION SELECT a, c FROM u", "NUM_COLUMNS_MISMATCH", "1:23"],
    ["SELECT a FROM missing", "UNKNOWN_TABLE", "1:15"],
    ["SELECT a FROM t WHERE sum(a) > 1", "UNSUPPORTED_CLAUSE", "1:23"],
    ["SELECT DISTINCT a FROM t ORDER BY b", "UNSUPPORTED_CLAUSE", "1:35"],
  ])("%s", async (text, code, at) => {
    const error = await failure(text);
    expect([error.code, `${error.at?.line}:${error.at?.column}`]).toEqual([code, at]);
    expect(error.hint).toBeTruthy();
  });
  it("offers the near name", async () => {
    expect((await failure("SELECT ordr_id FROM orders")).hint).toBe("Did you mean order_id?");
    expect((await failure("SELECT cout(*) FROM t")).hint).toBe("Did you mean count?");
  });
});
