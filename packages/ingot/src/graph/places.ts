import { join, resolve } from "node:path";
import { IngotError } from "../model/error.js";
import type { NameDefaults, TableName } from "../model/name.js";
import { formatName, nameKey } from "../model/name.js";
import { nearest } from "../model/nearest.js";
import type { Position } from "../model/position.js";

/** Where tables lie, as the spec says. */
export interface Places extends NameDefaults {
  /** Relative paths of definitions start here. */
  readonly root: string;
  readonly storage: string;
  readonly warehouse: string;
  /** Warehouses of other catalogs, by lower-case name. */
  readonly catalogs: Readonly<Record<string, string>>;
}

/**
 * The folder of a table: `<warehouse>/<schema>/<table>`, in lower case since names are compared without it.
 *
 * @throws IngotError UNKNOWN_CATALOG
 */
export function tableFolder(name: TableName, places: Places, at?: Position): string {
  return join(warehouseOf(name, places, at), folderName(name.schema), folderName(name.table));
}

/** The name under which queries find the pipeline's events. */
export function eventTableName({ catalog, schema }: NameDefaults): TableName {
  return { catalog, schema, table: "event_log" };
}

/** The table of the pipeline's events lies with its state: a warehouse may be that of several pipelines. */
export function eventTableFolder({ storage }: Places): string {
  return join(storage, "event_log");
}

/**
 * The folder of a table that no dataset declares: the path that an external table gives, else that of its name.
 *
 * @throws IngotError as `tableFolder` and `definitionPath`
 */
export function externalFolder(name: TableName, path: string | undefined, places: Places, at?: Position): string {
  if (path !== undefined) return definitionPath(path, places);
  return nameKey(name) === nameKey(eventTableName(places)) ? eventTableFolder(places) : tableFolder(name, places, at);
}

/** A private table lies with the pipeline's state, outside every catalog. */
export function privateFolder(name: TableName, places: Places): string {
  return join(places.storage, "_private", ...[name.catalog, name.schema, name.table].map(folderName));
}

/**
 * A folder that a definition names, relative to the spec's.
 *
 * @throws IngotError NOT_SUPPORTED for another scheme than `file:`
 */
export function definitionPath(path: string, places: Places): string {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/is.exec(path) ?? [];
  if (scheme === undefined || rest === undefined) return resolve(places.root, path);
  if (scheme.toLowerCase() === "file") return resolve(places.root, rest);
  throw new IngotError("NOT_SUPPORTED", `Tables in ${scheme}: cannot be read yet: ${path}`, {
    object: path,
    hint: "Copy the table to a local folder and name that.",
  });
}

/** A name part as a folder's name: safe on every file system, never hidden, never above. */
export function folderName(part: string): string {
  return encode(part.toLowerCase()).replace(/[.*'()!~]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function encode(part: string): string {
  try {
    return encodeURIComponent(part);
  } catch (cause) {
    throw new IngotError(
      "INVALID_IDENTIFIER",
      `The name ${JSON.stringify(part)} is no text: it holds half a character`,
      {
        object: part,
        hint: "Choose another name.",
        cause,
      },
    );
  }
}

/** The name part, in lower case, that a folder stands for; undefined where no part gives this folder. */
export function partOf(folder: string): string | undefined {
  try {
    const part = decodeURIComponent(folder);
    return folderName(part) === folder ? part : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function warehouseOf(name: TableName, places: Places, at?: Position): string {
  const catalog = name.catalog.toLowerCase();
  if (catalog === places.catalog.toLowerCase()) return places.warehouse;
  const warehouse = Object.hasOwn(places.catalogs, catalog) ? places.catalogs[catalog] : undefined;
  if (warehouse !== undefined) return warehouse;
  const known = [places.catalog, ...Object.keys(places.catalogs)];
  const near = nearest(name.catalog, known);
  throw new IngotError("UNKNOWN_CATALOG", `${formatName(name)}: no catalog \`${name.catalog}\` is known`, {
    ...(at === undefined ? {} : { at }),
    object: formatName(name),
    hint: `${near === undefined ? "" : `Did you mean \`${near}\`? `}Map it in the spec: catalogs: { ${name.catalog}: path/to/its/warehouse }.`,
  });
}
