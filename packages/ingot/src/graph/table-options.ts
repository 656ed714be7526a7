import { CHANGE_COLUMNS } from "../model/change-feed.js";
import type { Field } from "../model/data-type.js";
import { IngotError } from "../model/error.js";
import { MISSING_CHANGE_DATA } from "../model/error-catalogue.js";
import type { FilesRelation, Relation, TableOptions } from "../model/query.js";

const FEED_PROPERTY = "delta.enableChangeDataFeed";

/** The columns that a read of a table gives: a change feed has its own behind the table's. */
export function columnsRead(schema: readonly Field[], options: TableOptions | undefined): readonly Field[] {
  return options?.changeFeed === true ? [...schema, ...CHANGE_COLUMNS] : schema;
}

/**
 * Refuses the stream of a change feed that the table does not record. What a range of past versions recorded is known
 * where it is read.
 *
 * @param properties of the table as it is declared, or stands
 */
export function checkFeed(
  relation: Exclude<Relation, FilesRelation>,
  name: string,
  properties: Readonly<Record<string, string>>,
): IngotError | undefined {
  if (relation.options?.changeFeed !== true || !relation.stream) return undefined;
  const on = Object.entries(properties).find(([key]) => key.toLowerCase() === FEED_PROPERTY.toLowerCase())?.[1];
  if (on?.toLowerCase() === "true") return undefined;
  return new IngotError(MISSING_CHANGE_DATA, `${name} records no change feed`, {
    at: relation.at,
    object: name,
    hint: `Declare it with TBLPROPERTIES ('${FEED_PROPERTY}' = 'true'); changes are recorded from then on.`,
  });
}

/** A view keeps no versions: what is asked of a table must be asked where the view reads it. */
export function refuseViewOptions(relation: Exclude<Relation, FilesRelation>, name: string): IngotError | undefined {
  if (relation.options === undefined) return undefined;
  return new IngotError(
    "UNSUPPORTED_CLAUSE",
    `${name} is a view: it has no versions, no changes and no files of its own`,
    {
      at: relation.at,
      object: name,
      hint: "Write WITH (…) or table_changes behind the tables that the view reads.",
    },
  );
}
