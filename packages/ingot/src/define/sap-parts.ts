import type { Part } from "../sap/documents/part.js";
import type { SapSystem } from "../sap/system.js";
import { type Check, check, isPlain } from "./checks.js";
import { type Call, readOptions } from "./options.js";
import type { Snapshot } from "./sap-document-types.js";
import { sapTableFault, systemOf } from "./sap-table-options.js";
import type { SapTable } from "./sap-types.js";
import type { Scope } from "./scope.js";
import { relationOf, sapTableOf } from "./values.js";

/** The parts of a document; header and items are always there. */
export type DocumentParts<K extends string> = { readonly header: Part; readonly items: Part } & {
  readonly [part in K]?: Part;
};

export const snapshot: Check<Snapshot> = check("what sapTable gave, or a relation", (value) => {
  return relationOf(value) !== undefined || snapshotOf(value) !== undefined;
});

/**
 * The tables that a document is made of.
 *
 * @param tables which table of SAP each part is
 * @param source the source of relations that no sapTable made
 * @throws IngotError BAD_OPTION, SAP_SOURCE_NOT_FOUND
 */
export function readParts<K extends string>(
  scope: Scope,
  call: Call,
  given: unknown,
  tables: Readonly<Record<K, string>>,
  systems: readonly SapSystem[],
  source: string | undefined,
): DocumentParts<K> {
  const parts = Object.keys(tables) as K[];
  const checks = Object.fromEntries(parts.map((part) => [part, snapshot])) as Record<K, Check<Snapshot>>;
  const right = readOptions(scope, call, given, checks);
  const missing = ["header", "items"].find((part) => right[part as K] === undefined);
  if (missing !== undefined) {
    const hint = `Give it what sapTable(${JSON.stringify(tables[missing as K])}, …) gave, or a relation.`;
    throw sapTableFault(call, "BAD_OPTION", `needs \`${missing}\``, hint);
  }
  const made = parts.flatMap((part) => sapTableOf(right[part]) ?? []);
  const system = source === undefined && made[0] !== undefined ? made[0].system : systemOf(call, source, systems);
  if (made.some((table) => table.system !== system)) {
    const hint = "Make a document of each source.";
    throw sapTableFault(call, "BAD_OPTION", "is given tables of different sources", hint);
  }
  const read = parts.flatMap((part): [K, Part][] => {
    const value = right[part];
    return value === undefined ? [] : [[part, readPart(call, part, value as Snapshot, tables[part], system)]];
  });
  return Object.fromEntries(read) as unknown as DocumentParts<K>;
}

/**
 * A table that a document or a subquery is made of.
 *
 * @param part its name among the parts
 * @throws IngotError BAD_OPTION
 */
export function readPart(call: Call, part: string, value: Snapshot, sapName: string, system: SapSystem): Part {
  const table = system.dictionary.table(sapName);
  const made = sapTableOf(value);
  const given = snapshotOf(value);
  if (table === undefined) throw new Error(`no dictionary describes ${sapName}`);
  if (given !== undefined && made?.table.name !== sapName) {
    const hint = `Give it what sapTable(${JSON.stringify(sapName)}, …) gave.`;
    throw sapTableFault(call, "BAD_OPTION", `takes ${sapName} for \`${part}\`, and is given ${given.table}`, hint);
  }
  const name = (relationOf(given?.snapshot ?? value)?.parts ?? []).map(({ text }) => text).join("");
  if (made !== undefined)
    return { ...made, relation: given?.scdType === 2 ? `(SELECT * FROM ${name} WHERE __END_AT IS NULL)` : name };
  const columns = table.fields.map((field) => field.name.toLowerCase());
  return { table, columns, mode: "strings", system, timed: true, relation: name };
}

function snapshotOf(value: unknown): SapTable<string, unknown> | undefined {
  if (!isPlain(value)) return undefined;
  const table = value as unknown as SapTable<string, unknown>;
  return relationOf(table.snapshot) === undefined ? undefined : table;
}
