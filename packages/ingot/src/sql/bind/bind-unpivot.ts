import { quoteName, quoteText } from "../lower/lower-text.js";
import type { Unpivot } from "../parse/ast.js";
import { joinGenerated } from "./bind-generator.js";
import { coerce, fail, type Place } from "./bind-place.js";
import { derive } from "./bound.js";
import type { BoundFrom } from "./bound-from.js";
import { combineOrigins, NO_ORIGINS } from "./origins.js";
import { commonTypeOf, STRING } from "./type-rules.js";

/** `input UNPIVOT (values FOR name IN (groups))`: a row for each group of columns, beside the columns in no group. */
export function bindUnpivot(place: Place, from: BoundFrom, node: Unpivot): BoundFrom {
  const groups = node.groups.map((g) => g.columns.map((column) => place.binder.bind(place, column)));
  const used = new Set(groups.flat().map((b) => b.sql));
  const names = node.groups.map((g) => g.alias ?? g.columns.map((c) => c.path.at(-1)).join("_"));
  const key = {
    name: node.name.name,
    type: STRING,
    nullable: false,
    origins: NO_ORIGINS,
    list: `[${names.map(quoteText).join(", ")}]`,
  };
  const values = node.values.map(({ name, at }, i) => {
    const bounds = groups.flatMap((g) => g[i] ?? []);
    const types = bounds.map((b) => b.type);
    const type = commonTypeOf(types, false);
    if (type === undefined)
      throw fail(
        place,
        at,
        "UNPIVOT_VALUE_DATA_TYPE_MISMATCH",
        `The columns for ${name} have no common type`,
        "Cast them to one type first.",
        name,
      );
    const list = `[${bounds.map((b) => coerce(place, b, type).sql).join(", ")}]`;
    return { name, type, nullable: true, origins: combineOrigins(bounds, type), list };
  });
  const input = derive(groups.flat(), { sql: "", type: STRING, nullable: true, name: undefined, at: node.at });
  const kept = { ...from, columns: from.columns.filter((c) => c.hidden !== true && !used.has(c.sql)) };
  const joined = joinGenerated(place.binder, kept, { columns: [key, ...values], input }, []);
  const columns = joined.columns.map((c) => ({ ...c, qualifier: node.alias === undefined ? [] : [node.alias] }));
  if (node.includeNulls) return { ...joined, columns };
  const alias = quoteName(place.binder.newName("t"));
  const present = joined.columns.slice(-values.length).map((c) => `${c.sql} IS NOT NULL`);
  return {
    ...joined,
    sql: `(SELECT * FROM ${joined.sql} WHERE ${present.join(" OR ")}) AS ${alias}`,
    columns: columns.map((c, i) => ({ ...c, sql: `${alias}."c${i}"` })),
  };
}
