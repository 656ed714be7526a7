import type { Field } from "../model/data-type.js";
import type * as model from "../model/definition.js";
import { completeName, type NameDefaults, quoteIdentifier, type TableName } from "../model/name.js";
import { type Position, type SqlText, slice } from "../model/position.js";
import type { Part as DocumentPart } from "../sap/documents/part.js";
import { quoteName } from "../sql/quote.js";
import type { Dataset, Expectation, Flow, Relation, Sql, TableRef } from "./types.js";

// Registered symbols: a value of one copy of the package is known in another (a test's and a loaded project's).
const SQL = Symbol.for("ingot.sql");
const RELATION = Symbol.for("ingot.relation");
const EXPECTATION = Symbol.for("ingot.expectation");
const FLOW = Symbol.for("ingot.flow");
const SAP_TABLE = Symbol.for("ingot.sap-table");

/** A run of SQL text. Without `at` it stands where the piece is used. */
export interface Part {
  readonly text: string;
  readonly at?: Position;
}
/** What a relation is in SQL; `table` where it has a name, `files` where it is files. */
export interface RelationParts {
  readonly parts: readonly Part[];
  readonly table?: TableName;
  readonly files?: FilesRead;
}
/** What a read of files says of their columns. */
export interface FilesRead {
  readonly format?: string;
  readonly schema?: readonly Field[];
  readonly hasHints: boolean;
  /** The column that keeps a record which does not fit, where one is named. */
  readonly corruptRecord?: string;
}

export function makeSql(parts: readonly Part[]): Sql {
  return hide({ text: parts.map((p) => p.text).join("") }, SQL, parts) as unknown as Sql;
}

export function makeRelation<T extends Relation<unknown>>(shown: Omit<T, "col">, relation: RelationParts): T {
  const col = (name: string): Sql => makeSql([{ text: quoteIdentifier(name) }]);
  return hide({ ...shown, col }, RELATION, relation) as unknown as T;
}

/** A table or view by its name; in SQL, the complete name, which no CTE of the same short name can hide. */
export function makeTable<T extends Dataset | TableRef>(kind: T["kind"], name: string, table: TableName): T {
  const text = [table.catalog, table.schema, table.table].map(quoteName).join(".");
  return makeRelation<T>({ kind, name } as Omit<T, "col">, { parts: [{ text }], table });
}

/** A reference: its name as written, since it may be completed by other defaults or be a temporary view's. */
export function makeReference(name: string, parts: readonly string[], defaults: NameDefaults): TableRef {
  const text = parts.map(quoteName).join(".");
  return makeRelation<TableRef>(
    { kind: "reference", name },
    { parts: [{ text }], table: completeName(parts, defaults) },
  );
}

export function makeExpectation(rule: model.Expectation): Expectation {
  const { name, action } = rule;
  return hide({ kind: "expectation", name, action } as const, EXPECTATION, rule);
}

export function makeFlow(name: string, target: Dataset | TableRef): Flow {
  return hide({ kind: "flow", name, target: target as Dataset } as const, FLOW, true);
}

/** What a table of SAP was made as; undefined where no dictionary describes it. */
export type SapTableMade = Omit<DocumentPart, "relation">;

export function makeSapTable<T extends object>(shown: T, made: SapTableMade | undefined): Readonly<T> {
  return hide(shown, SAP_TABLE, made);
}

export function partsOfSql(value: unknown): readonly Part[] | undefined {
  return hidden(value, SQL) as readonly Part[] | undefined;
}
export function relationOf(value: unknown): RelationParts | undefined {
  return hidden(value, RELATION) as RelationParts | undefined;
}
export function ruleOf(value: unknown): model.Expectation | undefined {
  return hidden(value, EXPECTATION) as model.Expectation | undefined;
}
export function sapTableOf(value: unknown): SapTableMade | undefined {
  return hidden(value, SAP_TABLE) as SapTableMade | undefined;
}
export function isFlow(value: unknown): boolean {
  return hidden(value, FLOW) !== undefined;
}

/** The text of parts with their places, without white space around it; parts without a place stand at `use`. */
export function toSqlText(parts: readonly Part[], use: Position): SqlText {
  const segments = [];
  let text = "";
  for (const part of parts) {
    if (part.text === "" && parts.length > 1) continue;
    segments.push({ start: text.length, ...(part.at ?? use) });
    text += part.text;
  }
  const trimmed = text.trim();
  const start = text.indexOf(trimmed);
  return slice({ text, segments }, start, start + trimmed.length);
}

/** Frozen; what is ours does not show when the value is printed or compared. */
function hide<T extends object>(shown: T, brand: symbol, value: unknown): Readonly<T> {
  return Object.freeze(Object.defineProperty(shown, brand, { value }));
}

function hidden(value: unknown, brand: symbol): unknown {
  return typeof value === "object" && value !== null ? (value as Record<symbol, unknown>)[brand] : undefined;
}
