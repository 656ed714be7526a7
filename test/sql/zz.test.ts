import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { it } from "vitest";
import { formatType } from "../../packages/ingot/src/model/data-type.js";
import { sqlText } from "../../packages/ingot/src/model/position.js";
import { compileParsed } from "../../packages/ingot/src/sql/compile.js";
import { parseSchema } from "../../packages/ingot/src/sql/ddl-types.js";
import { parseQuery } from "../../packages/ingot/src/sql/parse-query.js";
import { SESSION_SETUP } from "../../packages/ingot/src/sql/session.js";

const T: any = {
  bronze_orders:
    "order_id BIGINT, customer_id STRING, status STRING, amount DECIMAL(10,2), updated_at TIMESTAMP, _bad STRING, source_file STRING, loaded_at TIMESTAMP",
  orders: "order_id BIGINT, customer_id STRING, status STRING, amount DECIMAL(10,2), updated_at TIMESTAMP",
  t: "a INT, b INT, s STRING, d DECIMAL(10,2), x DOUBLE, dt DATE, ts TIMESTAMP, st STRUCT<f:INT,g:STRING>, arr ARRAY<INT>, bo BOOLEAN",
  u: "a INT, c STRING, `order` STRING",
};
it("x", async () => {
  const i = await DuckDBInstance.create(":memory:");
  const c = await i.connect();
  await c.run("SET TimeZone='UTC'");
  const t0 = performance.now();
  await c.run(SESSION_SETUP.join(";"));
  console.log("setup ms", performance.now() - t0);
  await c.run(
    `create table t as select * from (values (1,0,'x',1.50::decimal(10,2),2.5::double,date '2024-01-31',timestamptz '2024-01-31 10:00:00+00',{'f':1,'g':'q'},[1,2],true),(2,2,'y',-0.05,null,null,null,null,null,false),(null,3,'12',9.99,-0.0,date '2024-02-01',timestamptz '2024-02-01 00:00:00+00',{'f':null,'g':'r'},[3],null)) v(a,b,s,d,x,dt,ts,st,arr,bo)`,
  );
  await c.run(`create table u as select * from (values (1,'c1','o1'),(1,'c2','o2'),(9,'c9','o9')) v(a,c,"order")`);
  await c.run(
    `create table bronze_orders as select * from (values (1001::bigint,'C01','placed',25.5::decimal(10,2),timestamptz '2026-10-01 09:15:00+00',null::varchar,'f','2026-10-01'::timestamptz),(1001,'C01','shipped',25.5,timestamptz '2026-10-02 08:00:00+00',null,'f','2026-10-01'::timestamptz),(1003,null,null,null,null,'bad','f','2026-10-01'::timestamptz)) v(order_id,customer_id,status,amount,updated_at,_bad,source_file,loaded_at)`,
  );
  await c.run("create table orders as select order_id,customer_id,status,amount,updated_at from bronze_orders");
  for (const q of readFileSync("/tmp/q.sql", "utf8")
    .split("\n")
    .filter((x) => x.trim())) {
    try {
      const p = await parseQuery(sqlText(q));
      const sch = new Map();
      for (const r of p.relations)
        if (r.kind === "table" && T[r.name.join(".")]) sch.set(r.id, parseSchema(T[r.name.join(".")]));
      const k = compileParsed(p, sch);
      let out = `${q}\n   ${k.schema.map((f) => `${f.name}:${formatType(f.type)}${f.nullable ? "" : "!"}`).join(", ")} det=${k.deterministic} keeps=${k.preservesRows}\n`;
      if (process.env.SQL) out += "   " + k.duckdb + "\n";
      if (k.reads.every((r) => r.kind === "table")) {
        for (const r of k.reads)
          if (r.kind === "table") await c.run(`create or replace temp view "${r.id}" as from "${r.name.at(-1)}"`);
        try {
          const r = await c.runAndReadAll(k.duckdb);
          out +=
            "   " +
            r.columnTypes().map(String).join(",") +
            " | " +
            r
              .getRowsJson()
              .map((x) => JSON.stringify(x))
              .join(" ");
        } catch (e: any) {
          out += "   RUN " + e.message.slice(0, 300) + "\n   " + k.duckdb;
        }
      }
      console.log(out);
    } catch (e: any) {
      console.log(q, "\n   ", e.code ?? e.stack, "|", e.message, "|", e.hint, "@", e.at?.line + ":" + e.at?.column);
    }
  }
});
