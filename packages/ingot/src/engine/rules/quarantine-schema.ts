import { type Field, fieldNamed, formatType, sameType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { QUARANTINE_COLUMNS } from "../../model/quarantine.js";

/**
 * Columns of a quarantine: the rows' own and what a quarantine adds, with those that it has of older rows.
 *
 * @param existing columns of the table; none where none of its rows stays
 * @throws IngotError CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE
 */
export function quarantineSchema(name: string, rows: readonly Field[], existing: readonly Field[]): Field[] {
  const fields = [...existing];
  for (const field of [...rows, ...QUARANTINE_COLUMNS]) {
    const known = fieldNamed(fields, field.name);
    if (known === undefined) fields.push({ ...field, nullable: true });
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
