import fc from "fast-check";

/** Kinds of the expressions that are made, by the type of their values. */
const KINDS = [
  "int",
  "bigint",
  "decimal",
  "double",
  "string",
  "date",
  "timestamp",
  "boolean",
  "array",
  "struct",
] as const;
type Kind = (typeof KINDS)[number];

/** A table `p` with a column of each kind: ordinary values, edges and NULL. */
const RANDOM_TABLE = `CREATE OR REPLACE TEMP VIEW p AS SELECT id, i, CAST(l AS BIGINT) AS l, CAST(m AS DECIMAL(12,3)) AS m,
 CAST(d AS DOUBLE) AS d, s, CAST(t AS DATE) AS t, CAST(ts AS TIMESTAMP) AS ts, b, a, named_struct('a', i, 'b', s) AS st FROM VALUES
 (1, 7, 100, '12.345', '2.5', 'Abc 12', '2024-02-29', '2024-02-29 23:59:59.5', true, array(3, 1, 2)),
 (2, -3, -5000000000, '-0.001', '-0.0', ' straße ', '1999-12-31', '2024-03-31 01:30:00', false, array(5, CAST(NULL AS INT), 5)),
 (3, 0, 0, '0.000', '1e20', '', '1970-01-01', '1970-01-01 00:00:00', true, array()),
 (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
 (5, 40, 9, '999999999.999', '0.1', '17', '2024-12-30', '1969-12-31 23:59:59.999999', false, array(-1))
 AS v(id, i, l, m, d, s, t, ts, b, a)`;

const LEAVES: Readonly<Record<Kind, readonly string[]>> = {
  int: ["i", "id", "st.a", "0", "1", "-2", "12", "CAST(NULL AS INT)"],
  bigint: ["l", "l", "3000000000", "-1L", "CAST(NULL AS BIGINT)"],
  decimal: ["m", "m", "1.5", "-0.25", "100.00", "0.001", "CAST(7 AS DECIMAL(5,2))", "CAST(NULL AS DECIMAL(10,2))"],
  double: ["d", "d", "0.5D", "-1e3D", "3D", "CAST('NaN' AS DOUBLE)"],
  string: ["s", "s", "st.b", "'a'", "''", "'12'", "'x y'", "'ÄÖ'", "CAST(NULL AS STRING)"],
  date: ["t", "t", "DATE '2024-01-31'", "DATE '1900-03-01'", "CAST(NULL AS DATE)"],
  timestamp: ["ts", "ts", "TIMESTAMP '2024-10-27 00:30:00'", "CAST(NULL AS TIMESTAMP)"],
  boolean: ["b", "true", "false", "CAST(NULL AS BOOLEAN)"],
  array: ["a", "a", "array(1, 2)", "array(i, id)", "CAST(NULL AS ARRAY<INT>)"],
  struct: ["st", "named_struct('a', 1, 'b', 'z')"],
};

