import { expect, it } from "vitest";
import { sqlText } from "../../../model/position.js";
import type { RowRule } from "../../../model/rule.js";
import { compileParsed } from "../../../sql/compile.js";
import { parseSchema } from "../../../sql/ddl-types.js";
import { parseQuery } from "../../../sql/parse/parse-query.js";
import type { BoundInput, BoundQuery } from "../../engine.js";
import { passingViews } from "./passing-views.js";

const FILE: BoundInput = { kind: "snapshot", location: "/t", version: 0n };

function bind(text: string, inputs: readonly BoundInput[], rule?: Partial<RowRule>): BoundQuery {
  const parsed = parseQuery(sqlText(text));
  const ids = parsed.relations.map(({ id }) => id);
  const query = compileParsed(parsed, new Map(ids.map((id) => [id, parseSchema("k STRING, n INT")])));
  const rules = [{ name: "r", action: "drop" as const, condition: "true", status: "r", version: "1", ...rule }];
  return {
    query,
    inputs: new Map(ids.map((id, i) => [id, inputs[i] ?? FILE])),
    ...(rule === undefined ? {} : { rules: { dataset: "v", rules, absent: [], sensitive: [] } }),
  };
}

const VIEW = bind("SELECT * FROM a", [FILE], {});
const over = (text: string) => passingViews(bind(text, [{ kind: "view", view: VIEW }]));

it.each([
  "SELECT * FROM STREAM(a)",
  "SELECT k, n + 1 AS n FROM a WHERE n > 0",
  "WITH c AS (SELECT * FROM a) SELECT k FROM (SELECT k FROM c)",
  "SELECT k, x FROM a LATERAL VIEW explode(array(n, 2)) t AS x",
])("rows pass one by one: %s", (text) => {
  expect(over(text)).toEqual([VIEW]);
});

it.each([
  // Spark looks at the rows twice, to find what parts they are ordered in.
  "SELECT k, n FROM a ORDER BY n",
  "SELECT k, n FROM a LIMIT 3",
  "SELECT DISTINCT k FROM a",
  "SELECT k, count(*) AS n FROM a GROUP BY k",
  "SELECT max(n) AS n FROM a",
  "SELECT k, row_number() OVER (PARTITION BY k ORDER BY n) AS i FROM a",
  "SELECT a.k FROM a JOIN b ON a.k = b.k",
  "SELECT k FROM a WHERE n IN (SELECT n FROM b)",
  "SELECT k FROM a WHERE n = (SELECT max(n) FROM a)",
  "SELECT x.k FROM a x JOIN a y ON x.k = y.k",
])("rows are left out, read again or moved: %s", (text) => {
  expect(over(text)).toEqual([]);
});

it("goes down as far as rows pass, those below first", () => {
  const middle = bind("SELECT * FROM v", [{ kind: "view", view: VIEW }]);
  const upper = bind("SELECT * FROM m WHERE n > 1", [{ kind: "view", view: middle }], {});
  expect(passingViews(bind("SELECT k FROM u", [{ kind: "view", view: upper }]))).toEqual([VIEW, upper]);
  const unique = bind("SELECT * FROM m", [{ kind: "view", view: middle }], { keys: ["k"] });
  expect(passingViews(bind("SELECT k FROM u", [{ kind: "view", view: unique }]))).toEqual([unique]);
});
