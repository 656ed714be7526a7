import type { DuckDBConnection } from "@duckdb/node-api";
import {
  appendRows,
  type Condition,
  deleteRows,
  type FileRewriter,
  javascriptRewriter,
  type Literal,
  localStore,
  mergeRows,
  overwriteRows,
  readSnapshot,
  updateRows,
} from "@ingot/delta";
import { duckdbTable } from "../../../packages/ingot/src/engine/duckdb/delta/duckdb-table.js";
import { sparkEvaluator } from "../../../packages/ingot/src/engine/duckdb/delta/evaluator.js";
import { rewriteFiles } from "../../../packages/ingot/src/engine/duckdb/delta/rewrite-files.js";
import { fromDeltaSchema } from "../../../packages/ingot/src/engine/tables/delta-schema.js";
import type { Field } from "../../../packages/ingot/src/model/data-type.js";
import { quoteName } from "../../../packages/ingot/src/sql/lower/lower-text.js";
import type { Relation, Value } from "../relation.js";
import { javascriptEvaluator } from "./expressions.js";
import type { Predicate, RowStep } from "./steps.js";
import { toInput, toSql } from "./values.js";

/** One of our engines, which carries out the steps that change rows. */
export interface Writer {
  readonly name: "JavaScript" | "DuckDB";
  readonly rewriter: FileRewriter;
  change(location: string, step: RowStep): Promise<unknown>;
}

/** The column of a merge's source that tells which rows are to be deleted. */
const OPERATION = "__operation";

export const javascriptWriter: Writer = {
  name: "JavaScript",
  rewriter: javascriptRewriter(localStore),
  async change(location, step) {
    const fields = await columnsOf(location);
    const options = { evaluator: javascriptEvaluator };
    const input = (rows: Relation["rows"], columns = fields) =>
      rows.map((row) => Object.fromEntries(columns.map(({ name, type }, i) => [name, toInput(row[i] ?? null, type)])));
    const where = (predicate: Predicate) => toCondition(predicate, fields);
    switch (step.kind) {
      case "append":
        return appendRows(localStore, location, input(step.rows, named(fields, step.columns)), options);
      case "overwrite": {
        const more = step.where === undefined ? {} : { where: where(step.where) };
        return overwriteRows(localStore, location, input(step.rows), { ...options, ...more });
      }
      case "delete":
        return deleteRows(localStore, location, where(step.where));
      case "update": {
        const set = Object.fromEntries(
          Object.entries(step.set).map(([name, value]) => [name, toInput(value, columnNamed(fields, name).type)]),
        );
        return updateRows(localStore, location, { set: () => set, where: where(step.where) }, options);
      }
      case "merge": {
        const removed = input(step.remove ?? [], named(fields, step.on));
        return mergeRows(
          localStore,
          location,
          {
            source: [...input(step.rows), ...removed.map((row) => ({ ...row, [OPERATION]: "delete" }))],
            on: step.on,
            whenMatched: [{ when: (_, source) => source[OPERATION] === "delete", delete: true }, { update: "*" }],
            whenNotMatched: [{ when: (source) => source[OPERATION] !== "delete", insert: "*" }],
          },
          options,
        );
      }
    }
  },
};

export function duckdbWriter(connection: DuckDBConnection): Writer {
  return {
    name: "DuckDB",
    rewriter: rewriteFiles(connection),
    async change(location, step) {
      const fields = await columnsOf(location);
      const table = duckdbTable(connection, localStore, location, sparkEvaluator);
      const source = (rows: Relation["rows"], columns = fields) => ({ query: selectRows(rows, columns) });
      switch (step.kind) {
        case "append":
          return table.append(source(step.rows, named(fields, step.columns)));
        case "overwrite": {
          if (step.where === undefined) return table.overwrite(source(step.rows));
          return table.replaceWhere({ where: toDuckdbCondition(step.where, fields), source: source(step.rows) });
        }
        case "delete":
          return table.delete({ where: toDuckdbCondition(step.where, fields) });
        case "update": {
          const set = Object.fromEntries(
            Object.entries(step.set).map(([name, value]) => [name, toSql(value, columnNamed(fields, name).type)]),
          );
          return table.update({ set, where: toDuckdbCondition(step.where, fields) });
        }
        case "merge": {
          const keys = named(fields, step.on);
          const removed = (step.remove ?? []).map((key) => fields.map((field) => key[keys.indexOf(field)] ?? null));
          const query = [
            `SELECT *, 'upsert' AS ${OPERATION} FROM (${selectRows(step.rows, fields)})`,
            `SELECT *, 'delete' AS ${OPERATION} FROM (${selectRows(removed, fields)})`,
          ].join(" UNION ALL ");
          return table.merge({
            source: { query },
            keys: step.on,
            matched: [
              { kind: "delete", condition: `s.${OPERATION} = 'delete'` },
              { kind: "update", set: "*" },
            ],
            notMatched: [{ values: "*", condition: `s.${OPERATION} <> 'delete'` }],
          });
        }
      }
    },
  };
}

export async function columnsOf(location: string): Promise<Field[]> {
  const snapshot = await readSnapshot(localStore, location);
  if (snapshot === undefined) throw new Error(`${location} is no table`);
  return fromDeltaSchema(snapshot.schema);
}

function columnNamed(fields: readonly Field[], name: string): Field {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`there is no column ${name}`);
  return field;
}

function named(fields: readonly Field[], names: readonly string[] | undefined): Field[] {
  return names === undefined ? [...fields] : names.map((name) => columnNamed(fields, name));
}

/** Many rows at once by a query over literals; DuckDB plans thousands of them in one VALUES list quickly enough. */
function selectRows(rows: Relation["rows"], columns: readonly Field[]): string {
  const lists = rows.map((row) => `(${columns.map(({ type }, i) => toSql(row[i] ?? null, type)).join(", ")})`);
  const nulls = `(${columns.map(({ type }) => toSql(null, type)).join(", ")})`;
  const names = columns.map(({ name }) => quoteName(name)).join(", ");
  const values = `SELECT * FROM (VALUES ${rows.length === 0 ? nulls : lists.join(", ")}) AS v(${names})`;
  return rows.length === 0 ? `${values} WHERE false` : values;
}

function toCondition({ column, in: values }: Predicate, fields: readonly Field[]): Condition {
  const { type } = columnNamed(fields, column);
  const isNull: Condition = { kind: "isNull", column: [column] };
  const present = values.filter((value) => value !== null);
  const among: Condition = {
    kind: "in",
    column: [column],
    values: present.map((value) => toInput(value, type) as Literal),
  };
  if (!values.includes(null)) return among;
  return present.length === 0 ? isNull : { kind: "or", conditions: [isNull, among] };
}

function toDuckdbCondition({ column, in: values }: Predicate, fields: readonly Field[]): string {
  const { type } = columnNamed(fields, column);
  const name = `t.${quoteName(column)}`;
  const present = values.filter((value): value is Exclude<Value, null> => value !== null);
  const parts = [
    ...(values.includes(null) ? [`${name} IS NULL`] : []),
    ...(present.length === 0 ? [] : [`${name} IN (${present.map((value) => toSql(value, type)).join(", ")})`]),
  ];
  return parts.join(" OR ");
}
