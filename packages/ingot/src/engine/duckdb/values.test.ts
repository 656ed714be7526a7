import { expect, it } from "vitest";
import { writeProject } from "../../define/project-fixture.js";
import { columns } from "../../graph/test-builders.js";
import type { DataType } from "../../model/data-type.js";
import type { Value } from "../engine.js";
import { runSql } from "./test-session.js";
import { toValue } from "./values.js";

const t = (kind: string) => ({ kind }) as DataType;
const decimal = (precision: number, scale: number): DataType => ({ kind: "decimal", precision, scale });
const array = (element: DataType): DataType => ({ kind: "array", element, containsNull: true });
const map = (key: DataType, value: DataType): DataType => ({ kind: "map", key, value, valueContainsNull: true });

// SQL for DuckDB, the type in Spark's words, and Spark's text of the value.
const CASES: readonly [sql: string, type: DataType, value: Value][] = [
  ["NULL::INTEGER", t("int"), null],
  ["true", t("boolean"), true],
  ["(-128)::TINYINT", t("tinyint"), -128],
  ["2147483647", t("int"), 2147483647],
  ["9223372036854775807", t("bigint"), "9223372036854775807"],
  ["1.50::DECIMAL(10,2)", decimal(10, 2), "1.50"],
  ["(-0.05)::DECIMAL(4,2)", decimal(4, 2), "-0.05"],
  ["12345678901234567890123456789012345678::DECIMAL(38,0)", decimal(38, 0), "12345678901234567890123456789012345678"],
  ["0.1::DOUBLE", t("double"), 0.1],
  ["0.1::FLOAT", t("float"), Math.fround(0.1)],
  ["'nan'::DOUBLE", t("double"), "NaN"],
  ["'-inf'::DOUBLE", t("double"), "-Infinity"],
  ["'a''b'", t("string"), "a'b"],
  ["'\\xCA\\xFE\\x00'::BLOB", t("binary"), "[CA FE 00]"],
  ["''::BLOB", t("binary"), "[]"],
  ["DATE '2026-10-01'", t("date"), "2026-10-01"],
  ["DATE '1969-12-31'", t("date"), "1969-12-31"],
  ["DATE '0001-01-01'", t("date"), "0001-01-01"],
  ["DATE '0044-03-15 (BC)'", t("date"), "-0043-03-15"],
  ["DATE '12026-10-01'", t("date"), "+12026-10-01"],
  ["TIMESTAMPTZ '2026-10-01 09:15:00.5+00'", t("timestamp"), "2026-10-01 09:15:00.5"],
  ["TIMESTAMPTZ '2026-10-01 00:30:00+02'", t("timestamp"), "2026-09-30 22:30:00"],
  ["TIMESTAMP '1969-12-31 23:59:59.999999'", t("timestamp_ntz"), "1969-12-31 23:59:59.999999"],
  ["TIMESTAMP '2026-10-01 00:00:00'", t("timestamp_ntz"), "2026-10-01 00:00:00"],
  ["[1, NULL, 3]::BIGINT[]", array(t("bigint")), ["1", null, "3"]],
  ["{'a': 1, 'b': DATE '2026-10-01'}", { kind: "struct", fields: columns("a int, b date") }, { a: 1, b: "2026-10-01" }],
  [
    "MAP {10: 'a', 2: NULL}",
    map(t("int"), t("string")),
    [
      [10, "a"],
      [2, null],
    ],
  ],
  ["MAP {1.5::DOUBLE: [1]}", map(t("double"), array(t("int"))), [[1.5, [1]]]],
];

it("toValue gives each value in Spark's form, exact", async () => {
  const [row] = await runSql(writeProject({}), `SELECT ${CASES.map(([sql]) => sql).join(", ")}`);
  for (const [i, [sql, type, value]] of CASES.entries()) expect(toValue(row?.[i] ?? null, type), sql).toEqual(value);
});
