import type { DataType, Field } from "../model/data-type.js";
import type { ColumnDefinition } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import type { Position, SqlText } from "../model/position.js";
import { formatDdlType, parseSchema, parseType } from "../sql/ddl-types.js";
import { flag, text } from "./checks.js";
import type { SchemaInput } from "./column-types.js";
import { badOption, type Call, readOptions } from "./options.js";
import type { Scope } from "./scope.js";

interface Column extends Omit<Field, "type"> {
  /** Absent: the query's. */
  readonly type?: DataType;
  readonly at: Position;
  readonly sensitive: boolean;
}

/** The columns that a dataset declares. Reports BAD_SCHEMA, NOT_SUPPORTED (a type) and COLUMN_ALREADY_EXISTS. */
export function readColumns(scope: Scope, call: Call, schema: SchemaInput): ColumnDefinition[] {
  return columnsOf(scope, call, schema).map(({ name, type, nullable, comment, at, sensitive }) => ({
    name,
    ...(type === undefined ? {} : { type: { text: formatDdlType(type), segments: [{ start: 0, ...at }] } }),
    ...(nullable ? {} : { notNull: true }),
    ...(comment === undefined ? {} : { comment }),
    ...(sensitive ? { sensitive } : {}),
  }));
}

/** The columns of files or of another pipeline's table, which nothing can be said about but their types. */
export function readFields(scope: Scope, call: Call, schema: SchemaInput): Field[] {
  return columnsOf(scope, call, schema).flatMap(({ at: _, sensitive, type, ...field }): Field[] => {
    if (sensitive) {
      const message = `${call.text}: \`sensitive\` cannot be said of the column ${field.name} here`;
      badOption(scope, call, message, "Say it in the schema of the dataset that reads it.");
    }
    if (type !== undefined) return [{ ...field, type }];
    const message = `${call.text}: the column ${field.name} needs \`type\``;
    badOption(scope, call, message, 'Example: { type: "DECIMAL(10,2)" }.');
    return [];
  });
}

function columnsOf(scope: Scope, call: Call, schema: SchemaInput): Column[] {
  if (typeof schema === "string") {
    const ddl = textAt(scope, call, schema);
    const fields = guard(scope, () => parseSchema(ddl)) ?? [];
    return fields.map((field) => ({ ...field, at: scope.places.literal(schema, call.at), sensitive: false }));
  }
  return Object.entries(schema).flatMap(([name, given]): Column[] => {
    const definition = typeof given === "string" ? { type: given } : given;
    const inner = { text: `${call.text}: the column ${name}`, at: call.at };
    const checks = { type: text, notNull: flag, comment: text, sensitive: flag };
    const { type, notNull, comment, sensitive } = readOptions(scope, inner, definition, checks);
    const about = {
      name,
      nullable: notNull !== true,
      ...(comment === undefined ? {} : { comment }),
      sensitive: sensitive === true,
    };
    if (type === undefined) return [{ ...about, at: call.at }];
    const parsed = guard(scope, () => parseType(textAt(scope, call, type)));
    return parsed === undefined ? [] : [{ ...about, type: parsed, at: scope.places.literal(type, call.at) }];
  });
}

function textAt(scope: Scope, call: Call, ddl: string): SqlText {
  return { text: ddl, segments: [{ start: 0, ...scope.places.literal(ddl, call.at) }] };
}

function guard<T>(scope: Scope, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
    scope.report(error);
    return undefined;
  }
}
