import type { CompiledRules, Snapshot } from "@ingot/delta";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { clauseNumber, insertedRows, type OpenEdit } from "./edit-queries.js";
import { CHANGE_TYPE, FILE, ROW, ROW_ID, ROW_VERSION } from "./hidden-columns.js";
import { defaultValue, newRows, statedValues, type Values } from "./new-rows.js";
import { isEvolving, type RowClause, touchingClauses } from "./row-edit.js";

/**
 * Whether the new rows of some clause depend on more of the old ones than finding them has read. Values name columns of
 * the target as `t.column`.
 */
export function readsTarget(open: OpenEdit, snapshot: Snapshot, rules: CompiledRules<string>): boolean {
  return touchingClauses(open.edit).some((clause) => clauseReadsTarget(open, clause, snapshot, rules));
}

function clauseReadsTarget(
  { source, edit }: OpenEdit,
  clause: RowClause,
  snapshot: Snapshot,
  rules: CompiledRules<string>,
): boolean {
  if (clause.kind !== "update") return false;
  const values = statedValues(clause.set, snapshot, new Set(source?.columns.keys()), rules, isEvolving(edit));
  const generated = new Set(rules.generated.map(({ column: [name = ""] }) => name.toLowerCase()));
  const names = snapshot.schema.fields.map(({ name }) => name.toLowerCase());
  const keepsOne = names.some((name) => !values.has(name) && !generated.has(name));
  return keepsOne || [...values.values()].some((sql) => /(?<![\w"])(?:t|"t")\s*\./i.test(sql));
}

/** A clause that makes rows, with what it states. */
interface Maker {
  /** In `touchingClauses`, or of the insert. */
  readonly number: number;
  readonly values: Values;
}

/**
 * SQL of the rows that updates and inserts make: the table's columns, CHANGE_TYPE, and where rows are tracked ROW_ID and
 * ROW_VERSION, which are NULL where the commit gives them. Undefined when no clause makes any.
 *
 * @param before table of the old rows with FILE and ROW, for clauses that read them
 */
export function afterImages(
  open: OpenEdit,
  snapshot: Snapshot,
  rules: CompiledRules<string>,
  before: string,
  isTracked: boolean,
): string | undefined {
  const { edit, source, hits } = open;
  const given = new Set(source?.columns.keys());
  const make = (values: Values, type: string, rowId: string, from: string): string => {
    const ids = isTracked ? [`${rowId} AS ${ROW_ID}`, `NULL::BIGINT AS ${ROW_VERSION}`] : [];
    return newRows(snapshot, values, defaultValue(rules), rules, from, [`${type} AS ${CHANGE_TYPE}`, ...ids]);
  };
  const bySource: Maker[] = [];
  const parts: string[] = [];
  for (const [number, clause] of touchingClauses(edit).entries()) {
    if (clause.kind !== "update") continue;
    const stated = statedValues(clause.set, snapshot, given, rules, isEvolving(edit));
    const isMatched = number < edit.matched.length;
    if (isMatched && !clauseReadsTarget(open, clause, snapshot, rules)) {
      bySource.push({ number, values: stated });
      continue;
    }
    const sources = isMatched ? ` JOIN ${source?.rows} s ON s.rowid = h.source` : "";
    const targets = ` JOIN ${before} t ON t.${FILE} = h.${FILE} AND t.${ROW} = h.${ROW}`;
    const values = keepOthers(stated, snapshot, rules);
    const from = `FROM ${hits} h${sources}${targets} WHERE h.clause = ${number}`;
    parts.push(make(values, "'update_postimage'", `h.${ROW_ID}`, from));
  }
  const inserts = edit.notMatched.map(({ values }, number): Maker => {
    return { number, values: statedValues(values, snapshot, given, rules, isEvolving(edit)) };
  });
  if (bySource.length > 0 && inserts.length > 0 && stateTheSame([...bySource, ...inserts])) {
    // One pass over the source for all of them: two cost a fifth more.
    const insert = clauseNumber(edit.notMatched);
    const isTaken = `h.clause IN (${bySource.map(({ number }) => number).join(", ")})`;
    const type = "CASE WHEN h.source IS NULL THEN 'insert' ELSE 'update_postimage' END";
    const from = `FROM ${source?.rows} s LEFT JOIN ${hits} h ON h.source = s.rowid WHERE CASE WHEN h.source IS NULL THEN ${insert} >= 0 ELSE ${isTaken} END`;
    parts.push(make(choose(bySource, inserts, insert), type, `h.${ROW_ID}`, from));
    return parts.join(" UNION ALL ");
  }
  for (const { number, values } of bySource) {
    const from = `FROM ${hits} h JOIN ${source?.rows} s ON s.rowid = h.source WHERE h.clause = ${number}`;
    parts.push(make(values, "'update_postimage'", `h.${ROW_ID}`, from));
  }
  for (const { number, values } of inserts)
    parts.push(
      make(values, "'insert'", "NULL::BIGINT", `FROM (${insertedRows(open, source?.rows)}) s WHERE clause = ${number}`),
    );
  return parts.length === 0 ? undefined : parts.join(" UNION ALL ");
}

/** Columns that an update does not state keep their value, but for those that are generated from others. */
function keepOthers(stated: Values, { schema }: Snapshot, { generated }: CompiledRules<string>): Values {
  const computed = new Set(generated.map(({ column: [name = ""] }) => name.toLowerCase()));
  const kept = schema.fields
    .map(({ name }) => name)
    .filter((name) => !stated.has(name.toLowerCase()) && !computed.has(name.toLowerCase()));
  return new Map([...stated, ...kept.map((name) => [name.toLowerCase(), `t.${quoteName(name)}`] as const)]);
}

function stateTheSame(makers: readonly Maker[]): boolean {
  return new Set(makers.map(({ values }) => JSON.stringify([...values.keys()].sort()))).size === 1;
}

/** Each column's value by the clause that takes the row. */
function choose(updates: readonly Maker[], inserts: readonly Maker[], insert: string): Values {
  const all = [...updates, ...inserts];
  const cases = (makers: readonly Maker[], column: string): string =>
    makers.map(({ number, values }) => `WHEN ${number} THEN ${values.get(column)}`).join(" ");
  return new Map(
    [...(all[0]?.values.keys() ?? [])].map((column) => {
      const texts = new Set(all.map(({ values }) => values.get(column) ?? "NULL"));
      const [only = "NULL"] = texts;
      if (texts.size === 1) return [column, only];
      const [inserted, updated] = [cases(inserts, column), cases(updates, column)];
      const value = `CASE WHEN h.source IS NULL THEN CASE ${insert} ${inserted} END ELSE CASE h.clause ${updated} END END`;
      return [column, value];
    }),
  );
}
