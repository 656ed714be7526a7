// Names from data: their columns are unknown, so plain strings pass.
import { createAutoCdcFlow, createStreamingTable, type Relation, ref, sql, temporaryView } from "ingot";

const tables: readonly { name: string; keys: [string, ...string[]] }[] = [];
for (const { name, keys } of tables) {
  const source = temporaryView(`${name}_cdf`, sql`SELECT * FROM STREAM ${ref(name)}`);
  createAutoCdcFlow({ target: createStreamingTable(`${name}_cur`), source, keys, sequenceBy: "seq" });

  const known = temporaryView("k", { schema: "id INT, seq INT", query: sql`SELECT 1` });
  // @ts-expect-error computed keys against known columns: refused …
  createAutoCdcFlow({ target: "x", source: known, keys, sequenceBy: "seq" });
  // … until the reference is widened on purpose, or named.
  createAutoCdcFlow({ target: "x", source: known as Relation, keys, sequenceBy: "seq" });
  createAutoCdcFlow({ target: "x", source: "k_by_name", keys, sequenceBy: "seq" });
}
