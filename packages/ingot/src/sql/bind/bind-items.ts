import type { SelectItem } from "../parse/ast.js";
import { type Place, unsupported } from "./bind-place.js";
import { expandStar } from "./bind-star.js";
import type { Bound, OutputColumn } from "./bound.js";

/** The columns that generators make, by their items. */
export type Generated = ReadonlyMap<SelectItem, readonly OutputColumn[]>;

/** The select list; an item may name the aliases before it. */
export function bindItems(
  place: Place,
  items: readonly SelectItem[],
  generated: Generated = new Map(),
): OutputColumn[] {
  const columns: OutputColumn[] = [];
  for (const item of items) {
    const here: Place = { ...place, scope: { ...place.scope, aliases: aliasMap(columns) } };
    const rows = generated.get(item);
    if (rows !== undefined) columns.push(...rows);
    else if (item.kind === "star") columns.push(...expandStar(here, item));
    else if (item.kind === "generator")
      throw unsupported(place, item.at, "Several names for one value", "Name one column.");
    else {
      const bound = place.binder.bind(here, item.expression);
      const name = item.alias ?? bound.columnName ?? bound.name;
      if (name === undefined)
        throw unsupported(place, item.at, "A column without a name of its own", "Name it with AS.");
      columns.push({ name, bound });
    }
  }
  return columns;
}

export function aliasMap(columns: readonly OutputColumn[]): Map<string, Bound | "ambiguous"> {
  const aliases = new Map<string, Bound | "ambiguous">();
  for (const { name, bound } of columns) {
    const key = name.toLowerCase();
    const known = aliases.get(key);
    const differs = known !== undefined && (known === "ambiguous" || known.sql !== bound.sql);
    aliases.set(key, differs ? "ambiguous" : bound);
  }
  return aliases;
}
