import { columnName } from "../column-name.js";
import { aliasOf, columnsOf, equalIn, type Joined, type Part, requireColumns } from "./part.js";

/** POSNR of a row that holds for all items which have none of their own. */
const HEADER = "000000";

/**
 * The rows of partners or business data that hold for the items of a document: the item's own, else the header's. A row
 * counts as a whole, since a blank of an item's row is a blank.
 *
 * @param suffix what the columns end with
 * @param only a condition over the rows, by the name of the relation
 * @param missing the reason where neither is there
 */
export function itemOrHeader(
  part: Part,
  items: Part,
  { suffix, only, missing }: { suffix: string; only?: (alias: string) => string; missing: string },
): Joined {
  requireColumns(part, ["mandt", "vbeln", "posnr"]);
  const [item, header] = [`${suffix}_item`, `${suffix}_header`];
  const either = (column: string) =>
    `if(${item}.vbeln IS NULL, ${header}.${columnName(column)}, ${item}.${columnName(column)})`;
  const join = (alias: string, posnr: string) => {
    const conditions = [equalIn(alias, aliasOf(items), ["mandt", "vbeln"]), `${alias}.posnr = ${posnr}`];
    if (only !== undefined) conditions.push(only(alias));
    return `LEFT JOIN ${part.relation} AS ${alias}\n  ON ${conditions.join(" AND ")}`;
  };
  const reason = `CASE WHEN ${item}.vbeln IS NULL AND ${header}.vbeln IS NULL THEN '${missing}' END`;
  return {
    joins: [join(item, `${aliasOf(items)}.posnr`), join(header, `'${HEADER}'`)],
    columns: [...columnsOf(part, either, suffix), { name: `reason_${suffix}`, sql: reason }],
    times: part.timed ? [either("event_ts")] : [],
  };
}
