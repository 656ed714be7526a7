import { describe, expect, it } from "vitest";
import { lineageOf } from "./test-lineage.js";

describe("where the columns of a result come from", () => {
  it.each<[string, Record<string, string>]>([
    [
      "SELECT vbeln, upper(kunnr) AS k, 1 AS one, current_date() AS d, mandt || vbeln AS id FROM vbak WHERE gbstk = 'C'",
      { vbeln: "=vbak.vbeln", k: "fvbak.kunnr", one: "", d: "", id: "fvbak.mandt fvbak.vbeln", WHERE: "vbak.gbstk" },
    ],
    [
      "SELECT CASE WHEN gbstk = 'C' THEN 'CLOSE' ELSE kunnr END AS s, CAST(vbeln AS BIGINT) AS n FROM vbak",
      { s: "fvbak.gbstk fvbak.kunnr", n: "fvbak.vbeln", WHERE: "" },
    ],
    // Aggregates: groups and filters decide, values come together.
    [
      "SELECT matnr, sum(netwr) AS total, count(*) AS n, sum(netwr) FILTER (WHERE posnr > '1') AS f FROM vbap GROUP BY matnr HAVING max(event_ts) > TIMESTAMP '2026-01-01'",
      {
        matnr: "=vbap.matnr",
        total: "Σvbap.netwr",
        n: "",
        f: "Σvbap.netwr",
        WHERE: "vbap.event_ts vbap.matnr vbap.posnr",
      },
    ],
    ["SELECT sum(netwr) / count(posnr) AS a FROM vbap", { a: "Σvbap.netwr Σvbap.posnr", WHERE: "" }],
    // Joins.
    [
      "SELECT k.vbeln, p.netwr FROM vbak k JOIN vbap p ON k.vbeln = p.vbeln AND k.mandt = '100'",
      { vbeln: "=vbak.vbeln", netwr: "=vbap.netwr", WHERE: "vbak.mandt vbak.vbeln vbap.vbeln" },
    ],
    [
      "SELECT vbeln, kunnr FROM vbak LEFT JOIN vbap USING (vbeln)",
      { vbeln: "=vbak.vbeln", kunnr: "=vbak.kunnr", WHERE: "vbak.vbeln vbap.vbeln" },
    ],
    [
      "SELECT vbeln FROM vbak FULL JOIN vbap USING (vbeln)",
      { vbeln: "fvbak.vbeln fvbap.vbeln", WHERE: "vbak.vbeln vbap.vbeln" },
    ],
    [
      "SELECT matnr FROM makt LEFT SEMI JOIN vbap USING (matnr)",
      { matnr: "=makt.matnr", WHERE: "makt.matnr vbap.matnr" },
    ],
    [
      "SELECT a.matnr, b.maktx FROM vbap a CROSS JOIN makt b",
      { matnr: "=vbap.matnr", maktx: "=makt.maktx", WHERE: "" },
    ],
    // One table twice is two relations, and one source of each.
    ["SELECT a.kunnr AS x, b.kunnr AS y FROM vbak a, vbak b", { x: "=vbak.kunnr", y: "=vbak.kunnr", WHERE: "" }],
    // Stars.
    [
      "SELECT * EXCEPT (spras), m.matnr AS again FROM makt m",
      { matnr: "=makt.matnr", maktx: "=makt.maktx", again: "=makt.matnr", WHERE: "" },
    ],
    // CTEs, derived tables, renamed columns, lateral aliases.
    [
      "WITH a AS (SELECT vbeln, netwr * 2 AS n FROM vbap WHERE posnr = '1'), b(x, y) AS (SELECT * FROM a) SELECT x, y + 1 AS z FROM b ORDER BY x",
      { x: "=vbap.vbeln", z: "fvbap.netwr", WHERE: "vbap.posnr" },
    ],
    [
      "SELECT t.m FROM (SELECT max(netwr) AS m, matnr FROM vbap GROUP BY matnr) AS t(m, k) WHERE t.k > 'a'",
      { m: "Σvbap.netwr", WHERE: "vbap.matnr" },
    ],
    ["SELECT netwr * 2 AS d, d + 1 AS e FROM vbap", { d: "fvbap.netwr", e: "fvbap.netwr", WHERE: "" }],
    ["SELECT matnr FROM vbap ORDER BY netwr LIMIT 3", { matnr: "=vbap.matnr", WHERE: "vbap.netwr" }],
    // Set operations: rows of both sides, but for EXCEPT.
    ["SELECT matnr FROM vbap UNION ALL SELECT upper(matnr) FROM makt", { matnr: "=vbap.matnr fmakt.matnr", WHERE: "" }],
    ["SELECT matnr FROM vbap EXCEPT SELECT matnr FROM makt", { matnr: "=vbap.matnr", WHERE: "makt.matnr" }],
    ["SELECT matnr FROM vbap INTERSECT SELECT matnr FROM makt", { matnr: "=vbap.matnr", WHERE: "makt.matnr" }],
    [
      "WITH RECURSIVE r(n, m) AS (SELECT posnr, matnr FROM vbap UNION ALL SELECT r.n, k.maktx FROM r JOIN makt k ON k.matnr = r.m) SELECT * FROM r",
      { n: "=vbap.posnr", m: "=makt.maktx =vbap.matnr", WHERE: "makt.matnr vbap.matnr" },
    ],
    // Subqueries: of a value, its column; of a test, what it compares.
    [
      "SELECT vbeln, (SELECT max(netwr) FROM vbap p WHERE p.vbeln = k.vbeln) AS m FROM vbak k",
      { vbeln: "=vbak.vbeln", m: "Σvbap.netwr", WHERE: "vbak.vbeln vbap.vbeln" },
    ],
    [
      "SELECT vbeln FROM vbak WHERE kunnr IN (SELECT maktx FROM makt WHERE spras = 'E') OR EXISTS (SELECT 1 FROM vbap WHERE netwr > 0)",
      { vbeln: "=vbak.vbeln", WHERE: "makt.maktx makt.spras vbak.kunnr vbap.netwr" },
    ],
    // Windows: the keys decide which rows, the argument gives the value.
    [
      "SELECT sum(netwr) OVER (PARTITION BY matnr ORDER BY posnr) AS s, row_number() OVER (ORDER BY event_ts) AS n FROM vbap",
      { s: "fvbap.netwr", n: "", WHERE: "vbap.event_ts vbap.matnr vbap.posnr" },
    ],
    [
      "SELECT matnr FROM vbap QUALIFY row_number() OVER (PARTITION BY matnr ORDER BY netwr DESC) = 1",
      { matnr: "=vbap.matnr", WHERE: "vbap.matnr vbap.netwr" },
    ],
    // Structs: the field that is read, and of one that is made each field's own.
    [
      "SELECT head.a, head.b.c AS deep, head FROM vbak",
      { a: "=vbak.head.a", deep: "=vbak.head.b.c", head: "=vbak.head", WHERE: "" },
    ],
    [
      "SELECT vbeln, newest.* FROM (SELECT vbeln, max_by(struct(posnr, upper(matnr) AS m), event_ts) AS newest FROM vbap GROUP BY vbeln)",
      {
        vbeln: "=vbap.vbeln",
        posnr: "Σvbap.event_ts Σvbap.posnr",
        m: "Σvbap.event_ts Σvbap.matnr",
        WHERE: "vbap.vbeln",
      },
    ],
    [
      "SELECT coalesce(named_struct('x', kunnr, 'y', mandt), struct(vbeln AS x, gbstk AS y)).x AS x FROM vbak",
      { x: "fvbak.kunnr fvbak.vbeln", WHERE: "" },
    ],
    [
      "SELECT s.n, s.head.a AS a FROM (SELECT struct(vbeln AS n, head) AS s FROM vbak)",
      { n: "=vbak.vbeln", a: "=vbak.head.a", WHERE: "" },
    ],
    // Generators, in each of their places; lambdas.
    ["SELECT posnr, explode(tags) AS tag FROM vbap", { posnr: "=vbap.posnr", tag: "fvbap.tags", WHERE: "" }],
    [
      "SELECT p.matnr, t.tag FROM vbap p LATERAL VIEW explode(p.tags) t AS tag WHERE p.posnr = '1'",
      { matnr: "=vbap.matnr", tag: "fvbap.tags", WHERE: "vbap.posnr" },
    ],
    [
      "SELECT e.i FROM (SELECT explode(collect_list(struct(posnr AS i, matnr AS m))) AS e FROM vbap)",
      { i: "Σvbap.posnr", WHERE: "" },
    ],
    ["SELECT parts.qty FROM vbap", { qty: "=vbap.parts.qty", WHERE: "" }],
    ["SELECT transform(tags, t -> t || matnr) AS x FROM vbap", { x: "fvbap.matnr fvbap.tags", WHERE: "" }],
    // Pivots.
    [
      "SELECT * FROM (SELECT matnr, posnr, netwr FROM vbap) PIVOT (sum(netwr) FOR posnr IN ('1' AS one, '2' AS two))",
      { matnr: "=vbap.matnr", one: "Σvbap.netwr", two: "Σvbap.netwr", WHERE: "vbap.matnr vbap.posnr" },
    ],
    [
      "SELECT * FROM (SELECT matnr, spras, maktx FROM makt) UNPIVOT (v FOR n IN (spras, maktx))",
      { matnr: "=makt.matnr", n: "", v: "fmakt.maktx fmakt.spras", WHERE: "" },
    ],
    // Files.
    [
      "SELECT a, _metadata.file_name AS f FROM read_files('in', format => 'csv', header => true, schema => 'a INT')",
      { a: "=files.a", f: "=files._metadata.file_name", WHERE: "" },
    ],
    ["SELECT col1 FROM VALUES (1), (2)", { col1: "", WHERE: "" }],
  ])("%s", (text, expected) => {
    expect(lineageOf(text)).toEqual(expected);
  });
});
