import { describe, expect, it } from "vitest";
import type { Field } from "../model/data-type.js";
import { IngotError } from "../model/error.js";
import { sqlText } from "../model/position.js";
import { compileParsed } from "./compile.js";
import { parseSchema } from "./ddl-types.js";
import { parseQuery } from "./parse/parse-query.js";

const TRUE = "sap_curr(netwr, 0)";

/** Columns of the result that hold amounts in their true value; `silver` holds what `query` gives. */
function trueAmounts(text: string, silver?: string): string[] {
  return compile(text, silver).flatMap(({ name, trueAmount }) => (trueAmount === true ? [name] : []));
}

function compile(text: string, silver?: string): readonly Field[] {
  const parsed = parseQuery(sqlText(text));
  const bronze = parseSchema("belnr STRING, netwr DECIMAL(15,2), tax DECIMAL(15,2), taxes ARRAY<DECIMAL(15,2)>");
  const schemas = parsed.relations.map(
    ({ id, ...relation }) =>
      [id, relation.kind === "table" && relation.name[0] === "silver" ? compile(silver ?? "") : bronze] as const,
  );
  return compileParsed(parsed, new Map(schemas)).schema;
}

function refusal(text: string, silver?: string): unknown {
  try {
    return compile(text, silver).map(({ name }) => name);
  } catch (error) {
    if (error instanceof IngotError && error.message.includes("is applied twice")) return error.code;
    throw error;
  }
}

describe("an amount in its true value", () => {
  it.each<[string, string[]]>([
    [`SELECT netwr, ${TRUE} AS a, try_sap_curr(tax, 0) AS b, sap_curr_reason(netwr, 0) AS why FROM bronze`, ["a", "b"]],
    [
      `SELECT -a AS minus, a + a AS twice, CAST(a AS STRING) AS text, round(a, 0) AS whole FROM (SELECT ${TRUE} AS a FROM bronze)`,
      ["minus", "twice", "text", "whole"],
    ],
    [
      `SELECT sum(a) AS s, max(a) AS m, count(a) AS n, avg(a) AS mean FROM (SELECT ${TRUE} AS a FROM bronze)`,
      ["s", "m", "mean"],
    ],
    [`SELECT sap_convert(${TRUE}, 2.0, 1, 1, 2) AS c FROM bronze`, ["c"]],
    [`SELECT ${TRUE} AS a FROM bronze UNION ALL SELECT tax FROM bronze`, ["a"]],
    [
      `SELECT coalesce(${TRUE}, 0) AS a, array(${TRUE}) AS l, struct(${TRUE} AS x, tax AS y) AS s FROM bronze`,
      ["a", "l"],
    ],
    [`WITH t AS (SELECT ${TRUE} AS a FROM bronze) SELECT a, a > 1 AS big, if(a > 1, 'S', 'H') AS shkzg FROM t`, ["a"]],
    // What only decides about a value is no part of it.
    [`SELECT CASE WHEN ${TRUE} > 0 THEN netwr ELSE -netwr END AS stored FROM bronze WHERE ${TRUE} > 0`, []],
    [`SELECT sum(netwr) FILTER (WHERE ${TRUE} > 0) AS stored FROM bronze`, []],
  ])("%s", (query, columns) => {
    expect(trueAmounts(query)).toEqual(columns);
  });
});

describe("sap_curr of an amount in its true value is refused", () => {
  it.each<[string, string?]>([
    [`SELECT sap_curr(${TRUE}, 0) FROM bronze`],
    [`SELECT try_sap_curr(sap_number(CAST(${TRUE} AS STRING), 15, 2), 0) FROM bronze`],
    [`SELECT sap_curr_reason(a, 0) FROM (SELECT sum(${TRUE}) AS a FROM bronze)`],
    ["SELECT sap_curr((SELECT sap_curr(1.00, 0)), 0)"],
    ["SELECT sap_curr(a, 0) FROM silver", `SELECT ${TRUE} AS a FROM bronze`],
    [
      "SELECT sap_curr(x - y, 0) FROM (SELECT s.x, s.y FROM silver)",
      `SELECT struct(${TRUE} AS x, tax AS y) AS s FROM bronze`,
    ],
    [
      "SELECT sap_curr(element, 0) FROM silver LATERAL VIEW explode(l) AS element",
      `SELECT array(${TRUE}) AS l FROM bronze`,
    ],
    [
      "SELECT transform(l, x -> sap_curr(x, 0)) FROM silver",
      `SELECT transform(taxes, x -> sap_curr(x, 0)) AS l FROM bronze`,
    ],
  ])("%s", (query, silver) => {
    expect(refusal(query, silver)).toBe("INVALID_SAP_ARGUMENT");
  });

  it.each<[string, string]>([
    ["SELECT sap_curr(netwr, 0) FROM silver", "SELECT sap_curr(tax, 0) AS tax, netwr FROM bronze"],
    ["SELECT sap_curr(s.y, 0) FROM silver", `SELECT struct(${TRUE} AS x, tax AS y) AS s FROM bronze`],
    ["SELECT sap_curr(tax, 0) FROM silver WHERE a > 0", `SELECT ${TRUE} AS a, tax FROM bronze`],
  ])("and of one as SAP stores it is not: %s", (query, silver) => {
    expect(refusal(query, silver)).toHaveLength(1);
  });
});
