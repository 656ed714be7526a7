import type { Compressors, FileMetaData, RowGroup, SchemaTree } from "hyparquet";
import { isListLike, isMapLike } from "hyparquet/src/schema.js";
import type { Json, JsonObject } from "../log/json.js";
import { type Leaf, readLeaf } from "./parquet-leaf.js";
import { leafKey, leavesOf } from "./schema-leaves.js";

/**
 * The rows of a Parquet file, nulls left out, quickly: structs within structs, and maps and lists of plain values in
 * them, which is all that a checkpoint holds. `isPlain` tells whether a schema is like that.
 */
export function readRows(file: Uint8Array, metadata: FileMetaData, tree: SchemaTree, compressors: Compressors) {
  return metadata.row_groups.flatMap((group) => groupRows(file, group, tree, compressors));
}

export function isPlain(tree: SchemaTree): boolean {
  return tree.children.every((child) => {
    if (isMapLike(child)) return child.children[0]?.children.every(isLeaf) ?? false;
    if (isListLike(child)) return child.children[0]?.children.every(isLeaf) === true && !isLeaf(child.children[0]);
    return child.element.repetition_type !== "REPEATED" && isPlain(child);
  });
}

function isLeaf({ children }: SchemaTree): boolean {
  return children.length === 0;
}

/** A column or a field: a value for each row, and how deep each row is defined. */
interface Column {
  readonly values: readonly (Json | undefined)[];
  readonly definitions: Uint8Array;
}

function groupRows(file: Uint8Array, group: RowGroup, tree: SchemaTree, compressors: Compressors): JsonObject[] {
  const chunks = new Map(group.columns.map(({ meta_data }) => [leafKey(meta_data?.path_in_schema ?? []), meta_data]));
  const leaves = new Map<string, Leaf>();
  for (const path of leavesOf([tree])) {
    const names = path.at(-1)?.path ?? [];
    const meta = chunks.get(leafKey(names));
    if (meta === undefined) throw new Error(`the column ${names.join(".")} is missing`);
    leaves.set(leafKey(names), readLeaf(file, { meta, path, compressors }));
  }
  const rows = Number(group.num_rows);
  const columns = tree.children.map((child) => [child.element.name, readColumn(child, 0, leaves, rows)] as const);
  return Array.from({ length: rows }, (_, row) => {
    const found: Record<string, Json> = {};
    for (const [name, { values }] of columns) {
      const value = values[row];
      if (value !== undefined) found[name] = value;
    }
    return found;
  });
}

function readColumn(node: SchemaTree, above: number, leaves: ReadonlyMap<string, Leaf>, rows: number): Column {
  const level = above + (node.element.repetition_type === "REQUIRED" ? 0 : 1);
  const leafOf = (child: SchemaTree | undefined): Leaf => {
    const leaf = child && leaves.get(leafKey(child.path));
    if (leaf === undefined) throw new Error(`${node.path.join(".")} is no plain column`);
    return leaf;
  };
  if (isLeaf(node)) return leafOf(node) as Column;
  const inner = node.children[0]?.children;
  if (isMapLike(node)) return readMap(leafOf(inner?.[0]), leafOf(inner?.[1]), level, rows);
  if (isListLike(node)) return readList(leafOf(inner?.[0]), level, rows);
  return readStruct(node, level, leaves, rows);
}

function readStruct(node: SchemaTree, level: number, leaves: ReadonlyMap<string, Leaf>, rows: number): Column {
  const fields = node.children.map((child) => ({
    name: child.element.name,
    column: readColumn(child, level, leaves, rows),
  }));
  const definitions = fields[0]?.column.definitions ?? new Uint8Array(rows);
  const told = fields.filter(({ column }) => column.values.length > 0);
  const values = new Array<JsonObject | undefined>(rows);
  for (let row = 0; row < rows; row++) {
    if ((definitions[row] ?? 0) < level) continue;
    const struct: Record<string, Json | undefined> = {};
    for (const { name, column } of told) struct[name] = column.values[row];
    values[row] = struct;
  }
  return { values, definitions };
}

function readMap(keys: Leaf, items: Leaf, level: number, rows: number): Column {
  return readEntries<Record<string, Json>>(
    keys,
    level,
    rows,
    () => ({}),
    (map, slot) => {
      map[String(keys.values[slot])] = (items.values[slot] as Json | undefined) ?? null;
    },
  );
}

function readList(items: Leaf, level: number, rows: number): Column {
  return readEntries<Json[]>(
    items,
    level,
    rows,
    () => [],
    (list, slot) => {
      list.push((items.values[slot] as Json | undefined) ?? null);
    },
  );
}

/** Goes through the slots of a repeated leaf: one without an entry, or the entries of a row one behind the other. */
function readEntries<Entries extends Json>(
  { definitions, repetitions }: Leaf,
  level: number,
  rows: number,
  start: () => Entries,
  add: (entries: Entries, slot: number) => void,
): Column {
  const values = new Array<Entries | undefined>(rows);
  const rowDefinitions = new Uint8Array(rows);
  let row = -1;
  let entries: Entries | undefined;
  for (let slot = 0; slot < definitions.length; slot++) {
    const definition = definitions[slot] ?? 0;
    if (repetitions === undefined || repetitions[slot] === 0) {
      row += 1;
      rowDefinitions[row] = definition;
      entries = definition >= level ? start() : undefined;
      if (entries !== undefined) values[row] = entries;
    }
    if (definition > level && entries !== undefined) add(entries, slot);
  }
  return { values, definitions: rowDefinitions };
}
