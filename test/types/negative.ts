// What the compiler knows: marked lines must not compile, the others must.
import {
  type ColumnsIn,
  changeFeed,
  createAutoCdcFlow,
  createAutoCdcFromSnapshotFlow,
  createStreamingTable,
  externalTable,
  materializedView,
  readFiles,
  ref,
  replaceFlow,
  sql,
  table,
  temporaryView,
} from "ingot";
import { accountingDocument, purchaseOrder, salesOrder, sapTable } from "ingot/sap";
import { given } from "ingot/testing";
import { bronzeOrders } from "./examples/shop/bronze";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const ok = <_T extends true>() => {};

// DDL text is read by the compiler, commas in types included.
const nested = table("t_nested", {
  schema: "a BIGINT, s STRUCT<x: INT, y: ARRAY<DECIMAL(5,2)>>, `odd` MAP<STRING, INT>\n, z DATE",
  clusterBy: ["a"],
  query: sql`SELECT 1`,
});
ok<Eq<keyof ColumnsIn<typeof nested>, "a" | "s" | "odd" | "z">>();
// @ts-expect-error y is inside the struct
table("t_bad", { schema: "a BIGINT, s STRUCT<x: INT, y: INT>", clusterBy: ["y"], query: sql`SELECT 1` });
// quoted text: unknown, every name allowed
table("t_quoted", { schema: "a BIGINT COMMENT 'x, y'", clusterBy: ["anything"], query: sql`SELECT 1` });
// no schema, no generated types: every name allowed
table("t_any", { clusterBy: ["anything"], query: sql`SELECT 1` });
// generated types: the name is enough
materializedView("orders", { clusterBy: ["order_id"], query: sql`SELECT 1` });
// @ts-expect-error no such column in the generated types
materializedView("orders", { clusterBy: ["order_idd"], query: sql`SELECT 1` });
// @ts-expect-error the same through a reference
ref("customer_spend").col("spent");
ref("customer_spend").col("spend");
ref("not_known_anywhere").col("x");

const s = temporaryView("s", {
  schema: { id: "BIGINT", op: "STRING", seq: "BIGINT", v: { type: "STRING", sensitive: true } },
  query: sql`SELECT 1`,
});
const t = createStreamingTable("t");
const flow = createAutoCdcFlow({
  target: t,
  source: s,
  keys: ["id"],
  sequenceBy: "seq",
  exceptColumnList: ["op", "seq"],
});
ok<Eq<keyof ColumnsIn<typeof flow.target>, "id" | "v">>();
const listed = createAutoCdcFlow({
  target: t,
  source: s,
  keys: ["id"],
  sequenceBy: ["seq", "id"],
  columnList: ["id", "v"],
});
ok<Eq<keyof ColumnsIn<typeof listed.target>, "id" | "v">>();
const whole = createAutoCdcFlow({ target: "by_name", source: s, keys: ["id"], sequenceBy: sql`struct(seq, id)` });
ok<Eq<keyof ColumnsIn<typeof whole.target>, "id" | "v" | "op" | "seq">>();
// @ts-expect-error key
createAutoCdcFlow({ target: t, source: s, keys: ["idd"], sequenceBy: "seq" });
// @ts-expect-error no key
createAutoCdcFlow({ target: t, source: s, keys: [], sequenceBy: "seq" });
// @ts-expect-error sequence
createAutoCdcFlow({ target: t, source: s, keys: ["id"], sequenceBy: "sequence" });
// @ts-expect-error except list
createAutoCdcFlow({ target: t, source: s, keys: ["id"], sequenceBy: "seq", exceptColumnList: ["opp"] });
// @ts-expect-error both lists
createAutoCdcFlow({
  target: t,
  source: s,
  keys: ["id"],
  sequenceBy: "seq",
  columnList: ["id"],
  exceptColumnList: ["op"],
});
// @ts-expect-error history needs type 2
createAutoCdcFlow({ target: t, source: s, keys: ["id"], sequenceBy: "seq", trackHistoryColumnList: ["v"] });
createAutoCdcFlow({
  target: t,
  source: s,
  keys: ["id"],
  sequenceBy: "seq",
  storedAsScdType: 2,
  trackHistoryExceptColumnList: ["op"],
});
// @ts-expect-error truncate is type 1 only
createAutoCdcFlow({
  target: t,
  source: s,
  keys: ["id"],
  sequenceBy: "seq",
  storedAsScdType: 2,
  applyAsTruncates: "op = 'T'",
});
createAutoCdcFlow({
  target: t,
  source: s,
  keys: ["id"],
  sequenceBy: "seq",
  storedAsScdType: 2,
  // @ts-expect-error history column
  trackHistoryColumnList: ["vv"],
});
createAutoCdcFlow({ target: t, source: s, keys: ["id"], sequenceBy: "seq", ignoreNullUpdates: { on: ["v"] } });
const hist = createAutoCdcFlow({ target: t, source: s, keys: ["id"], sequenceBy: "seq", storedAsScdType: 2 });
ok<Eq<keyof ColumnsIn<typeof hist.target>, "id" | "v" | "op" | "seq" | "__START_AT" | "__END_AT">>();
// a source of unknown columns: plain strings
createAutoCdcFlow({ target: "x", source: "anything", keys: ["a", "b"], sequenceBy: "c", exceptColumnList: ["d"] });
// @ts-expect-error the source's name is in the generated types
createAutoCdcFlow({ target: "x", source: "orders", keys: ["order"], sequenceBy: "updated_at" });
// a change feed knows its three columns
const feed = changeFeed(externalTable("x.y.z", { schema: "k STRING, v STRING" }));
createAutoCdcFlow({ target: t, source: feed, keys: ["k"], sequenceBy: "_commit_version" });
// @ts-expect-error
createAutoCdcFlow({ target: t, source: feed, keys: ["k"], sequenceBy: "_commit_versio" });
createAutoCdcFromSnapshotFlow({
  target: t,
  source: s,
  keys: ["id"],
  storedAsScdType: 2,
  trackHistoryColumnList: ["v"],
});
replaceFlow({
  target: ref("customer_spend").name,
  query: sql`SELECT 1`,
  replaceUsing: ["customer_id"],
  sequenceBy: "orders",
});
// @ts-expect-error
replaceFlow({ target: "customer_spend", query: sql`SELECT 1`, replaceUsing: ["customer"], sequenceBy: "orders" });

