import type { QueryTotals } from "../../model/query.js";
import { quoteName } from "../../sql/lower/lower-text.js";
import type { BoundQuery } from "../engine.js";
import type { Followed } from "./followed.js";
import { overChanges } from "./over-changes.js";
import { type RowSources, scan } from "./relations.js";
import { projectTo } from "./stage-files.js";
import type { ToldInput } from "./tell-changes.js";
import type { ViewTable } from "./view-table.js";

/**
 * The one row of a view without groups, of the row that its table has and those that its query gives over what changed.
 * Where rows went, counts alone can be told: whether the least value is still there, or any at all, no total says.
 *
 * @returns why that cannot be, in words
 */
export async function followTotals(
  { connection, store, snapshot, step, part: { bound } }: ViewTable,
  { rows: rowCount, columns: kinds }: QueryTotals,
  changed: readonly ToldInput[],
  sources: RowSources,
  prefix: string,
): Promise<Followed | string> {
  const { schema } = step.target;
  const [rows, gone] = [`${prefix}_rows`, `${prefix}_gone`];
  const close = async () => {
    await connection.run(`DROP TABLE IF EXISTS ${rows}; DROP TABLE IF EXISTS ${gone}`);
  };
  const counting: BoundQuery = { ...bound, query: { ...bound.query, duckdb: rowCount } };
  const lost = (await overChanges(counting, changed, sources, "went")).join(" UNION ALL ");
  const [[went] = []] = (await connection.runAndReadAll(`SELECT sum(n) FROM (${lost})`)).getRows();
  const counts = kinds.every((kind) => kind === "count");
  if (Number(went) > 0 && !counts) return "rows went, and the table's row does not tell what is left without them";
  const given = async (side: "came" | "went") =>
    (await overChanges(bound, changed, sources, side)).map((text) => projectTo(schema, text, bound.query.schema));
  const names = bound.query.schema.map(({ name }) => quoteName(name));
  const negative = names.map((name) => `-${name} AS ${name}`).join(", ");
  const parts = [
    `FROM ${gone}`,
    ...(await given("came")),
    ...(counts ? (await given("went")).map((text) => `SELECT ${negative} FROM (${text})`) : []),
  ];
  const totals = kinds.map((kind, i) => `${kind === "count" ? "sum" : kind}(${names[i]}) AS ${names[i]}`);
  const all = `SELECT ${totals.join(", ")} FROM (${parts.map((text) => `(${text})`).join(" UNION ALL BY NAME ")})`;
  try {
    await connection.run(`CREATE TEMP TABLE ${gone} AS ${projectTo(schema, await scan(store, snapshot), schema)}`);
    const [[found] = []] = (await connection.runAndReadAll(`SELECT count(*) FROM ${gone}`)).getRows();
    if (Number(found) !== 1) {
      await close();
      return "the table has not the one row that the query gives";
    }
    await connection.run(`CREATE TEMP TABLE ${rows} AS ${projectTo(schema, all, bound.query.schema)}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { wanted: { rows, gone }, how: "the totals of the rows that changed in its inputs", close };
}
