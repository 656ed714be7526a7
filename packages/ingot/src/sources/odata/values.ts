import { invalidPage } from "./fault.js";
import { decodeText } from "./link.js";

/** A row as it lands: the text of each value as the service wrote it. */
export type Row = Readonly<Record<string, string | null>>;

/** What the columns of ODP say of a row that is there, and of one that is gone, where a set does not have them. */
const PRESENT: Row = { ODQ_CHANGEMODE: "", ODQ_ENTITYCNTR: "1" };
const GONE: Row = { ODQ_CHANGEMODE: "D", ODQ_ENTITYCNTR: "-1" };

/**
 * A row of an answer whose numbers are texts (`parseExactJson`). Links and other control information are left out.
 *
 * @param key columns of the key, for V4's rows of what was removed
 * @throws IngotError EXTRACT_PAGE_INVALID for what is no row, or a value that is no text, number, boolean or null
 */
export function toRow(item: unknown, key: readonly string[]): Row {
  if (!isObject(item))
    throw invalidPage("has a row that is no object", "Look at it with another client: it is no OData.");
  const id = removedId(item);
  const values = Object.entries(item).flatMap(([name, value]) => {
    if (isControl(name, value) || (id !== undefined && !key.includes(name))) return [];
    return [[name, toText(name, value)] as const];
  });
  const row: Row = Object.fromEntries(values);
  if (id !== undefined) return { ...keyOfId(id, key), ...row, ...GONE };
  return Object.hasOwn(row, "ODQ_CHANGEMODE") ? row : { ...row, ...PRESENT };
}

/** A row that says that a key is gone. */
export function goneRow(key: Row): Row {
  return { ...key, ...GONE };
}

/** V2's `__metadata` and links that were not followed, V4's annotations. */
function isControl(name: string, value: unknown): boolean {
  return name === "__metadata" || name.includes("@") || (isObject(value) && Object.hasOwn(value, "__deferred"));
}

function toText(name: string, value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  throw invalidPage(
    `has an object or a list in the column ${name}`,
    "Rows land flat: leave it out with `select`, or give it a set of its own.",
  );
}

/** The address of a row that V4 says was removed, in one of its two forms. */
function removedId(item: Readonly<Record<string, unknown>>): string | undefined {
  const context = item["@odata.context"] ?? item["@context"];
  const isEntity = typeof context === "string" && context.endsWith("/$deletedEntity");
  if (!isEntity && !("@removed" in item) && !("@odata.removed" in item)) return undefined;
  const id = item["@odata.id"] ?? item["@id"] ?? (isEntity ? item["id"] : undefined);
  return typeof id === "string" ? id : "";
}

/** The key in `Orders(VBELN='1',POSNR='10')`, or in `Orders('1')` where it has one column. */
function keyOfId(id: string, key: readonly string[]): Row {
  const [, inside = ""] = /\((.*)\)$/.exec(decodeText(id)) ?? [];
  const parts = [...inside.matchAll(/(?:([A-Za-z_]\w*)=)?(?:'((?:[^']|'')*)'|([^,']+))(?:,|$)/g)];
  return Object.fromEntries(
    parts.flatMap(([, name = parts.length === 1 && key.length === 1 ? key[0] : undefined, text, bare]) =>
      name === undefined ? [] : [[name, text?.replaceAll("''", "'") ?? bare ?? null]],
    ),
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