// templates take relations, pieces and exact values only
const cols: string[] = ["a", "b"];
sql`SELECT ${sql.join(cols.map((c) => sql.id(c)))} FROM ${s} WHERE ${s.col("id")} IN (${[1n, 2n]}) AND v = ${"it's"} AND ${sql`op <> 'D'`}`;
// @ts-expect-error a Date has no exact SQL form
sql`SELECT ${new Date()}`;
// @ts-expect-error undefined
sql`SELECT ${undefined}`;
// @ts-expect-error an object that is no relation
sql`SELECT ${{ a: 1 }}`;
// @ts-expect-error a query is no plain text
materializedView("m", "SELECT 1");
// @ts-expect-error misspelt option
materializedView("m", { coment: "x", query: sql`SELECT 1` });
// @ts-expect-error misspelt file option
readFiles("x", { formt: "csv" });
const file = readFiles("x", { schema: "a INT, b STRING" });
// @ts-expect-error
file.col("c");

// rows in tests
given(bronzeOrders, [{ order_id: 1n }]);
// @ts-expect-error
given(bronzeOrders, [{ order_idd: 1n }]);

// SAP
const landed = readFiles("landing", { format: "parquet" });
sapTable("VBAK", { from: landed, clusterBy: ["vbeln"] });
// @ts-expect-error
sapTable("VBAK", { from: landed, clusterBy: ["posnr"] });
sapTable("VBAK"); // From where its source lands.
// @ts-expect-error an unknown format
sapTable("VBAK", { from: landed, changeFormat: "odp" });
sapTable("ZFOO", { from: landed, keys: ["anything"] });
const typed = sapTable("VBAK", { from: landed, columns: "typed" }).snapshot;
typed.col("netwr");
// @ts-expect-error
typed.col("netwrr");
const so = salesOrder({ header: sapTable("VBAK", { from: landed }), items: sapTable("VBAP", { from: landed }) });
so.col("netwr_vbap");
// @ts-expect-error
so.col("netwr_vbapp");
so.col("status_source");
// @ts-expect-error no partners are given
so.col("kunnr_vbpa");
const [header, items] = [sapTable("VBAK", { from: landed }), sapTable("VBAP", { from: landed })];
const partners = sapTable("VBPA", { from: landed });
salesOrder({ header, items, partners }, { columnList: ["kunnr_vbpa", "reason_vbpa"] });
const roles = salesOrder({ header, items, partners }, { partnerRoles: ["SH", "AG"], clusterBy: ["vbeln_vbak"] });
roles.col("kunnr_vbpa_we");
// @ts-expect-error with two roles each has columns of its own
roles.col("kunnr_vbpa");
const ekko = sapTable("EKKO", { from: landed });
const po = purchaseOrder({ header: ekko, items: externalTable("ekpo_cur"), history: externalTable("ekbe_cur") });
po.col("to_deliver_ekpo");
po.col("netwr_ekpo");
// @ts-expect-error no schedule is given
po.col("next_date_eket");
const fi = accountingDocument({
  header: sapTable("BKPF", { from: landed }),
  items: sapTable("BSEG", { from: landed }),
});
fi.col("signed_dmbtr_bseg");
// @ts-expect-error
fi.col("signed_dmbtr_bkpf");
// @ts-expect-error an order has items
salesOrder({ header });
// @ts-expect-error
salesOrder({ header, items }, { columnList: ["kunnr_vbakk"] });
