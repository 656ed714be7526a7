import { type CompiledRules, DeltaError, type Snapshot } from "@ingot/delta";
import type { Field } from "../../../model/data-type.js";
import { nearest } from "../../../model/nearest.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";

/** Values of new rows: SQL by the lower-case name of the table's column. */
export type Values = ReadonlyMap<string, string>;

/**
 * The values that a clause states, by column.
 *
 * @param given columns of the source; "*" takes all columns of the table from it
 * @param mayLack "*" takes those columns that the source has, as with schema evolution
 * @throws DeltaError DELTA_MERGE_UNRESOLVED_EXPRESSION for a column that is not there
 */
export function statedValues(
  values: "*" | Readonly<Record<string, string>>,
  snapshot: Snapshot,
  given: ReadonlySet<string>,
  rules: CompiledRules<string>,
  mayLack: boolean,
): Values {
  const names = snapshot.schema.fields.map(({ name }) => name);
  if (values === "*") {
    const computed = new Set(
      [...rules.generated, ...rules.defaults].map(({ column: [name = ""] }) => name.toLowerCase()),
    );
    const missing = names.find((name) => !given.has(name.toLowerCase()) && !computed.has(name.toLowerCase()));
    if (missing !== undefined && !mayLack) throw unresolved(snapshot, missing, "the source", [...given]);
    return new Map(
      names.filter((name) => given.has(name.toLowerCase())).map((name) => [name.toLowerCase(), `s.${quoteName(name)}`]),
    );
  }
  const known = new Set(names.map((name) => name.toLowerCase()));
  const unknown = Object.keys(values).find((name) => !known.has(name.toLowerCase()));
  if (unknown !== undefined) throw unresolved(snapshot, unknown, snapshot.table, names);
  return new Map(Object.entries(values).map(([name, sql]) => [name.toLowerCase(), sql]));
}

function unresolved(snapshot: Snapshot, column: string, where: string, names: readonly string[]): DeltaError {
  const close = nearest(column, names);
  return new DeltaError("DELTA_MERGE_UNRESOLVED_EXPRESSION", `Cannot resolve the column ${column} in ${where}.`, {
    table: snapshot.table,
    version: snapshot.version,
    hint: close === undefined ? `It has ${names.join(", ")}.` : `Did you mean ${close}?`,
  });
}

/**
 * SQL that gives new rows with the table's columns and types. A column whose value is not stated is generated, where
 * the table says how, else it is what `otherwise` gives.
 *
 * @param rest FROM and what follows
 * @param further SQL of further columns
 */
export function newRows(
  snapshot: Snapshot,
  values: Values,
  otherwise: (field: Field) => string,
  rules: CompiledRules<string>,
  rest: string,
  further: readonly string[],
): string {
  const generated = rules.generated.filter(({ column: [name = ""] }) => !values.has(name.toLowerCase()));
  const names = new Set(generated.map(({ column: [name = ""] }) => name.toLowerCase()));
  const columns = fromDeltaSchema(snapshot.schema).map((field) => {
    const { name, type } = field;
    const value = names.has(name.toLowerCase()) ? "NULL" : (values.get(name.toLowerCase()) ?? otherwise(field));
    return `(${value})::${duckdbType(type)} AS ${quoteName(name)}`;
  });
  const rows = `SELECT ${[...columns, ...further].join(", ")} ${rest}`;
  if (generated.length === 0) return rows;
  const types = new Map(fromDeltaSchema(snapshot.schema).map(({ name, type }) => [name, type]));
  const replaced = generated.map(({ column: [name = ""], expression }) => {
    const type = types.get(name);
    return `(${expression})${type === undefined ? "" : `::${duckdbType(type)}`} AS ${quoteName(name)}`;
  });
  return `SELECT * REPLACE (${replaced.join(", ")}) FROM (${rows})`;
}

/** What a column of an inserted row is that the insert does not name. */
export function defaultValue(rules: CompiledRules<string>): (field: Field) => string {
  const defaults = new Map(rules.defaults.map(({ column: [name = ""], expression }) => [name, expression]));
  return ({ name }) => defaults.get(name) ?? "NULL";
}
