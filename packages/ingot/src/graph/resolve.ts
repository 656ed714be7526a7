import type { Dataset, ExternalTable } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { completeName, formatName, type NameDefaults, nameKey, shortName, type TableName } from "../model/name.js";
import { nearest } from "../model/nearest.js";
import type { Relation, TableRelation } from "../model/query.js";
import { definitionPath, externalFolder, type Places } from "./places.js";

/** What a relation of a query stands for, before anything is known about its columns. */
export type Resolved =
  | { readonly kind: "dataset"; readonly key: string }
  | { readonly kind: "folder"; readonly location: string; readonly name: string }
  | { readonly kind: "files" };

export interface Names {
  readonly datasets: ReadonlyMap<string, Dataset>;
  readonly externals: ReadonlyMap<string, ExternalTable>;
  readonly places: Places;
}

export function externalsByKey(externals: readonly ExternalTable[]): Map<string, ExternalTable> {
  return new Map(externals.map((e) => [nameKey(e.name), e]));
}

/**
 * Finds what a relation means. A one-part name is a temporary view first, as in Spark; then names are completed by the
 * file's catalog and schema; a table that no dataset declares is looked for in its warehouse by the caller.
 *
 * @throws IngotError UNKNOWN_CATALOG, INVALID_IDENTIFIER
 */
export function resolveRelation(relation: Relation, defaults: NameDefaults, names: Names): Resolved {
  if (relation.kind === "files") return { kind: "files" };
  if (relation.kind === "path") {
    return {
      kind: "folder",
      location: definitionPath(relation.path, names.places),
      name: `delta.\`${relation.path}\``,
    };
  }
  if (relation.name.length > 3) {
    throw new IngotError("INVALID_IDENTIFIER", `${relation.name.join(".")} has more than three parts`, {
      at: relation.at,
    });
  }
  const view = temporaryView(relation.name, names.datasets);
  if (view !== undefined) return { kind: "dataset", key: nameKey(view.name) };
  const name = completeName(relation.name, defaults);
  if (names.datasets.has(nameKey(name))) return { kind: "dataset", key: nameKey(name) };
  const external = names.externals.get(nameKey(name));
  const location = externalFolder(name, external?.path, names.places, relation.at);
  return { kind: "folder", location, name: formatName(name) };
}

function temporaryView(parts: readonly string[], datasets: ReadonlyMap<string, Dataset>): Dataset | undefined {
  const [only, ...more] = parts;
  if (only === undefined || more.length > 0) return undefined;
  return [...datasets.values()].find(
    (d) => d.kind === "temporary-view" && d.name.table.toLowerCase() === only.toLowerCase(),
  );
}

/** The error for a name that neither a dataset nor a table of a warehouse has. */
export function unknownTable(relation: TableRelation, name: TableName, names: Names): IngotError {
  const written = relation.name.join(".");
  const known = [...names.datasets.values(), ...names.externals.values()].map((d) => d.name);
  const schema = ({ catalog, schema }: TableName) => nameKey({ catalog, schema, table: "" });
  const beside = known.filter((other) => schema(other) === schema(name));
  const table = nearest(
    name.table,
    beside.map((other) => other.table),
  );
  const near =
    nearest(
      written,
      known.flatMap((other) => [shortName(other, names.places), formatName(other)]),
    ) ?? beside.filter((other) => other.table === table).map((other) => shortName(other, names.places))[0];
  return new IngotError("UNKNOWN_TABLE", `No table or view is called ${written}`, {
    at: relation.at,
    object: written,
    hint:
      near !== undefined
        ? `Did you mean \`${near}\`?`
        : names.datasets.size === 0
          ? "There is no project here: name a Delta folder as delta.`path`, or give --project DIR."
          : `No dataset of the project declares ${formatName(name)}, and its warehouse holds no such table.`,
  });
}