/** `{kind}` stands for an expression of that kind. */
const NODES: Readonly<Record<Kind, readonly string[]>> = {
  int: `({int} + {int});({int} - {int});({int} * {int});({int} % 7);(- {int});abs({int});length({string});size({array})
    ;year({date});month({date});dayofweek({date});datediff({date}, {date});instr({string}, {string});hour({timestamp})
    ;CAST({decimal} AS INT);try_cast({string} AS INT);greatest({int}, {int});least({int}, {int}, {int});pmod({int}, 5)
    ;try_element_at({array}, 1);{struct}.a;({int} & {int});({int} | {int});levenshtein({string}, {string});ascii({string})
    ;nullif({int}, {int});quarter({date});dayofyear({date});minute({timestamp});CAST({boolean} AS INT);try_add({int}, {int})
    ;aggregate({array}, 0, (acc, x) -> acc + coalesce(x, 0));element_at({array}, -1);weekofyear({date})`.split(";"),
  bigint: `({int} + {bigint});({bigint} - {int});({bigint} * {int});CAST({int} AS BIGINT);({int} DIV 3);({bigint} % 11)
    ;abs({bigint});CAST({timestamp} AS BIGINT);array_position({array}, {int});unix_date({date});floor({int} / 2)
    ;try_cast({string} AS BIGINT);({bigint} DIV {int});round({bigint}, -1);unix_timestamp({timestamp})`.split(";"),
  decimal:
    `({decimal} + {decimal});({decimal} - {decimal});({decimal} * {decimal});({decimal} / {decimal});({decimal} % 1.5)
    ;({int} + {decimal});({decimal} * {int});CAST({int} AS DECIMAL(12,3));CAST({decimal} AS DECIMAL(20,6));round({decimal}, 1)
    ;(- {decimal});abs({decimal});greatest({decimal}, {int});bround({decimal}, 2);try_cast({string} AS DECIMAL(10,2))
    ;nullif({decimal}, 0);try_divide({decimal}, {decimal});floor({decimal});ceil({decimal}, 1);CAST({double} AS DECIMAL(30,3))`.split(
      ";",
    ),
  double: `({double} + {double});({double} * {double});({double} - {decimal});({int} / {int});({double} / {double})
    ;CAST({int} AS DOUBLE);CAST({decimal} AS DOUBLE);abs({double});(- {double});sqrt(abs({double}));round({double}, 2)
    ;nanvl({double}, {double});greatest({double}, {int});try_cast({string} AS DOUBLE);try_divide({int}, {int})
    ;CAST({timestamp} AS DOUBLE);({double} % 3)`.split(";"),
  string: `upper({string});lower({string});concat({string}, {string});({string} || {int});substring({string}, {int}, 3)
    ;trim({string});CAST({int} AS STRING);CAST({decimal} AS STRING);CAST({double} AS STRING);CAST({date} AS STRING)
    ;CAST({timestamp} AS STRING);CAST({boolean} AS STRING);lpad({string}, 5, '*');rpad({string}, {int}, 'ab');replace({string}, 'a', 'bb')
    ;reverse({string});left({string}, 2);right({string}, {int});repeat({string}, 2);concat_ws('-', {string}, {string})
    ;date_format({date}, 'yyyy-MM');date_format({timestamp}, 'HH:mm:ss');initcap({string});translate({string}, 'ab1', 'XY')
    ;regexp_replace({string}, '[0-9]+', '#');hex({int});{struct}.b;nullif({string}, {string});ltrim({string});split({string}, ' ')[0]
    ;array_join({array}, ',');CAST({array} AS STRING);CAST({struct} AS STRING);substring_index({string}, ' ', 1);md5({string})
    ;to_json({struct});array_join(transform({array}, x -> CAST(x AS STRING)), '/');regexp_extract({string}, '([a-z]+)', 1)`.split(
    ";",
  ),
  date: `date_add({date}, {int});add_months({date}, {int});last_day({date});trunc({date}, 'MM');CAST({timestamp} AS DATE)
    ;({date} + INTERVAL 1 MONTH);({date} - INTERVAL 3 DAYS);greatest({date}, {date});next_day({date}, 'MO');try_cast({string} AS DATE)
    ;({date} - 1);to_date({timestamp});date_sub({date}, {int});trunc({date}, 'WEEK')`.split(";"),
  timestamp:
    `CAST({date} AS TIMESTAMP);({timestamp} + INTERVAL '1' DAY);({timestamp} - INTERVAL 2 HOURS);date_trunc('HOUR', {timestamp})
    ;date_trunc('MONTH', {timestamp});greatest({timestamp}, {date});({timestamp} + INTERVAL '1-1' YEAR TO MONTH);timestamp_seconds({int})
    ;from_utc_timestamp({timestamp}, 'Europe/Berlin');try_cast({string} AS TIMESTAMP);timestampadd(MINUTE, {int}, {timestamp})`.split(
      ";",
    ),
  boolean:
    `({int} < {int});({int} = {bigint});({int} <= {decimal});({decimal} = {double});({string} = {string});({string} LIKE 'a%')
    ;({date} < {timestamp});({boolean} AND {boolean});({boolean} OR {boolean});(NOT {boolean});({int} IS NULL);({string} IS NOT NULL)
    ;({int} IN (1, {int}, 7));({decimal} BETWEEN 0 AND {decimal});({string} <=> {string});array_contains({array}, {int})
    ;exists({array}, x -> x > {int});({double} > {int});isnan({double});({date} >= {date});({array} = {array});({struct} = {struct})
    ;({string} < {string});({int} <> {int});contains({string}, {string});startswith({string}, {string});({boolean} = {boolean})
    ;({bigint} NOT IN ({int}, 9));forall({array}, x -> x IS NOT NULL);({double} <=> {double});({string} RLIKE '[a-z]');({date} IS DISTINCT FROM {date})`.split(
      ";",
    ),
  array:
    `array({int}, {int});transform({array}, x -> x + {int});filter({array}, x -> x > {int});array_distinct({array});sort_array({array})
    ;reverse({array});array_union({array}, {array});slice({array}, 1, 2);concat({array}, {array});array_remove({array}, {int})
    ;array_compact({array});array_sort({array});array_except({array}, {array});array_intersect({array}, {array});sequence(1, 3)
    ;array_append({array}, {int});array_repeat({int}, 2);sort_array({array}, false)`.split(";"),
  struct: ["named_struct('a', {int}, 'b', {string})"],
};

/** What every kind has. */
const COMMON = [
  "coalesce({kind}, {kind})",
  "CASE WHEN {boolean} THEN {kind} ELSE {kind} END",
  "CASE WHEN {boolean} THEN {kind} WHEN {boolean} THEN {kind} END",
  "if({boolean}, {kind}, {kind})",
  "nvl({kind}, {kind})",
];

function expressionOf(kind: Kind, depth: number): fc.Arbitrary<string> {
  const leaf = fc.constantFrom(...LEAVES[kind]);
  if (depth === 0) return leaf;
  const common = COMMON.map((text) => text.replaceAll("{kind}", `{${kind}}`));
  const node = fc.constantFrom(...NODES[kind].map((text) => text.trim()), ...common).chain((template) => {
    const parts = template.split(/\{(\w+)\}/);
    const arbitraries = parts.map((part, i) =>
      i % 2 === 0 ? fc.constant(part) : expressionOf(part as Kind, depth - 1),
    );
    return fc.tuple(...arbitraries).map((texts) => texts.join(""));
  });
  return fc.oneof({ arbitrary: leaf, weight: 1 }, { arbitrary: node, weight: 4 });
}

/** A corpus of expressions over the columns of `p`, without answers; always the same for a seed. */
export function randomCorpus(seed: number, count: number) {
  const any = fc.constantFrom(...KINDS).chain((kind) => expressionOf(kind, 3));
  const expressions = [...new Set(fc.sample(any, { seed, numRuns: 2 * count }))].slice(0, count);
  return {
    setups: { default: { spark: RANDOM_TABLE } },
    cases: expressions.map((expression, i) => ({
      id: `random-${String(i + 1).padStart(3, "0")}`,
      // Every second one shows the name that Spark gives it.
      sql: `SELECT ${expression}${i % 2 === 0 ? "" : " AS v"} FROM p`,
    })),
  };
}
