import type { Snapshot } from "@ingot/delta";
import { widensByWrite } from "../../graph/compare-types.js";
import { type Field, fieldNamed, formatType, sameType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { FLOW_COLUMN, ownColumns, QUARANTINE_COLUMNS } from "../../model/quarantine.js";
import type { RowRules } from "../../model/rule.js";
import { OWNER_PROPERTY, WIDENING_PROPERTY } from "../../model/table.js";
import type { TargetTable } from "../engine.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";

/**
 * The quarantine of a dataset as it is after a step: the rows' own columns and what a quarantine adds, with those that it
 * has of older rows. A column becomes wider with the rows.
 *
 * @param columns of the rows
 * @param kept the table; undefined where none of its rows stays
 * @throws IngotError CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE
 */
export function quarantineTable(
  { dataset, quarantine }: RowRules & { readonly quarantine: NonNullable<RowRules["quarantine"]> },
  columns: readonly Field[],
  owner: string | undefined,
  kept: Snapshot | undefined,
): TargetTable {
  const existing = kept === undefined ? [] : fromDeltaSchema(kept.schema);
  const schema = mergeColumns(quarantine.name, ownColumns(columns), existing);
  const isWider = existing.some((field, i) => !sameType(field.type, schema[i]?.type ?? field.type));
  const widens = isWider || kept?.metadata.configuration[WIDENING_PROPERTY] === "true";
  return {
    ...quarantine,
    comment: `Rows that rules of ${dataset} set aside`,
    schema,
    properties: {
      ...(owner === undefined ? {} : { [OWNER_PROPERTY]: owner }),
      ...(widens ? { [WIDENING_PROPERTY]: "true" } : {}),
    },
    partitionBy: [FLOW_COLUMN],
  };
}

function mergeColumns(name: string, rows: readonly Field[], existing: readonly Field[]): Field[] {
  const fields = [...existing];
  for (const field of [...rows, ...QUARANTINE_COLUMNS]) {
    const known = fieldNamed(fields, field.name);
    if (known === undefined) fields.push({ ...field, nullable: true });
    else if (widensByWrite(known.type, field.type)) fields[fields.indexOf(known)] = { ...known, type: field.type };
    else if (!sameType(known.type, field.type))
      throw new IngotError(
        "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
        `${name}: the column ${known.name} is ${formatType(known.type)} in the quarantine and ${formatType(field.type)} in the rows`,
        {
          object: name,
          hint: `Cast it in the query: CAST(${known.name} AS ${formatType(known.type).toUpperCase()}); or name another table for the quarantine.`,
        },
      );
  }
  return fields;
}
