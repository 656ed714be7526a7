import { type DataType, type Field, fieldNamed, formatType, sameType, withNulls } from "../model/data-type.js";
import type { Dataset } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import { type TableState, WIDENING_PROPERTY } from "../model/table.js";
import { parseType } from "../sql/ddl-types.js";
import { widensByWrite } from "./compare-types.js";
import { isTable } from "./graph.js";

/**
 * The columns of a table after a run. A materialized view takes its query's; a streaming table keeps the columns that
 * it has, wider ones where it may have such, and gains new ones (old rows read NULL), unless it starts again. Declared
 * columns must be the query's. As in Spark, a column may be NULL whatever the query says, unless it is declared NOT NULL.
 */
export function targetSchema(
  dataset: Dataset,
  inferred: readonly (readonly Field[])[],
  existing: TableState | undefined,
): readonly Field[] {
  for (const fields of inferred) refuseNames(dataset, fields);
  const merged = inferred.reduce(
    (all, fields) => mergeFields(dataset, all, fields.map(withNullsBelow), ["one flow", "another"]),
    [] as readonly Field[],
  );
  const declared = declare(dataset, merged);
  if (dataset.kind !== "streaming-table" || existing === undefined) return declared;
  return keepNotNull(
    dataset,
    mergeFields(dataset, existing.schema, declared, ["the table", "the query"]),
    declared,
    existing.schema,
  );
}

/** As in the tables that Spark makes of queries: what a column holds may be missing, whatever the query says. */
function withNullsBelow(field: Field): Field {
  return { ...field, type: withNulls(field.type) };
}

/** NOT NULL is what is declared now: it may go at any time, and come only where no row can be without a value. */
function keepNotNull(
  dataset: Dataset,
  fields: readonly Field[],
  declared: readonly Field[],
  existing: readonly Field[],
): readonly Field[] {
  return fields.map((field) => {
    const nullable = fieldNamed(declared, field.name)?.nullable ?? true;
    if (!nullable && fieldNamed(existing, field.name)?.nullable !== false) {
      throw new IngotError(
        "USER_SPECIFIED_AND_INFERRED_SCHEMA_NOT_COMPATIBLE",
        `${formatName(dataset.name)}: the column ${field.name} is declared NOT NULL, and the table may hold rows without it`,
        {
          at: dataset.at,
          object: formatName(dataset.name),
          hint: `Take NOT NULL away, or start the table again with --full-refresh ${dataset.name.table}.`,
        },
      );
    }
    return { ...field, nullable };
  });
}

function refuseNames(dataset: Dataset, fields: readonly Field[]): void {
  const name = formatName(dataset.name);
  const seen = new Set<string>();
  for (const field of fields) {
    const key = field.name.toLowerCase();
    if (seen.has(key)) {
      throw new IngotError("COLUMN_ALREADY_EXISTS", `${name}: the query gives two columns called ${field.name}`, {
        at: dataset.at,
        object: name,
        hint: "Give one of them another name with AS.",
      });
    }
    seen.add(key);
    if (isTable(dataset) && holds(field.type, "interval"))
      throw new IngotError(
        "NOT_SUPPORTED",
        `${name}: the column ${field.name} is an interval, which no table can hold`,
        {
          at: dataset.at,
          object: name,
          hint: "Keep the number of days, months or seconds.",
        },
      );
    if (isTable(dataset) && holds(field.type, "void")) {
      throw new IngotError("NOT_SUPPORTED", `${name}: the column ${field.name} has no type: it is always NULL`, {
        at: dataset.at,
        object: name,
        hint: `Give it one: CAST(NULL AS STRING) AS ${field.name}.`,
      });
    }
  }
}

/** Whether a type that no table can hold stands in it: VOID, Spark's type of a bare NULL, or an interval. */
function holds(type: DataType, kind: "void" | "interval"): boolean {
  switch (type.kind) {
    case "array":
      return holds(type.element, kind);
    case "map":
      return holds(type.key, kind) || holds(type.value, kind);
    case "struct":
      return type.fields.some((field) => holds(field.type, kind));
    default:
      return type.kind === kind;
  }
}

function mergeFields(
  dataset: Dataset,
  base: readonly Field[],
  more: readonly Field[],
  [there, here]: readonly ["the table", "the query"] | readonly ["one flow", "another"],
): readonly Field[] {
  const fields = [...base];
  for (const field of more) {
    const known = fieldNamed(fields, field.name);
    const mayWiden = there === "the table" && dataset.properties[WIDENING_PROPERTY] === "true";
    if (known === undefined) {
      fields.push(field);
    } else if (!sameType(known.type, field.type) && !(mayWiden && widensByWrite(known.type, field.type))) {
      throw new IngotError(
        "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
        `${formatName(dataset.name)}: the column ${known.name} is ${formatType(known.type)} in ${there} and ${formatType(field.type)} in ${here}`,
        {
          at: dataset.at,
          object: formatName(dataset.name),
          hint: `Cast it: CAST(${known.name} AS ${formatType(known.type).toUpperCase()})${
            there === "the table" ? otherWays(dataset, widensByWrite(known.type, field.type)) : ""
          }.`,
        },
      );
    } else {
      const comment = field.comment ?? known.comment;
      fields[fields.indexOf(known)] = {
        ...known,
        ...(sameType(known.type, field.type) ? {} : { type: field.type }),
        ...(comment === undefined ? {} : { comment }),
        ...(field.trueAmount === undefined ? {} : { trueAmount: field.trueAmount }),
      };
    }
  }
  return fields;
}

function otherWays({ name: { table } }: Dataset, isWider: boolean): string {
  const again = `start the table again with --full-refresh ${table}`;
  return isWider
    ? `; let the column become wider with the table property '${WIDENING_PROPERTY}' = 'true'; or ${again}`
    : `; or ${again}`;
}

function declare(dataset: Dataset, inferred: readonly Field[]): readonly Field[] {
  if (dataset.columns === undefined || dataset.columns.length === 0)
    return inferred.map((field) => ({ ...field, nullable: true }));
  const name = formatName(dataset.name);
  const mismatch = (message: string, hint: string) =>
    new IngotError("USER_SPECIFIED_AND_INFERRED_SCHEMA_NOT_COMPATIBLE", `${name}: ${message}`, {
      at: dataset.at,
      object: name,
      hint,
    });
  const byName = new Map(inferred.map((f) => [f.name.toLowerCase(), f]));
  const fields = dataset.columns.map((column): Field => {
    const field = byName.get(column.name.toLowerCase());
    if (field === undefined) {
      throw mismatch(
        `the column ${column.name} is declared, and the query has none`,
        `The query gives ${inferred.map((f) => f.name).join(", ")}.`,
      );
    }
    byName.delete(column.name.toLowerCase());
    if (column.type !== undefined) {
      const type = parseType(column.type);
      if (!sameType(type, field.type)) {
        throw mismatch(
          `the column ${column.name} is declared ${formatType(type)}, and the query gives ${formatType(field.type)}`,
          "Cast it in the query, or correct the declaration.",
        );
      }
    }
    const { comment: _, ...given } = field;
    return {
      ...given,
      name: column.name,
      nullable: column.notNull !== true,
      ...(column.comment === undefined ? {} : { comment: column.comment }),
    };
  });
  const [extra] = byName.values();
  if (extra !== undefined) {
    throw mismatch(
      `the query gives a column ${extra.name} that is not declared`,
      "Declare it, or leave it out of the query.",
    );
  }
  return fields;
}
