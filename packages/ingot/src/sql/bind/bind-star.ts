import { nearest } from "../../model/nearest.js";
import { normalizeZero } from "../lower/lower-text.js";
import type { Star } from "../parse/ast.js";
import { describe, fail, type Place, unsupported } from "./bind-place.js";
import { columnBound, extractField, same, starColumns } from "./bind-scope.js";
import type { OutputColumn } from "./bound.js";
import { fieldOrigins } from "./origins.js";

/** The columns of a star: of all relations, of one, or of a struct. */
export function expandStar(place: Place, item: Star): OutputColumn[] {
  const { scope } = place;
  const found = starColumns(scope, item.qualifier).map((c): OutputColumn => {
    const sql = normalizeZero(c.sql, c.type);
    const isGroup = place.grouping.has(sql);
    return { name: c.name, bound: columnBound(isGroup ? { ...c, sql } : c, item.at, !isGroup) };
  });
  const columns = found.length > 0 || item.qualifier.length === 0 ? found : structColumns(place, item);
  if (columns.length === 0) throw fail(place, item.at, "UNSUPPORTED_CLAUSE", "* has no columns here", "Add FROM.");
  for (const { name, at } of item.except) {
    if (columns.some((c) => same(c.name, name))) continue;
    const near = nearest(
      name,
      columns.map((c) => c.name),
    );
    throw fail(
      place,
      at,
      "UNRESOLVED_COLUMN.WITH_SUGGESTION",
      `* has no column ${name} to leave out`,
      near === undefined ? "Check the name." : `Did you mean ${near}?`,
      name,
    );
  }
  const kept = columns.filter((c) => !item.except.some(({ name }) => same(c.name, name)));
  const { replace } = item;
  if (replace === undefined) return kept;
  const { name, expression } = replace;
  if (!kept.some((c) => same(c.name, name.name)))
    throw fail(
      place,
      name.at,
      "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION",
      `There is no column ${name.name}`,
      "Use EXTEND.",
      name.name,
    );
  return kept.map((c) => (same(c.name, name.name) ? { name: c.name, bound: place.binder.bind(place, expression) } : c));
}

/** The paths of the columns of a star that is an argument. */
export function starPaths(place: Place, star: Star): readonly (readonly string[])[] {
  return expandStar(place, star).map(({ name }) => [...star.qualifier, name]);
}

/** `order.*`, where `order` is a struct: its fields as columns. */
function structColumns(place: Place, item: Star): OutputColumn[] {
  const value = place.binder.bind(place, { kind: "column", at: item.at, path: item.qualifier });
  if (value.type.kind !== "struct")
    throw unsupported(
      place,
      item.at,
      `${item.qualifier.join(".")}.* of ${describe(value.type)}`,
      "Only tables and structs have a star.",
    );
  return value.type.fields.map((field) => ({
    name: field.name,
    bound: {
      ...value,
      sql: extractField(value.sql, field),
      type: field.type,
      nullable: value.nullable || field.nullable,
      name: field.name,
      origins: fieldOrigins(value.origins, field),
    },
  }));
}
