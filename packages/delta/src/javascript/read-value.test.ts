import type { SchemaElement } from "hyparquet";
import { expect, it } from "vitest";
import type { DataType } from "../schema/schema.js";
import { columnsOf } from "../testing/test-table.js";
import type { ParquetNode } from "./parquet-file.js";
import { byName } from "./read-plan.js";
import { valueReader } from "./read-value.js";

const node = (element: SchemaElement, ...children: ParquetNode[]): ParquetNode => ({ element, children });
const optional = (name: string, more: Partial<SchemaElement> = {}): SchemaElement => {
  return { name, repetition_type: "OPTIONAL", ...more };
};
const repeated = (name: string, more: Partial<SchemaElement> = {}): SchemaElement => {
  return { name, repetition_type: "REPEATED", ...more };
};
const integer: DataType = { kind: "integer" };
const listOf = (element: DataType): DataType => ({ kind: "array", element, containsNull: true });
const read = (type: DataType, file: ParquetNode, stored: unknown) =>
  valueReader(file, type, type, { match: byName, calendar: { forDates: false, forInt96: false } })(stored);

/** The rules and examples of the Parquet format: "LogicalTypes", "Lists", backward compatibility. */
it.each<[string, DataType, ParquetNode, unknown, unknown]>([
  ["a repeated field alone", listOf(integer), node(repeated("c", { type: "INT32" })), [1, 2], [1, 2]],
  [
    "a repeated value",
    listOf(integer),
    node(optional("c", { converted_type: "LIST" }), node(repeated("element", { type: "INT32" }))),
    { element: [1, 2] },
    [1, 2],
  ],
  [
    "a repeated group of several fields",
    listOf({ kind: "struct", fields: columnsOf({ x: "integer", y: "integer" }) }),
    node(
      optional("c", { converted_type: "LIST" }),
      node(repeated("element"), node(optional("x", { type: "INT32" })), node(optional("y", { type: "INT32" }))),
    ),
    { element: [{ x: 1, y: null }] },
    [{ x: 1, y: null }],
  ],
  [
    "a repeated group called array",
    listOf({ kind: "struct", fields: columnsOf({ x: "integer" }) }),
    node(optional("c", { converted_type: "LIST" }), node(repeated("array"), node(optional("x", { type: "INT32" })))),
    { array: [{ x: 1 }, { x: undefined }] },
    [{ x: 1 }, { x: null }],
  ],
  [
    "a repeated group with the list's name and _tuple",
    listOf({ kind: "struct", fields: columnsOf({ x: "integer" }) }),
    node(optional("c"), node(repeated("c_tuple"), node(optional("x", { type: "INT32" })))),
    { c_tuple: [{ x: 1 }] },
    [{ x: 1 }],
  ],
  [
    "three levels",
    listOf(integer),
    node(optional("c"), node(repeated("bag"), node(optional("array_element", { type: "INT32" })))),
    { bag: [{ array_element: 1 }, { array_element: undefined }] },
    [1, null],
  ],
  [
    "an empty list of three levels",
    listOf(integer),
    node(optional("c"), node(repeated("list"), node(optional("element", { type: "INT32" })))),
    { list: [] },
    [],
  ],
  [
    "a map whose entries have other names",
    { kind: "map", key: integer, value: integer, valueContainsNull: true },
    node(
      optional("c", { converted_type: "MAP_KEY_VALUE" }),
      node(repeated("map"), node(optional("num", { type: "INT32" })), node(optional("str", { type: "INT32" }))),
    ),
    { map: [{ num: 2, str: 7 }, { num: 1 }] },
    new Map([
      [2, 7],
      [1, null],
    ]),
  ],
])("%s", (_name, type, file, stored, value) => {
  expect(read(type, file, stored)).toEqual(value);
});

it.each<[DataType, ParquetNode]>([
  [listOf(integer), node(optional("c"), node(optional("x", { type: "INT32" })))],
  [{ kind: "struct", fields: columnsOf({ x: "integer" }) }, node(optional("c", { type: "INT32" }))],
  [integer, node(optional("c"), node(optional("x", { type: "INT32" })))],
])("refuses a column that is no %j", (type, file) => {
  expect(() => read(type, file, undefined)).toThrow(TypeError);
});
