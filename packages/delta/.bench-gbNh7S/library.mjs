var __defProp = Object.defineProperty;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// packages/delta/src/files/parquet-pages.ts
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
function unpack({ bytes, codec, size }, compressors) {
  return decompressPage(bytes, size, codec, compressors);
}
function emptyLevels({ meta, path }) {
  const [slots, tree] = [Number(meta.num_values), [...path]];
  return {
    definitions: new Uint8Array(slots),
    repetitions: getMaxRepetitionLevel(tree) > 0 ? new Uint8Array(slots) : void 0,
    maxDefinition: getMaxDefinitionLevel(tree)
  };
}
function* readPages(file, chunk, levels) {
  const { meta } = chunk;
  const begin = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const column = file.subarray(begin, begin + Number(meta.total_compressed_size));
  const reader = { view: viewOf(column), offset: 0 };
  for (let start = 0; start < levels.definitions.length; ) {
    const header = parquetHeader(reader);
    const bytes = column.subarray(reader.offset, reader.offset + header.compressed_page_size);
    if (bytes.length < header.compressed_page_size) throw new Error("a page is cut off");
    reader.offset += bytes.length;
    if (header.type === "DICTIONARY_PAGE") {
      const content2 = { bytes, codec: meta.codec, size: header.uncompressed_page_size };
      const count2 = header.dictionary_page_header?.num_values ?? 0;
      yield { header, bytes, isDictionary: true, start, end: start, count: count2, content: content2 };
      continue;
    }
    const slots = (header.data_page_header ?? header.data_page_header_v2)?.num_values;
    if (slots === void 0) throw new Error(`a page is of the unknown type ${header.type}`);
    const end = start + slots;
    const content = readLevels(bytes, header, chunk, {
      ...levels,
      definitions: levels.definitions.subarray(start, end),
      repetitions: levels.repetitions?.subarray(start, end)
    });
    let count = 0;
    for (let slot = start; slot < end; slot++) if (levels.definitions[slot] === levels.maxDefinition) count += 1;
    yield { header, bytes, isDictionary: false, start, end, count, content };
    start = end;
  }
}
function readLevels(page, header, chunk, levels) {
  const { data_page_header_v2: v2, uncompressed_page_size: size } = header;
  const { codec } = chunk.meta;
  const bytes = v2 === void 0 ? unpack({ bytes: page, codec, size }, chunk.compressors) : page;
  const reader = { view: viewOf(bytes), offset: 0 };
  for (const { output, max, length } of [
    {
      output: levels.repetitions,
      max: getMaxRepetitionLevel([...chunk.path]),
      length: v2?.repetition_levels_byte_length
    },
    { output: levels.definitions, max: levels.maxDefinition, length: v2?.definition_levels_byte_length }
  ])
    if (max > 0 && output !== void 0) readRleBitPackedHybrid(reader, 32 - Math.clz32(max), output, length);
  const values = bytes.subarray(reader.offset);
  const isPlain2 = v2 === void 0 || v2.is_compressed === false;
  return { bytes: values, codec: isPlain2 ? "UNCOMPRESSED" : codec, size: size - reader.offset };
}
function viewOf({ buffer, byteOffset, byteLength }) {
  return new DataView(buffer, byteOffset, byteLength);
}
var init_parquet_pages = __esm({
  "packages/delta/src/files/parquet-pages.ts"() {
    "use strict";
  }
});

// packages/delta/src/files/parquet-values.ts
function exactValue(element) {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  if (converted === "DECIMAL") return (value) => decimal(value, scale);
  if (converted === "DATE") return (value) => iso(BigInt(value) * 86400000000n).slice(0, -16);
  if (type === "INT96") return (value) => `${iso(int96(value))}+00`;
  const unit = logical?.type === "TIMESTAMP" ? logical.unit : converted === "TIMESTAMP_MILLIS" ? "MILLIS" : "MICROS";
  if (logical?.type !== "TIMESTAMP" && !converted?.startsWith("TIMESTAMP_")) return void 0;
  const zone = logical?.type === "TIMESTAMP" && !logical.isAdjustedToUTC ? "" : "+00";
  return (value) => `${iso(micros(value, unit))}${zone}`;
}
function micros(value, unit) {
  if (unit === "MILLIS") return value * 1000n;
  return unit === "MICROS" ? value : floorDivide(value, 1000n);
}
function int96(value) {
  const days2 = (value >> 64n) - 2440588n;
  return days2 * 86400000000n + (value & 0xffffffffffffffffn) / 1000n;
}
function iso(time) {
  const milliseconds = floorDivide(time, 1000n);
  const rest = (time - milliseconds * 1000n).toString().padStart(3, "0");
  return `${new Date(Number(milliseconds)).toISOString().slice(0, -1).replace("T", " ")}${rest}`;
}
function floorDivide(value, by) {
  const quotient = value / by;
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient;
}
function decimal(value, scale) {
  const unscaled = value instanceof Uint8Array ? bigEndian(value) : BigInt(value);
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const sign = unscaled < 0n ? "-" : "";
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
function bigEndian(bytes) {
  let value = 0n;
  for (const byte of bytes) value = value << 8n | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}
var init_parquet_values = __esm({
  "packages/delta/src/files/parquet-values.ts"() {
    "use strict";
  }
});

// packages/delta/src/files/parquet-leaf.ts
import { isAscii } from "node:buffer";
import { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { readRleBitPackedHybrid as readRleBitPackedHybrid2 } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
function readLeaf(file, chunk) {
  const levels = emptyLevels(chunk);
  const { definitions, maxDefinition } = levels;
  let values = [];
  let dictionary;
  for (const page of readPages(file, chunk, levels)) {
    const content = readValues(page, chunk, dictionary);
    if (page.isDictionary) dictionary = content;
    if (page.isDictionary || page.count === 0) continue;
    if (values.length === 0) values = new Array(definitions.length);
    let next = 0;
    for (let slot = page.start; slot < page.end; slot++)
      if (definitions[slot] === maxDefinition) values[slot] = content[next++];
  }
  return { ...levels, values };
}
function readValues(page, chunk, dictionary) {
  const { header, bytes, count, content } = page;
  const { meta, compressors } = chunk;
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  if (count === 0) return [];
  const encoding = page.isDictionary ? "PLAIN" : (v1 ?? v2)?.encoding;
  if (encoding === "PLAIN") return plainValues(unpack(content, compressors), count, chunk);
  if (encoding?.endsWith("_DICTIONARY") && dictionary !== void 0)
    return look(unpack(content, compressors), count, dictionary);
  const decoder = decoderOf(chunk);
  if (v1 === void 0) return meanings(readDataPageV2(bytes, header, decoder).dataPage, decoder);
  const whole = unpack({ bytes, codec: meta.codec, size: header.uncompressed_page_size }, compressors);
  return meanings(readDataPage(whole, v1, decoder).dataPage, decoder);
}
function look(content, count, dictionary) {
  const ids = new Uint32Array(count);
  const bitWidth = content[0] ?? 0;
  if (bitWidth > 0) readRleBitPackedHybrid2({ view: viewOf(content), offset: 1 }, bitWidth, ids, content.length - 1);
  return Array.from(ids, (id) => dictionary[id]);
}
function plainValues(content, count, chunk) {
  const decoder = decoderOf(chunk);
  const { type, element } = decoder;
  if (type === "BYTE_ARRAY" && element.converted_type !== "DECIMAL") return texts2(content, count);
  return meanings(readPlain({ view: viewOf(content), offset: 0 }, type, count, element.type_length), decoder);
}
function meanings(values, decoder) {
  const exact = exactValue(decoder.element);
  return exact === void 0 ? convert(values, decoder) : Array.from(values, exact);
}
function texts2(content, count) {
  const page = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const whole = page.toString("latin1");
  const view = viewOf(content);
  const found = new Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    if (at > page.length) throw new Error("a text is cut off");
    found[i] = isAscii(content.subarray(start, at)) ? whole.slice(start, at) : page.toString("utf8", start, at);
  }
  return found;
}
function decoderOf({ meta, path, compressors }) {
  const element = path.at(-1)?.element;
  if (element === void 0) throw new Error("a column is not in the schema");
  const { type, codec, path_in_schema: pathInSchema } = meta;
  return { pathInSchema, type, codec, element, schemaPath: [...path], parsers: DEFAULT_PARSERS, compressors };
}
var init_parquet_leaf = __esm({
  "packages/delta/src/files/parquet-leaf.ts"() {
    "use strict";
    init_parquet_pages();
    init_parquet_values();
  }
});

// packages/delta/src/files/parquet-rows.ts
var parquet_rows_exports = {};
__export(parquet_rows_exports, {
  isPlain: () => isPlain,
  readRows: () => readRows
});
import { isListLike, isMapLike } from "hyparquet/src/schema.js";
function readRows(file, metadata, tree, compressors) {
  return metadata.row_groups.flatMap((group) => groupRows(file, group, tree, compressors));
}
function isPlain(tree) {
  return tree.children.every((child) => {
    if (isMapLike(child)) return child.children[0]?.children.every(isLeaf) ?? false;
    if (isListLike(child)) return child.children[0]?.children.every(isLeaf) === true && !isLeaf(child.children[0]);
    return child.element.repetition_type !== "REPEATED" && isPlain(child);
  });
}
function isLeaf({ children }) {
  return children.length === 0;
}
function groupRows(file, group, tree, compressors) {
  const leaves = /* @__PURE__ */ new Map();
  const collect = (node, path) => {
    for (const child of node.children) collect(child, [...path, child]);
    if (!isLeaf(node)) return;
    const key = keyOf(node.path);
    const meta = group.columns.find(({ meta_data }) => keyOf(meta_data?.path_in_schema ?? []) === key)?.meta_data;
    if (meta === void 0) throw new Error(`the column ${node.path.join(".")} is missing`);
    leaves.set(key, readLeaf(file, { meta, path, compressors }));
  };
  collect(tree, [tree]);
  const rows = Number(group.num_rows);
  const columns = tree.children.map((child) => [child.element.name, readColumn(child, 0, leaves, rows)]);
  return Array.from({ length: rows }, (_, row) => {
    const found = {};
    for (const [name, { values }] of columns) {
      const value = values[row];
      if (value !== void 0) found[name] = value;
    }
    return found;
  });
}
function keyOf(path) {
  return path.join("\0");
}
function readColumn(node, above, leaves, rows) {
  const level = above + (node.element.repetition_type === "REQUIRED" ? 0 : 1);
  const leafOf = (child) => {
    const leaf = child && leaves.get(keyOf(child.path));
    if (leaf === void 0) throw new Error(`${node.path.join(".")} is no plain column`);
    return leaf;
  };
  if (isLeaf(node)) return leafOf(node);
  const inner = node.children[0]?.children;
  if (isMapLike(node)) return readMap(leafOf(inner?.[0]), leafOf(inner?.[1]), level, rows);
  if (isListLike(node)) return readList(leafOf(inner?.[0]), level, rows);
  return readStruct(node, level, leaves, rows);
}
function readStruct(node, level, leaves, rows) {
  const fields2 = node.children.map((child) => ({
    name: child.element.name,
    column: readColumn(child, level, leaves, rows)
  }));
  const definitions = fields2[0]?.column.definitions ?? new Uint8Array(rows);
  const told = fields2.filter(({ column }) => column.values.length > 0);
  const values = new Array(rows);
  for (let row = 0; row < rows; row++) {
    if ((definitions[row] ?? 0) < level) continue;
    const struct2 = {};
    for (const { name, column } of told) struct2[name] = column.values[row];
    values[row] = struct2;
  }
  return { values, definitions };
}
function readMap(keys, items, level, rows) {
  return readEntries(
    keys,
    level,
    rows,
    () => ({}),
    (map, slot) => {
      map[String(keys.values[slot])] = items.values[slot] ?? null;
    }
  );
}
function readList(items, level, rows) {
  return readEntries(
    items,
    level,
    rows,
    () => [],
    (list3, slot) => {
      list3.push(items.values[slot] ?? null);
    }
  );
}
function readEntries({ definitions, repetitions }, level, rows, start, add) {
  const values = new Array(rows);
  const rowDefinitions = new Uint8Array(rows);
  let row = -1;
  let entries;
  for (let slot = 0; slot < definitions.length; slot++) {
    const definition = definitions[slot] ?? 0;
    if (repetitions === void 0 || repetitions[slot] === 0) {
      row += 1;
      rowDefinitions[row] = definition;
      entries = definition >= level ? start() : void 0;
      if (entries !== void 0) values[row] = entries;
    }
    if (definition > level && entries !== void 0) add(entries, slot);
  }
  return { values, definitions: rowDefinitions };
}
var init_parquet_rows = __esm({
  "packages/delta/src/files/parquet-rows.ts"() {
    "use strict";
    init_parquet_leaf();
  }
});

// packages/delta/src/files/snappy-check.ts
function checkSnappy(input, outputLength) {
  const end = input.length;
  let from = 0;
  while ((input[from++] ?? 0) >= 128) ;
  let to = 0;
  while (from < end) {
    const tag = input[from++];
    const kind = tag & 3;
    let length = tag >>> 2;
    if (kind === 0) {
      if (length >= 60) {
        const bytes = length - 59;
        length = 0;
        for (let i = 0; i < bytes; i++) length |= (input[from + i] ?? 0) << 8 * i;
        from += bytes;
      }
      length += 1;
      if (length < 0) throw damaged2();
      from += length;
    } else {
      let offset = input[from] ?? 0;
      if (kind === 1) {
        length = (length & 7) + 4;
        offset |= tag >>> 5 << 8;
        from += 1;
      } else {
        length += 1;
        offset |= (input[from + 1] ?? 0) << 8;
        if (kind === 3) offset += (input[from + 2] ?? 0) * 65536 + (input[from + 3] ?? 0) * 16777216;
        from += kind === 2 ? 2 : 4;
      }
      if (offset === 0 || offset > to) throw damaged2();
    }
    to += length;
    if (from > end) throw damaged2();
  }
  if (to !== outputLength) throw damaged2();
}
function damaged2() {
  return new Error("a Snappy block is damaged");
}
var init_snappy_check = __esm({
  "packages/delta/src/files/snappy-check.ts"() {
    "use strict";
  }
});

// packages/delta/src/files/parquet-texts.ts
var parquet_texts_exports = {};
__export(parquet_texts_exports, {
  readTexts: () => readTexts
});
function readTexts(file, { row_groups: groups }, path, compressors, explain) {
  const rows = groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0);
  const [pages, places] = [new Array(rows), new Uint32Array(rows)];
  const name = path.at(-1)?.path.join("\0");
  let first = 0;
  for (const { columns } of groups) {
    const meta = columns.find(({ meta_data }) => meta_data?.path_in_schema.join("\0") === name)?.meta_data;
    if (meta === void 0) throw new Error("a column is missing in a row group");
    const chunk = { meta, path, compressors };
    const levels = emptyLevels(chunk);
    let dictionary;
    for (const page of readPages(file, chunk, levels)) {
      if (page.isDictionary) dictionary = readValues(page, chunk, void 0);
      const texts3 = page.count === 0 ? void 0 : textPage(page, chunk, dictionary, explain);
      let place2 = 0;
      for (let slot = page.start; slot < page.end; slot++) {
        if (levels.definitions[slot] !== levels.maxDefinition) continue;
        pages[first + slot] = texts3;
        places[first + slot] = place2++;
      }
    }
    first += levels.definitions.length;
  }
  return { pages, places };
}
function textPage(page, chunk, dictionary, explain) {
  const { header, content, count } = page;
  if ((header.data_page_header ?? header.data_page_header_v2)?.encoding !== "PLAIN") {
    const texts3 = readValues(page, chunk, dictionary);
    return { text: (place2) => texts3[place2] };
  }
  const open4 = () => new PlainPage(unpack(content, chunk.compressors), count);
  if (content.codec !== "SNAPPY") return open4();
  checkSnappy(content.bytes, content.size);
  return new PackedPage(() => {
    try {
      return open4();
    } catch (cause) {
      throw explain(cause);
    }
  });
}
var PlainPage, PackedPage;
var init_parquet_texts = __esm({
  "packages/delta/src/files/parquet-texts.ts"() {
    "use strict";
    init_parquet_leaf();
    init_parquet_pages();
    init_snappy_check();
    PlainPage = class {
      #bytes;
      /** Where each text ends. */
      #ends;
      constructor({ buffer, byteOffset, byteLength }, count) {
        this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
        this.#ends = new Uint32Array(count);
        let at = 0;
        for (let i = 0; i < count; i++) {
          if (at + 4 > byteLength) throw new Error("a text is cut off");
          at += 4 + this.#bytes.readUInt32LE(at);
          this.#ends[i] = at;
        }
        if (at > byteLength) throw new Error("a text is cut off");
      }
      text(place2) {
        const start = (place2 === 0 ? 0 : this.#ends[place2 - 1] ?? 0) + 4;
        return this.#bytes.toString("utf8", start, this.#ends[place2]);
      }
    };
    PackedPage = class {
      #open;
      #page;
      constructor(open4) {
        this.#open = open4;
      }
      text(place2) {
        if (this.#open !== void 0) this.#page = this.#open();
        this.#open = void 0;
        return this.#page.text(place2);
      }
    };
  }
});

// packages/delta/src/error-catalogue.ts
function errors(kind, entries) {
  const list3 = Object.entries(entries).map(([code, [sqlState, when]]) => [
    code,
    sqlState === "" ? { kind, when } : { kind, when, sqlState }
  ]);
  return Object.fromEntries(list3);
}
var DELTA_ERRORS = {
  ...errors("conflict", {
    DELTA_PROTOCOL_CHANGED: ["2D521", "Another writer created the table or raised its protocol first."],
    DELTA_METADATA_CHANGED: ["2D521", "Another writer changed the schema or the properties first."],
    DELTA_CONCURRENT_TRANSACTION: ["2D521", "Another writer committed for the same application first."],
    DELTA_CONCURRENT_APPEND: ["2D521", "Another writer added rows that the commit would have read."],
    DELTA_CONCURRENT_DELETE_READ: ["2D521", "Another writer removed rows that the commit has read."],
    DELTA_CONCURRENT_DELETE_DELETE: ["2D521", "Another writer changed the same files first."],
    DELTA_MAX_COMMIT_RETRIES_EXCEEDED: ["40000", "Other writers were faster too many times in a row."]
  }),
  ...errors("damaged", {
    DELTA_TABLE_UNREADABLE: ["", "A log with a gap, a damaged file or a missing file."],
    DELTA_FILE_NOT_FOUND: ["42K03", "A data file that a version needs is gone."]
  }),
  ...errors("table", {
    DELTA_UNSUPPORTED_FEATURES_FOR_READ: ["56038", "A table with a reader feature that is not known."],
    DELTA_UNSUPPORTED_FEATURES_FOR_WRITE: ["56038", "A table with a writer feature that is not known or not kept."],
    DELTA_UNRECOGNIZED_INVARIANT: ["56038", "An invariant of a column has an unknown form."],
    DELTA_CANNOT_MODIFY_APPEND_ONLY: ["42809", "A table with delta.appendOnly=true was to lose rows."],
    DELTA_MISSING_CHANGE_DATA: ["KD002", "The change feed of versions in which the table recorded none."],
    DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE: [
      "0AKDC",
      "The change feed of versions whose columns do not fit the schema of the newest one."
    ],
    DELTA_DELETION_VECTOR_MISSING_NUM_RECORDS: [
      "2D521",
      "Rows of a file were to be deleted by a vector, and its statistics do not tell how many it holds."
    ],
    DELTA_ROW_ID_ASSIGNMENT_WITHOUT_STATS: [
      "22000",
      "Row tracking for a file whose statistics do not tell how many rows it holds."
    ],
    DELTA_CLONE_WITH_ROW_TRACKING_WITHOUT_STATS: [
      "22000",
      "A clone with row tracking of a table whose statistics do not tell how many rows a file holds."
    ],
    DELTA_CLUSTERING_COLUMN_MISSING_STATS: ["22000", "A file without statistics of a clustering column."]
  }),
  ...errors("definition", {
    NO_DELTA_TABLE: ["", "A folder that holds no Delta table."],
    DELTA_TABLE_ALREADY_EXISTS: ["42P07", "A table was to be made where one is."],
    // properties and features
    DELTA_UNKNOWN_CONFIGURATION: ["F0000", "A table property with the prefix delta. that Delta does not have."],
    DELTA_VIOLATE_TABLE_PROPERTY_VALIDATION_FAILED: ["0A000", "A table property with a value that it cannot take."],
    DELTA_CANNOT_MODIFY_TABLE_PROPERTY: ["42939", "A table property that only commits may set."],
    DELTA_UNSET_NON_EXISTENT_PROPERTY: ["42616", "UNSET of a table property that the table does not have."],
    DELTA_INVALID_INTERVAL: ["22006", "A table property that is no interval."],
    DELTA_INVALID_ISOLATION_LEVEL: ["25000", "delta.isolationLevel has an unknown value."],
    DELTA_UNSUPPORTED_FEATURES_IN_CONFIG: ["56038", "A table property names a table feature that is not known."],
    DELTA_UNSUPPORTED_FEATURE_STATUS: ["0AKDE", "A table property delta.feature.\u2026 that is not `supported`."],
    DELTA_INVALID_PROTOCOL_VERSION: ["KD004", "A table property asks for a protocol version that is not there."],
    DELTA_ROW_TRACKING_ILLEGAL_PROPERTY_COMBINATION: ["55000", "Row tracking is both enabled and suspended."],
    DELTA_ADD_CONSTRAINTS: ["0A000", "A CHECK constraint was to be set as a table property."],
    DELTA_ALTER_TABLE_SET_CLUSTERING_TABLE_FEATURE_NOT_ALLOWED: [
      "42000",
      "The feature clustering was to be set as a table property."
    ],
    // columns
    DELTA_COLUMN_NOT_FOUND_IN_SCHEMA: ["42703", "A column that the table does not have."],
    DELTA_MERGE_UNRESOLVED_EXPRESSION: ["42601", "A change of rows names a column that is not there."],
    DELTA_DUPLICATE_COLUMNS_FOUND: ["42711", "Two columns whose names differ at most in case."],
    DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES: [
      "42K05",
      "A column name with blanks, commas, brackets or = in a table without column mapping."
    ],
    DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS: ["42711", "A column with a name that the change data feed needs."],
    DELTA_NON_PARTITION_COLUMN_ABSENT: ["KD005", "A table of partition columns alone."],
    DELTA_FAILED_TO_MERGE_FIELDS: ["22005", "Two types of one column that have no common type."],
    DELTA_UNSUPPORTED_DATA_TYPES: ["0AKDC", "A column of a type that Delta does not have."],
    DELTA_ADD_COLUMN_PARENT_NOT_STRUCT: ["42KD3", "A field was to be added to something other than a struct."],
    DELTA_NOT_NULL_NESTED_FIELD: ["0A000", "A NOT NULL field in a struct that may be NULL."],
    DELTA_NESTED_NOT_NULL_CONSTRAINT: ["0AKDC", "A NOT NULL field within a list or a map."],
    DELTA_UNSUPPORTED_RENAME_COLUMN: ["0AKDC", "RENAME COLUMN of a table without column mapping."],
    DELTA_UNSUPPORTED_DROP_COLUMN: ["0AKDC", "DROP COLUMN of a table without column mapping."],
    DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN: ["0AKDC", "DROP COLUMN of a partition column."],
    DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN: ["0AKDC", "DROP COLUMN of a clustering column."],
    DELTA_UNSUPPORTED_DROP_NESTED_COLUMN_FROM_NON_STRUCT_TYPE: ["0AKDC", "DROP COLUMN of a field outside of a struct."],
    DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA: ["0AKDC", "DROP COLUMN of the only column."],
    DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP: ["0AKDC", "CHANGE COLUMN to something that the column cannot become."],
    DELTA_CANNOT_UPDATE_STRUCT_FIELD: ["429BQ", "CHANGE COLUMN of a whole struct."],
    DELTA_CANNOT_UPDATE_ARRAY_FIELD: ["429BQ", "CHANGE COLUMN of a whole list."],
    DELTA_CANNOT_UPDATE_MAP_FIELD: ["429BQ", "CHANGE COLUMN of a whole map."],
    DELTA_IDENTITY_COLUMNS_ALTER_COLUMN_NOT_SUPPORTED: ["429BQ", "CHANGE COLUMN of an identity column."],
    DELTA_OPERATION_NOT_ALLOWED: ["0AKDC", "A change of the definition that Delta does not have."],
    // column mapping
    DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE: [
      "0AKDC",
      "Column mapping from one mode to another, for files that stay."
    ],
    DELTA_UNSUPPORTED_COLUMN_MAPPING_SCHEMA_CHANGE: ["0AKDC", "Column mapping and columns change in one commit."],
    DELTA_ENABLING_COLUMN_MAPPING_DISALLOWED_WHEN_COLUMN_MAPPING_METADATA_ALREADY_EXISTS: [
      "XXKDS",
      "Column mapping for a schema that has ids or physical names of an earlier mapping."
    ],
    DELTA_CONVERSION_UNSUPPORTED_COLUMN_MAPPING: [
      "0AKDC",
      "CONVERT with a mode of column mapping that files cannot have."
    ],
    // rules
    WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED: [
      "0AKDE",
      "A default of a column in a table without the feature allowColumnDefaults."
    ],
    DELTA_CONSTRAINT_ALREADY_EXISTS: ["42710", "ADD CONSTRAINT with the name of another one."],
    DELTA_CONSTRAINT_DOES_NOT_EXIST: ["42704", "DROP CONSTRAINT of one that is not there."],
    DELTA_INVALID_CONSTRAINT_NAME: ["42939", "A constraint with a name that Delta keeps for itself."],
    DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE: ["42K09", "A column that a CHECK constraint reads was to change."],
    DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE: ["42K09", "A column that a generated column reads was to change."],
    // clustering
    DELTA_CLUSTER_BY_WITH_PARTITIONED_BY: ["42613", "A table with both clustering and partitions."],
    DELTA_ALTER_TABLE_CLUSTER_BY_ON_PARTITIONED_TABLE_NOT_ALLOWED: ["42000", "CLUSTER BY of a partitioned table."],
    DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS: ["54000", "CLUSTER BY with too many columns."],
    DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED: ["0A000", "CLUSTER BY a column whose type has no order."]
  }),
  ...errors("request", {
    DELTA_VERSION_NOT_FOUND: ["22003", "A version or a moment that the table does not have."],
    DELTA_TIMESTAMP_INVALID: ["42816", "Text that is no timestamp was given as one."],
    DELTA_CANNOT_RESTORE_TABLE_VERSION: ["22003", "RESTORE to a version that the table does not have."],
    DELTA_NON_PARTITION_COLUMN_REFERENCE: ["42P10", "A condition on partitions names a column that is none."],
    DELTA_CLUSTERING_WITH_PARTITION_PREDICATE: ["0A000", "OPTIMIZE of a part of a clustered table."],
    DELTA_CLUSTERING_WITH_ZORDER_BY: ["42613", "OPTIMIZE of a clustered table with ZORDER BY."],
    DELTA_OPTIMIZE_FULL_NOT_SUPPORTED: ["42601", "OPTIMIZE FULL of a table that is not clustered."],
    DELTA_ZORDERING_ON_PARTITION_COLUMN: ["42P10", "ZORDER BY a partition column."],
    DELTA_ZORDERING_COLUMN_DOES_NOT_EXIST: ["42703", "ZORDER BY a column that the table does not have."],
    DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS: ["KD00D", "ZORDER BY a column that has no statistics."],
    DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT: ["22003", "VACUUM of files that a running query or write may need."],
    DELTA_VACUUM_RETENTION_PERIOD_NEGATIVE: ["22003", "VACUUM with a retention below zero."],
    DELTA_EMPTY_DIRECTORY: ["42K03", "CONVERT of a folder without a file."],
    DELTA_CONVERT_NON_PARQUET_TABLE: ["0AKDC", "CONVERT of files that are not Parquet."],
    DELTA_UNEXPECTED_NUM_PARTITION_COLUMNS_FROM_FILE_NAME: [
      "KD009",
      "CONVERT of a file with too many or too few partitions."
    ],
    DELTA_UNEXPECTED_PARTITION_COLUMN_FROM_FILE_NAME: ["KD009", "CONVERT of a file with other partition columns."],
    DELTA_FAILED_CAST_PARTITION_VALUE: [
      "22018",
      "A partition value in a file's path that is not of the column's type."
    ]
  }),
  ...errors("rows", {
    DELTA_NOT_NULL_CONSTRAINT_VIOLATED: ["23502", "A NULL in a column that is declared NOT NULL."],
    DELTA_VIOLATE_CONSTRAINT_WITH_VALUES: ["23001", "A row for which a CHECK constraint is not true."],
    DELTA_NEW_CHECK_CONSTRAINT_VIOLATION: ["23512", "ADD CONSTRAINT that rows of the table violate."],
    DELTA_EXCEED_CHAR_VARCHAR_LIMIT: ["22001", "Text that is longer than its CHAR or VARCHAR column."],
    DELTA_CAST_OVERFLOW_IN_TABLE_WRITE: ["22003", "A value beyond the range of its column's type."],
    DELTA_REPLACE_WHERE_MISMATCH: ["44000", "A new row for which the condition of replaceWhere is not true."],
    DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE: [
      "21506",
      "Two rows of a MERGE's source for one row of the table."
    ]
  }),
  ...errors("misuse", {
    DELTA_INVALID_COMMIT: ["", "A commit that would break the Delta protocol; nothing was written."],
    DELTA_DOMAIN_METADATA_NOT_SUPPORTED: ["0A000", "A metadata domain that only a table feature may set."]
  })
};

// packages/delta/src/error.ts
var DeltaError = class extends Error {
  name = "DeltaError";
  code;
  table;
  version;
  path;
  hint;
  constructor(code, message, options) {
    super(message, options.cause === void 0 ? void 0 : { cause: options.cause });
    this.code = code;
    this.table = options.table;
    if (options.version !== void 0) this.version = options.version;
    if (options.path !== void 0) this.path = options.path;
    if (options.hint !== void 0) this.hint = options.hint;
  }
  get kind() {
    return DELTA_ERRORS[this.code].kind;
  }
  get sqlState() {
    return DELTA_ERRORS[this.code].sqlState;
  }
};
function reasonOf(cause) {
  return cause instanceof Error ? cause.message : String(cause);
}

// packages/delta/src/log/actions.ts
function fileKey(file) {
  const vector = file.deletionVector;
  if (vector === void 0) return file.path;
  const offset = vector.offset === void 0 ? "" : `@${vector.offset}`;
  return `${file.path}\0${vector.storageType}${vector.pathOrInlineDv}${offset}`;
}
function commitInfoOf(actions) {
  return actions.findLast((action) => "commitInfo" in action)?.commitInfo;
}
function inCommitTimestamp(commitInfo) {
  const value = commitInfo?.["inCommitTimestamp"];
  return typeof value === "number" ? value : void 0;
}

// packages/delta/src/log/json.ts
function parseJson(text2) {
  const value = JSON.parse(text2);
  return isRounded(value) ? parseExact(text2) : value;
}
function isRounded(value) {
  if (typeof value === "number") return !Number.isSafeInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(isRounded);
  const members = value;
  for (const key in members) if (isRounded(members[key] ?? null)) return true;
  return false;
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function formatJson(value) {
  if (typeof value === "bigint") return value.toString();
  if (!isObject(value)) return Array.isArray(value) ? `[${value.map(formatJson).join(",")}]` : JSON.stringify(value);
  let members = "";
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== void 0) members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${formatJson(member)}`;
  }
  return `{${members}}`;
}
var TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
function parseExact(text2) {
  const tokens = text2.match(TOKEN) ?? [];
  let at = 0;
  const members = (close, member) => {
    while (tokens[at] !== close) {
      member();
      if (tokens[at] === ",") at += 1;
    }
    at += 1;
  };
  const value = () => {
    const token = tokens[at] ?? "";
    at += 1;
    if (token === "[") {
      const items = [];
      members("]", () => items.push(value()));
      return items;
    }
    if (token === "{") {
      const entries = [];
      members("}", () => {
        const key = JSON.parse(tokens[at] ?? "");
        at += 2;
        entries.push([key, value()]);
      });
      return Object.fromEntries(entries);
    }
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return BigInt(token);
    return JSON.parse(token);
  };
  return value();
}

// packages/delta/src/log/path.ts
function decodePath(uri) {
  if (!uri.includes("%") && !uri.startsWith("file:")) return uri;
  return decodeURIComponent(uri.replace(/^file:(?:\/\/(?=\/))?(?=\/)/, ""));
}

// packages/delta/src/log/commit-file.ts
function parseCommit(text2) {
  return eachLine(text2, parseActions);
}
function parseCommitInfo(text2) {
  const lines = text2.match(/^[ \t]*\{[ \t]*"commitInfo".*$/gm) ?? [];
  return commitInfoOf(lines.flatMap((line) => parseCommit(line)));
}
function parseLines(text2) {
  return eachLine(text2, (row) => [row]);
}
function parseActions(row) {
  const actions = [];
  for (const kind of Object.keys(row)) {
    const action = parseAction(kind, row[kind]);
    if (action !== void 0) actions.push(action);
  }
  return actions;
}
function eachLine(text2, read2) {
  if (text2.trim() === "") throw new Error("the file is empty");
  return text2.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      const row = parseJson(line);
      if (!isObject(row)) throw new Error("is no JSON object");
      return read2(row);
    } catch (cause) {
      throw new Error(`line ${index + 1}: ${reasonOf(cause)}`, { cause });
    }
  });
}
function formatCommit(actions) {
  return actions.map((action) => `${formatJson(toWire(action))}
`).join("");
}
function toWire(action) {
  return Object.fromEntries(
    Object.entries(action).map(([kind, fields2]) => {
      if (!("uri" in fields2)) return [kind, fields2];
      const { uri, path: _decoded, ...rest } = fields2;
      return [kind, { path: uri, ...rest, ...kind === "cdc" ? { dataChange: false } : {} }];
    })
  );
}
function parseAction(kind, value) {
  if (value === null || value === void 0) return void 0;
  const parse = Object.hasOwn(PARSERS, kind) ? PARSERS[kind] : void 0;
  if (parse === void 0) return void 0;
  if (!isObject(value)) throw new Error(`${kind} is no JSON object`);
  try {
    return parse(value);
  } catch (cause) {
    throw new Error(`${kind}: ${reasonOf(cause)}`, { cause });
  }
}
var PARSERS = {
  add: (fields2) => {
    const uri = required(fields2, "path", text);
    return {
      add: {
        path: decodePath(uri),
        uri,
        partitionValues: required(fields2, "partitionValues", textMap),
        size: required(fields2, "size", integer),
        modificationTime: required(fields2, "modificationTime", integer),
        dataChange: required(fields2, "dataChange", flag),
        stats: optional(fields2, "stats", text),
        tags: optional(fields2, "tags", textMap),
        deletionVector: optional(fields2, "deletionVector", deletionVector),
        baseRowId: optional(fields2, "baseRowId", long),
        defaultRowCommitVersion: optional(fields2, "defaultRowCommitVersion", long),
        clusteringProvider: optional(fields2, "clusteringProvider", text)
      }
    };
  },
  remove: (fields2) => {
    const uri = required(fields2, "path", text);
    return {
      remove: {
        path: decodePath(uri),
        uri,
        deletionTimestamp: optional(fields2, "deletionTimestamp", integer),
        dataChange: required(fields2, "dataChange", flag),
        extendedFileMetadata: optional(fields2, "extendedFileMetadata", flag),
        partitionValues: optional(fields2, "partitionValues", textMap),
        size: optional(fields2, "size", integer),
        stats: optional(fields2, "stats", text),
        tags: optional(fields2, "tags", textMap),
        deletionVector: optional(fields2, "deletionVector", deletionVector),
        baseRowId: optional(fields2, "baseRowId", long),
        defaultRowCommitVersion: optional(fields2, "defaultRowCommitVersion", long)
      }
    };
  },
  cdc: (fields2) => {
    const uri = required(fields2, "path", text);
    return {
      cdc: {
        path: decodePath(uri),
        uri,
        partitionValues: required(fields2, "partitionValues", textMap),
        size: required(fields2, "size", integer),
        tags: optional(fields2, "tags", textMap)
      }
    };
  },
  metaData: (fields2) => ({
    metaData: {
      id: required(fields2, "id", text),
      name: optional(fields2, "name", text),
      description: optional(fields2, "description", text),
      format: required(fields2, "format", (format) => ({
        provider: required(object(format), "provider", text),
        options: optional(object(format), "options", textMap) ?? {}
      })),
      schemaString: required(fields2, "schemaString", text),
      partitionColumns: required(fields2, "partitionColumns", texts),
      configuration: optional(fields2, "configuration", textMap) ?? {},
      createdTime: optional(fields2, "createdTime", integer)
    }
  }),
  protocol: (fields2) => ({
    protocol: {
      minReaderVersion: required(fields2, "minReaderVersion", integer),
      minWriterVersion: required(fields2, "minWriterVersion", integer),
      readerFeatures: optional(fields2, "readerFeatures", texts),
      writerFeatures: optional(fields2, "writerFeatures", texts)
    }
  }),
  txn: (fields2) => ({
    txn: {
      appId: required(fields2, "appId", text),
      version: required(fields2, "version", long),
      lastUpdated: optional(fields2, "lastUpdated", integer)
    }
  }),
  domainMetadata: (fields2) => ({
    domainMetadata: {
      domain: required(fields2, "domain", text),
      configuration: required(fields2, "configuration", text),
      removed: required(fields2, "removed", flag)
    }
  }),
  commitInfo: (fields2) => ({ commitInfo: fields2 })
};
function deletionVector(value) {
  const fields2 = object(value);
  return {
    storageType: required(fields2, "storageType", text),
    pathOrInlineDv: required(fields2, "pathOrInlineDv", text),
    offset: optional(fields2, "offset", integer),
    sizeInBytes: required(fields2, "sizeInBytes", integer),
    cardinality: required(fields2, "cardinality", long)
  };
}
function optional(fields2, key, read2) {
  const value = fields2[key];
  if (value === void 0 || value === null) return void 0;
  try {
    return read2(value);
  } catch (cause) {
    throw new Error(`${key} ${reasonOf(cause)}`, { cause });
  }
}
function required(fields2, key, read2) {
  const value = optional(fields2, key, read2);
  if (value === void 0) throw new Error(`${key} is missing`);
  return value;
}
function text(value) {
  if (typeof value === "string") return value;
  throw new Error("is no text");
}
function flag(value) {
  if (typeof value === "boolean") return value;
  throw new Error("is neither true nor false");
}
function integer(value) {
  const number2 = typeof value === "bigint" ? Number(value) : value;
  if (typeof number2 === "number" && Number.isSafeInteger(number2)) return number2;
  throw new Error("is no integer below 2^53");
}
function long(value) {
  if (typeof value === "bigint" || typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  throw new Error("is no integer");
}
function object(value) {
  if (isObject(value)) return value;
  throw new Error("is no JSON object");
}
function texts(value) {
  if (Array.isArray(value)) return value.map(text);
  throw new Error("is no array of texts");
}
function textMap(value) {
  const map = object(value);
  for (const key in map) {
    const item = map[key];
    if (item !== null && typeof item !== "string") throw new Error("is no text");
  }
  return map;
}

// packages/delta/src/log/log-files.ts
function logFolder(table) {
  return `${table.replace(/\/+$/, "")}/_delta_log`;
}
function commitPath(table, version) {
  return versionPath(table, version, "json");
}
function checksumPath(table, version) {
  return versionPath(table, version, "crc");
}
function checkpointPath(table, version, own) {
  return versionPath(table, version, own === void 0 ? "checkpoint.parquet" : `checkpoint.${own.uuid}.${own.format}`);
}
function sidecarsFolder(table) {
  return `${logFolder(table)}/_sidecars`;
}
function versionPath(table, version, kind) {
  return `${logFolder(table)}/${version.toString().padStart(20, "0")}.${kind}`;
}
async function listLog(store, table) {
  const commits = [];
  const parts = [];
  const compactions = [];
  const checksums = /* @__PURE__ */ new Set();
  let isLog = false;
  for (const { name, modified, kind } of await store.list(logFolder(table))) {
    const digits = /^(\d{20})\./.exec(name)?.[1];
    if (digits === void 0 || kind !== "file") continue;
    isLog = true;
    const version = BigInt(digits);
    const rest = name.slice(21);
    const part = checkpointPart(rest);
    const until = /^(\d{20})\.compacted\.json$/.exec(rest)?.[1];
    if (rest === "json") commits.push({ version, modified });
    else if (rest === "crc") checksums.add(version);
    else if (part !== void 0) parts.push({ version, name, modified, ...part });
    else if (until !== void 0) compactions.push({ first: version, version: BigInt(until), name });
  }
  if (!isLog) return void 0;
  commits.sort((a, b) => a.version < b.version ? -1 : 1);
  const newest = [...commits, ...parts, ...compactions].reduce(
    (max, { version }) => version > max ? version : max,
    -1n
  );
  return { table, commits: inTime(commits), checkpoints: wholeCheckpoints(parts), compactions, checksums, newest };
}
async function requireLog(store, table) {
  const log = await listLog(store, table);
  if (log === void 0) throw noDeltaTable(table);
  return log;
}
function noDeltaTable(table) {
  return new DeltaError("NO_DELTA_TABLE", `${table} is no Delta table: it has no _delta_log.`, {
    table,
    path: logFolder(table),
    hint: "Check the location; a table is the folder that holds _delta_log."
  });
}
function logFileVersion({ name }) {
  const [, digits, rest = ""] = /^(\d{20})\.(.+)$/.exec(name) ?? [];
  const isCommitRange = /^\d{20}\.compacted\.json$/.test(rest);
  const isKnown = isCommitRange || rest === "json" || rest === "crc" || checkpointPart(rest) !== void 0;
  return { version: digits !== void 0 && isKnown ? BigInt(digits) : void 0, isCommitRange };
}
function checkpointPart(rest) {
  const [, part, parts] = /^checkpoint\.(\d{10})\.(\d{10})\.parquet$/.exec(rest) ?? [];
  if (part !== void 0 && parts !== void 0) return { of: parts, part: Number(part), parts: Number(parts) };
  return /^checkpoint(\.[0-9a-f-]{36})?\.parquet$|^checkpoint\.[0-9a-f-]{36}\.json$/i.test(rest) ? { of: rest, part: 1, parts: 1 } : void 0;
}
function wholeCheckpoints(parts) {
  const groups = /* @__PURE__ */ new Map();
  for (const part of parts) {
    const key = `${part.version} ${part.of}`;
    groups.set(key, [...groups.get(key) ?? [], part]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group.sort((a, b) => a.part - b.part);
    if (first === void 0 || group.length !== first.parts || group.some(({ part }, i) => part !== i + 1)) return [];
    const timestamp3 = Math.max(...group.map(({ modified }) => modified));
    return [{ version: first.version, names: group.map(({ name }) => name), timestamp: timestamp3 }];
  }).sort((a, b) => a.version > b.version ? -1 : 1);
}
function inTime(commits) {
  let timestamp3 = Number.NEGATIVE_INFINITY;
  return commits.map(({ version, modified }) => {
    timestamp3 = Math.max(modified, timestamp3 + 1);
    return { version, timestamp: timestamp3 };
  });
}

// packages/delta/src/files/lz4.ts
var LONG = 15;
var MIN_MATCH = 4;
function decompressLz4(input, outputLength) {
  const output = new Uint8Array(outputLength);
  let [at, filled] = [0, 0];
  const byte = () => {
    const value = input[at];
    if (value === void 0) throw new Error("an LZ4 block ends too early");
    at += 1;
    return value;
  };
  const length = (short) => {
    if (short < LONG) return short;
    let total = short;
    for (let more = 255; more === 255; total += more) more = byte();
    return total;
  };
  while (at < input.length) {
    const token = byte();
    const literals = length(token >> 4);
    if (at + literals > input.length || filled + literals > outputLength) throw new Error("an LZ4 block is damaged");
    output.set(input.subarray(at, at + literals), filled);
    at += literals;
    filled += literals;
    if (at === input.length) break;
    const distance = byte() | byte() << 8;
    const matched = length(token & LONG) + MIN_MATCH;
    if (distance === 0 || distance > filled || filled + matched > outputLength)
      throw new Error("an LZ4 block is damaged");
    for (const end = filled + matched; filled < end; filled += 1) output[filled] = output[filled - distance] ?? 0;
  }
  if (filled !== outputLength) throw new Error(`an LZ4 block gives ${filled} bytes instead of ${outputLength}`);
  return output;
}

// packages/delta/src/files/snappy-decompress.ts
function decompressSnappy(input, outputLength) {
  const output = new Uint8Array(outputLength + SLACK);
  const source = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const target = new DataView(output.buffer);
  let from = 0;
  while ((input[from++] ?? 0) >= 128) ;
  let to = 0;
  while (from < input.length) {
    const tag = input[from++];
    let length = tag >>> 2;
    if ((tag & 3) === 0) {
      if (length >= 60) {
        const bytes = length - 59;
        length = 0;
        for (let i = 0; i < bytes; i++) length |= (input[from + i] ?? 0) << 8 * i;
        from += bytes;
      }
      length += 1;
      if (length < 0 || from + length > input.length || to + length > outputLength) throw damaged();
      if (length > SLACK || from + SLACK > input.length) output.set(input.subarray(from, from + length), to);
      else copyWords(source, from, target, to, length);
      from += length;
      to += length;
      continue;
    }
    let offset;
    if ((tag & 3) === 1) {
      length = (length & 7) + 4;
      offset = tag >>> 5 << 8 | (input[from] ?? 0);
      from += 1;
    } else {
      length += 1;
      offset = (input[from] ?? 0) | (input[from + 1] ?? 0) << 8;
      from += 2;
      if ((tag & 3) === 3) {
        offset += (input[from] ?? 0) * 65536 + (input[from + 1] ?? 0) * 16777216;
        from += 2;
      }
    }
    if (offset === 0 || offset > to || from > input.length || to + length > outputLength) throw damaged();
    const start = to - offset;
    if (offset >= 8) copyWords(target, start, target, to, length);
    else for (let i = 0; i < length; i++) output[to + i] = output[start + i];
    to += length;
  }
  if (to !== outputLength) throw damaged();
  return output.subarray(0, outputLength);
}
var SLACK = 16;
function copyWords(source, from, target, to, length) {
  for (let i = 0; i < length; i += 8) {
    target.setUint32(to + i, source.getUint32(from + i, true), true);
    target.setUint32(to + i + 4, source.getUint32(from + i + 4, true), true);
  }
}
function damaged() {
  return new Error("a Snappy block is damaged");
}

// packages/delta/src/files/decompress.ts
async function decompressors() {
  const zlib = await import("node:zlib");
  const zstd = await zstdDecompressor(zlib);
  return {
    // Of few bytes they may make a thousand times as many: no more than the page is said to have.
    GZIP: (input, length) => zlib.gunzipSync(input, { maxOutputLength: Math.max(length, 1) }),
    BROTLI: (input, length) => zlib.brotliDecompressSync(input, { maxOutputLength: Math.max(length, 1) }),
    SNAPPY: decompressSnappy,
    LZ4_RAW: decompressLz4,
    ZSTD: zstd
  };
}
async function zstdDecompressor(zlib) {
  if ("zstdDecompressSync" in zlib) return zlib.zstdDecompressSync;
  const { decompress } = await import("fzstd");
  return (input) => decompress(input);
}

// packages/delta/src/files/select-columns.ts
function selectColumns(metadata, columns) {
  const isWanted = (path) => columns.some((column) => path === column || path.startsWith(`${column}.`));
  return {
    ...metadata,
    schema: onlyFields(metadata.schema, isWanted),
    row_groups: metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.filter(({ meta_data }) => isWanted(meta_data?.path_in_schema.join(".") ?? ""))
    }))
  };
}
function onlyFields(schema, isWanted) {
  let at = 0;
  const take = (parent) => {
    const element = schema[at];
    at += 1;
    if (element === void 0) throw new Error("its schema is cut off");
    const path = parent === void 0 ? [] : [...parent, element.name];
    const { num_children = 0 } = element;
    if (num_children === 0) return isWanted(path.join(".")) ? [element] : [];
    const kept = Array.from({ length: num_children }, () => take(path)).filter((child) => child.length > 0);
    return kept.length === 0 && parent !== void 0 ? [] : [{ ...element, num_children: kept.length }, ...kept.flat()];
  };
  return take(void 0);
}

// packages/delta/src/files/parquet.ts
var hyparquetReader = Object.assign(readObjects, { texts: readColumn2 });
async function readObjects(file, columns) {
  const [{ parquetReadObjects }, { isPlain: isPlain2, readRows: readRows2 }, { content, metadata, tree, compressors }] = await Promise.all([
    import("hyparquet"),
    Promise.resolve().then(() => (init_parquet_rows(), parquet_rows_exports)),
    open(file, columns)
  ]);
  if (tree.children.length === 0) return [];
  return isPlain2(tree) ? readRows2(new Uint8Array(content), metadata, tree, compressors) : parquetReadObjects({ file: content, metadata, compressors });
}
async function readColumn2(file, column, explain) {
  const [{ readTexts: readTexts2 }, { content, metadata, tree, compressors }] = await Promise.all([
    Promise.resolve().then(() => (init_parquet_texts(), parquet_texts_exports)),
    open(file, [column])
  ]);
  const path = [tree];
  for (let node = tree.children[0]; node !== void 0; node = node.children[0]) path.push(node);
  const { type, converted_type: meaning } = path.at(-1)?.element ?? {};
  const isText = type === "BYTE_ARRAY" && meaning !== "DECIMAL";
  const isSingle = path.every(({ element, children }) => element.repetition_type !== "REPEATED" && children.length < 2);
  return isText && isSingle ? readTexts2(new Uint8Array(content), metadata, path, compressors, explain) : void 0;
}
async function open(file, columns) {
  const [{ parquetMetadata, parquetSchema: parquetSchema2 }, compressors] = await Promise.all([import("hyparquet"), decompressors()]);
  const isWhole = file.byteLength === file.buffer.byteLength;
  const content = isWhole ? file.buffer : file.slice().buffer;
  const metadata = selectColumns(parquetMetadata(content), columns);
  return { content, metadata, compressors, tree: parquetSchema2(metadata) };
}

// packages/delta/src/schema/column-mapping.ts
function columnMappingMode(configuration) {
  const mode = configuration["delta.columnMapping.mode"] ?? "none";
  if (mode === "none" || mode === "name" || mode === "id") return mode;
  throw new TypeError(`columnMapping in the mode ${mode}`);
}
function physicalSchema(schema, mode) {
  if (mode === "id") schema.fields.forEach(fieldId);
  return mode === "none" ? schema : { kind: "struct", fields: schema.fields.map(toPhysical) };
}
function toPhysical(field) {
  return { ...field, name: physicalName(field), type: physicalType(field.type) };
}
function physicalType(type) {
  switch (type.kind) {
    case "struct":
      return { kind: "struct", fields: type.fields.map(toPhysical) };
    case "array":
      return { ...type, element: physicalType(type.element) };
    case "map":
      return { ...type, key: physicalType(type.key), value: physicalType(type.value) };
    default:
      return type;
  }
}
function physicalName({ name, metadata }) {
  const physical = metadata["delta.columnMapping.physicalName"];
  if (typeof physical === "string") return physical;
  throw new SyntaxError(`the column ${name} has no physical name`);
}
function fieldId({ name, metadata }) {
  const id = metadata["delta.columnMapping.id"];
  if (typeof id === "number") return id;
  throw new SyntaxError(`the column ${name} has no field id`);
}
function translatePath(path, from, to) {
  const [name, ...rest] = path;
  const place2 = from.fields.findIndex((field2) => field2.name === name);
  const [field, same] = [from.fields[place2], to.fields[place2]];
  if (field === void 0 || same === void 0) return void 0;
  if (rest.length === 0) return [same.name];
  if (field.type.kind !== "struct" || same.type.kind !== "struct") return void 0;
  const below = translatePath(rest, field.type, same.type);
  return below === void 0 ? void 0 : [same.name, ...below];
}

// packages/delta/src/schema/schema.ts
var PRIMITIVES = [
  "byte",
  "short",
  "integer",
  "long",
  "float",
  "double",
  "string",
  "binary",
  "boolean",
  "date",
  "timestamp",
  "timestamp_ntz",
  "void",
  "variant"
];
var NO_NAME = "__proto__";
function parseSchema(schemaString) {
  const schema = parseType(parseJson(schemaString), "schema");
  if (schema.kind !== "struct") throw new SyntaxError(`the schema is ${schema.kind}, not struct`);
  return schema;
}
function parseTypeName(name) {
  return parsePrimitive(name, "a column");
}
function* typesWithin(type) {
  yield type;
  switch (type.kind) {
    case "struct":
      for (const field of type.fields) yield* typesWithin(field.type);
      break;
    case "array":
      yield* typesWithin(type.element);
      break;
    case "map":
      yield* typesWithin(type.key);
      yield* typesWithin(type.value);
      break;
  }
}
function parseType(json, path) {
  if (typeof json === "string") return parsePrimitive(json, path);
  if (!isObject(json)) throw new SyntaxError(`${path} has no type`);
  switch (json["type"]) {
    case "struct":
      if (!Array.isArray(json["fields"])) throw new SyntaxError(`${path} is a struct without fields`);
      return {
        kind: "struct",
        fields: distinct(
          json["fields"].map((field) => parseField(field, path)),
          path
        )
      };
    case "array":
      return {
        kind: "array",
        element: parseType(json["elementType"], `${path}.element`),
        containsNull: json["containsNull"] !== false
      };
    case "map":
      return {
        kind: "map",
        key: parseType(json["keyType"], `${path}.key`),
        value: parseType(json["valueType"], `${path}.value`),
        valueContainsNull: json["valueContainsNull"] !== false
      };
    // Within lists the protocol's own example writes the name this way.
    case "variant":
      return { kind: "variant" };
    default:
      throw new TypeError(`${path} has the unknown type ${formatJson(json["type"] ?? null)}`);
  }
}
function distinct(fields2, path) {
  const names = /* @__PURE__ */ new Set();
  for (const { name } of fields2) {
    if (names.has(name)) throw new SyntaxError(`${path} has two fields named ${name}`);
    names.add(name);
  }
  return fields2;
}
function parsePrimitive(name, path) {
  const kind = PRIMITIVES.find((primitive2) => primitive2 === name);
  if (kind !== void 0) return { kind };
  if (name === "decimal") return { kind: "decimal", precision: 10, scale: 0 };
  const [, precision, scale] = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(name) ?? [];
  if (precision === void 0 || Number(precision) > 38 || Number(scale) > Number(precision))
    throw new TypeError(`${path} has the unknown type ${name}`);
  return { kind: "decimal", precision: Number(precision), scale: Number(scale) };
}
function parseField(json, parent) {
  if (!isObject(json) || typeof json["name"] !== "string") throw new SyntaxError(`${parent} has a field without name`);
  const { name, type, nullable, metadata } = json;
  if (name === NO_NAME)
    throw new TypeError(`${parent} has a field named ${name}, which objects of JavaScript cannot have`);
  return {
    name,
    type: parseType(type, `${parent}.${name}`),
    nullable: nullable !== false,
    metadata: isObject(metadata) ? metadata : {}
  };
}

// packages/delta/src/log/interval.ts
var UNITS = /* @__PURE__ */ new Map([
  ["microsecond", 1e-3],
  ["millisecond", 1],
  ["second", 1e3],
  ["minute", 6e4],
  ["hour", 36e5],
  ["day", 864e5],
  ["week", 6048e5]
]);
function parseInterval(text2) {
  const parts = text2.trim().replace(/^interval\s+/i, "").split(/\s+/);
  if (parts.length % 2 === 1) return void 0;
  let milliseconds = 0;
  for (let at = 0; at < parts.length; at += 2) {
    const count = /^\d+$/.test(parts[at] ?? "") ? Number(parts[at]) : void 0;
    const unit = UNITS.get((parts[at + 1] ?? "").toLowerCase().replace(/s$/, ""));
    if (count === void 0 || unit === void 0) return void 0;
    milliseconds += count * unit;
  }
  return milliseconds;
}

// packages/delta/src/log/configuration.ts
function isOn(configuration, property) {
  return configuration[property]?.toLowerCase() === "true";
}
function retentionOf(table, configuration, property) {
  const text2 = configuration[property];
  if (text2 === void 0 || text2 === null) return void 0;
  const milliseconds = parseInterval(text2);
  if (milliseconds !== void 0) return milliseconds;
  throw new DeltaError("DELTA_INVALID_INTERVAL", `The property ${property} of ${table} is no interval: "${text2}".`, {
    table,
    hint: 'Set it to a text such as "interval 30 days".'
  });
}

// packages/delta/src/schema/field-path.ts
function formatPath(path) {
  return path.map((name) => /^[a-z_]\w*$/i.test(name) ? name : `\`${name.replaceAll("`", "``")}\``).join(".");
}
function* fieldsWithin(type, parent = []) {
  switch (type.kind) {
    case "struct":
      for (const field of type.fields) {
        const path = [...parent, field.name];
        yield { path, field };
        yield* fieldsWithin(field.type, path);
      }
      break;
    case "array":
      yield* fieldsWithin(type.element, [...parent, "element"]);
      break;
    case "map":
      yield* fieldsWithin(type.key, [...parent, "key"]);
      yield* fieldsWithin(type.value, [...parent, "value"]);
      break;
  }
}

// packages/delta/src/schema/type-widening.ts
var TYPE_CHANGES = "delta.typeChanges";
function canWiden(from, to) {
  if (to.kind === "decimal") {
    const digits = wholeDigits(from);
    const scale = from.kind === "decimal" ? from.scale : 0;
    if (digits === void 0 || isSameType(from, to)) return false;
    return to.scale >= scale && to.precision - to.scale >= digits;
  }
  switch (from.kind) {
    case "byte":
      return to.kind === "short" || to.kind === "integer" || to.kind === "long" || to.kind === "double";
    case "short":
      return to.kind === "integer" || to.kind === "long" || to.kind === "double";
    case "integer":
      return to.kind === "long" || to.kind === "double";
    case "float":
      return to.kind === "double";
    case "date":
      return to.kind === "timestamp_ntz";
    default:
      return false;
  }
}
function isSameType(a, b) {
  if (a.kind === "array" && b.kind === "array") return isSameType(a.element, b.element);
  if (a.kind === "map" && b.kind === "map") return isSameType(a.key, b.key) && isSameType(a.value, b.value);
  if (a.kind === "struct" && b.kind === "struct")
    return a.fields.length === b.fields.length && a.fields.every((field, at) => {
      const other = b.fields[at];
      return other !== void 0 && field.name === other.name && isSameType(field.type, other.type);
    });
  if (a.kind === "decimal" && b.kind === "decimal") return a.precision === b.precision && a.scale === b.scale;
  return a.kind === b.kind;
}
function assertReadableTypeChanges(schema) {
  for (const { path, field } of fieldsWithin(schema)) {
    const changes = field.metadata[TYPE_CHANGES];
    for (const change of Array.isArray(changes) ? changes : []) {
      const [from, to] = isObject(change) ? [change["fromType"], change["toType"]] : [];
      if (typeof from !== "string" || typeof to !== "string" || !isReadableChange(from, to))
        throw new TypeError(`the type change of ${formatPath(path)} from ${String(from)} to ${String(to)}`);
    }
  }
}
var STRING = /^(string|(var)?char\(\d+\))/;
function isReadableChange(from, to) {
  if (STRING.test(from) && STRING.test(to)) return true;
  const [before, after] = [parseTypeName(from), parseTypeName(to)];
  return canWiden(before, after) || isSameType(before, after) || isWideEnough(before, after);
}
function isWideEnough(from, to) {
  const digits = from.kind === "byte" ? 3 : from.kind === "short" ? 5 : void 0;
  return digits !== void 0 && to.kind === "decimal" && to.precision - to.scale >= digits;
}
function wholeDigits(type) {
  switch (type.kind) {
    case "byte":
    case "short":
    case "integer":
      return 10;
    case "long":
      return 20;
    case "decimal":
      return type.precision - type.scale;
    default:
      return void 0;
  }
}

// packages/delta/src/protocol/features.ts
var FEATURES = [
  { name: "appendOnly", impliedBy: { writer: 2 }, property: "delta.appendOnly" },
  { name: "invariants", impliedBy: { writer: 2 }, neededBy: hasFieldKey("delta.invariants"), rules: "evaluated" },
  { name: "checkConstraints", impliedBy: { writer: 3 }, neededBy: hasCheckConstraint, rules: "evaluated" },
  { name: "changeDataFeed", impliedBy: { writer: 4 }, property: "delta.enableChangeDataFeed" },
  {
    name: "generatedColumns",
    impliedBy: { writer: 4 },
    neededBy: hasFieldKey("delta.generationExpression"),
    rules: "evaluated"
  },
  {
    name: "columnMapping",
    forReaders: true,
    impliedBy: { reader: 2, writer: 5 },
    neededBy: ({ configuration }) => (configuration["delta.columnMapping.mode"] ?? "none") !== "none"
  },
  {
    name: "identityColumns",
    impliedBy: { writer: 6 },
    neededBy: hasFieldKey("delta.identity.step"),
    rules: "refused"
  },
  { name: "allowColumnDefaults", neededBy: hasFieldKey("CURRENT_DEFAULT"), rules: "evaluated" },
  { name: "deletionVectors", forReaders: true, property: "delta.enableDeletionVectors" },
  { name: "timestampNtz", forReaders: true, neededBy: ({ schema }) => hasType(schema, "timestamp_ntz") },
  {
    name: "typeWidening",
    forReaders: true,
    property: "delta.enableTypeWidening",
    neededBy: hasFieldKey("delta.typeChanges")
  },
  // The name that typeWidening had before; a table that has it needs no other.
  { name: "typeWidening-preview", forReaders: true },
  // Readers of rows may refuse such columns; the rest of the table is as any other.
  { name: "variantType", forReaders: true, neededBy: ({ schema }) => hasType(schema, "variant"), rules: "refused" },
  { name: "variantType-preview", forReaders: true },
  { name: "variantShredding", forReaders: true },
  { name: "variantShredding-preview", forReaders: true },
  {
    name: "v2Checkpoint",
    forReaders: true,
    neededBy: ({ configuration }) => configuration["delta.checkpointPolicy"] === "v2"
  },
  { name: "vacuumProtocolCheck", forReaders: true },
  { name: "domainMetadata" },
  { name: "rowTracking", property: "delta.enableRowTracking", requires: ["domainMetadata"] },
  { name: "inCommitTimestamp", property: "delta.enableInCommitTimestamps" },
  { name: "clustering", requires: ["domainMetadata"] }
];
function featureNamed(name) {
  return FEATURES.find((feature) => feature.name === name);
}
function hasType(schema, kind) {
  return [...typesWithin(schema)].some((type) => type.kind === kind);
}
function hasCheckConstraint({ configuration }) {
  return Object.keys(configuration).some((key) => key.startsWith("delta.constraints."));
}
function hasFieldKey(key) {
  return ({ schema }) => [...typesWithin(schema)].some(
    (type) => type.kind === "struct" && type.fields.some((field) => Object.hasOwn(field.metadata, key))
  );
}

// packages/delta/src/protocol/protocol.ts
var READER_VERSION = 3;
var WRITER_VERSION = 7;
function assertKnownReaderFeatures(protocol, at) {
  const { minReaderVersion, minWriterVersion, readerFeatures, writerFeatures } = protocol;
  if (minReaderVersion > READER_VERSION) throw refuse("READ", [`reader version ${minReaderVersion}`], at);
  const lists = minReaderVersion === READER_VERSION ? readerFeatures !== void 0 && minWriterVersion === WRITER_VERSION : (readerFeatures ?? []).length === 0;
  if (!lists || minWriterVersion === WRITER_VERSION && writerFeatures === void 0)
    throw new DeltaError(
      "DELTA_TABLE_UNREADABLE",
      `The protocol of ${at.table} contradicts itself: ${JSON.stringify(protocol)}.`,
      {
        ...at,
        hint: "Lists of features belong to reader version 3 and writer version 7; repair the table where it was written."
      }
    );
  const unknown = (readerFeatures ?? []).filter((name) => featureNamed(name)?.forReaders !== true);
  if (unknown.length > 0) throw refuse("READ", unknown, at);
}
function readSchema(metadata, at) {
  if (metadata.format.provider !== "parquet") throw refuse("READ", [`format ${metadata.format.provider}`], at);
  try {
    const schema = parseSchema(metadata.schemaString);
    physicalSchema(schema, columnMappingMode(metadata.configuration));
    assertReadableTypeChanges(schema);
    return schema;
  } catch (cause) {
    const reason = reasonOf(cause);
    if (cause instanceof TypeError) throw refuse("READ", [reason], at);
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `The schema of ${at.table} is damaged: ${reason}.`, {
      ...at,
      hint: "Restore the commit that wrote the schema from a backup.",
      cause
    });
  }
}
function assertWritable(protocol, at) {
  if (protocol.minWriterVersion > WRITER_VERSION)
    throw refuse("WRITE", [`writer version ${protocol.minWriterVersion}`], at);
  const unknown = (protocol.writerFeatures ?? []).filter((name) => featureNamed(name) === void 0);
  if (unknown.length > 0) throw refuse("WRITE", unknown, at);
}
function assertMaintainable(protocol, at) {
  assertKnownReaderFeatures(protocol, at);
  assertWritable(protocol, at);
}
function refuse(what, features, at) {
  const verb = what === "READ" ? "read" : "written";
  const names = [...new Set(features)].join(", ");
  return new DeltaError(
    `DELTA_UNSUPPORTED_FEATURES_FOR_${what}`,
    `Version ${at.version} of ${at.table} cannot be ${verb}: it needs ${names}.`,
    {
      ...at,
      hint: "Use an engine that supports it; there a table feature can be removed, too (ALTER TABLE \u2026 DROP FEATURE)."
    }
  );
}

// packages/delta/src/log/log.ts
var READ_AHEAD = 16;
function readCommits(store, table, files) {
  return readInOrder(files, (file) => readCommit(store, table, file));
}
async function* readInOrder(files, read2) {
  for (let start = 0; start < files.length; start += READ_AHEAD) {
    yield* await Promise.all(files.slice(start, start + READ_AHEAD).map(read2));
  }
}
async function readCommit(store, table, file) {
  return { ...file, actions: await readActions(store, table, file.version) };
}
async function readActions(store, table, version) {
  return readCommitFile(store, table, version, parseCommit);
}
async function readCommitInfo(store, table, version) {
  return readCommitFile(store, table, version, parseCommitInfo);
}
async function readCommitFile(store, table, version, parse) {
  const path = commitPath(table, version);
  try {
    return parse(await readText(store, path));
  } catch (cause) {
    throw new DeltaError(
      "DELTA_TABLE_UNREADABLE",
      `Commit ${version} of ${table} cannot be read: ${reasonOf(cause)}.`,
      {
        table,
        version,
        path,
        hint: "A commit is written whole or not at all, so the file was damaged later: restore it from a backup.",
        cause
      }
    );
  }
}
var UTF_8 = new TextDecoder("utf-8", { fatal: true });
async function readText(store, path) {
  return UTF_8.decode(await store.read(path));
}

// packages/delta/src/files/bounds.ts
var PREFIX = 32;
var LAST_CHARACTER = "\u{10FFFF}";
var BOUNDED = /* @__PURE__ */ new Set([
  "byte",
  "short",
  "integer",
  "long",
  "float",
  "double",
  "decimal",
  "string",
  "date",
  "timestamp",
  "timestamp_ntz"
]);
function hasBounds({ kind }) {
  return BOUNDED.has(kind);
}
function lowerBound(type, min) {
  switch (type.kind) {
    case "string":
      return JSON.stringify([...min].slice(0, PREFIX).join(""));
    case "timestamp":
    case "timestamp_ntz":
      return timestamp(type.kind, min, 0);
    default:
      return exactBound(type, min);
  }
}
function upperBound(type, max) {
  switch (type.kind) {
    case "string":
      return upperString(max);
    case "timestamp":
    case "timestamp_ntz":
      return timestamp(type.kind, max, 1);
    default:
      return exactBound(type, max);
  }
}
function exactBound(type, text2) {
  switch (type.kind) {
    case "byte":
    case "short":
    case "integer":
    case "long":
    case "float":
    case "double":
    case "decimal":
      return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text2) ? text2 : void 0;
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(text2) ? JSON.stringify(text2) : void 0;
    default:
      return void 0;
  }
}
function upperString(max) {
  const characters = [...max];
  if (characters.length <= PREFIX) return JSON.stringify(max);
  if (characters[PREFIX] === LAST_CHARACTER) return void 0;
  return JSON.stringify(characters.slice(0, PREFIX).join("") + LAST_CHARACTER);
}
function timestamp(kind, text2, roundUp) {
  const [, date, time, fraction = "", zone = ""] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(\+00)?$/.exec(text2) ?? [];
  if (date === void 0 || zone === "+00" !== (kind === "timestamp")) return void 0;
  const milliseconds = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  const rest = /[1-9]/.test(fraction.slice(3)) ? roundUp : 0;
  const iso2 = new Date(milliseconds + rest).toISOString();
  if (!/^\d{4}-/.test(iso2)) return void 0;
  return JSON.stringify(kind === "timestamp" ? iso2 : iso2.slice(0, -1));
}

// packages/delta/src/snapshot/typed-values.ts
function typedText(type, text2) {
  switch (type.kind) {
    case "string":
      return text2;
    case "byte":
    case "short":
    case "integer":
      return /^-?\d+$/.test(text2) ? Number(text2) : void 0;
    case "long":
      return /^-?\d+$/.test(text2) ? BigInt(text2) : void 0;
    case "float":
    case "double":
      return number(text2);
    case "decimal":
      return decimal2(text2, type.scale);
    case "boolean":
      return /^(true|false)$/i.test(text2) ? text2.toLowerCase() === "true" : void 0;
    case "date":
      return days(text2);
    case "timestamp":
    case "timestamp_ntz":
      return micros2(text2);
    case "binary":
      return new TextEncoder().encode(text2);
    default:
      return void 0;
  }
}
function number(text2) {
  const value = Number(text2);
  return text2.trim() !== "" && (!Number.isNaN(value) || text2 === "NaN") ? value : void 0;
}
function decimal2(text2, scale) {
  const [, sign, whole, fraction = ""] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text2) ?? [];
  if (whole === void 0 || /[1-9]/.test(fraction.slice(scale))) return void 0;
  const digits = BigInt(whole + fraction.slice(0, scale).padEnd(scale, "0"));
  return sign === "-" ? -digits : digits;
}
function days(text2) {
  const time = /^\d{4}-\d\d-\d\d$/.test(text2) ? Date.parse(`${text2}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? void 0 : time / 864e5;
}
function micros2(text2) {
  const [, date, time, fraction = "", zone = "Z"] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?$/.exec(text2) ?? [];
  const seconds = date === void 0 ? Number.NaN : Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(seconds) ? void 0 : BigInt(seconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

// packages/delta/src/snapshot/stats-columns.ts
function statsColumns(data, configuration) {
  const named = configuration["delta.dataSkippingStatsColumns"] ?? void 0;
  const limit = named === void 0 ? Number(configuration["delta.dataSkippingNumIndexedCols"] ?? 32) : -1;
  const leaves = { left: limit < 0 ? Number.POSITIVE_INFINITY : limit };
  const indexed = firstLeaves(data, leaves);
  return {
    bounds: leavesOf(indexed, hasBounds, void 0),
    counts: leavesOf(indexed, () => true, { kind: "long" })
  };
}
function firstLeaves({ fields: fields2 }, leaves) {
  const kept = [];
  for (const field of fields2) {
    if (leaves.left <= 0) break;
    if (field.type.kind === "struct") kept.push({ ...field, type: firstLeaves(field.type, leaves) });
    else {
      leaves.left -= 1;
      kept.push(field);
    }
  }
  return { kind: "struct", fields: kept };
}
function leavesOf({ fields: fields2 }, isWanted, as) {
  return {
    kind: "struct",
    fields: fields2.flatMap((field) => {
      if (field.type.kind !== "struct") return isWanted(field.type) ? [{ ...field, type: as ?? field.type }] : [];
      const type = leavesOf(field.type, isWanted, as);
      return type.fields.length === 0 ? [] : [{ ...field, type }];
    })
  };
}
function statsRow(stats, { bounds, counts }) {
  const parsed = parseTexts(stats);
  if (!isObject(parsed)) return void 0;
  const { numRecords, tightBounds, minValues, maxValues, nullCount } = parsed;
  return {
    numRecords: typed({ kind: "long" }, numRecords),
    tightBounds,
    minValues: typed(bounds, minValues),
    maxValues: typed(bounds, maxValues),
    nullCount: typed(counts, nullCount)
  };
}
function statsText(row, { bounds, counts }) {
  const { numRecords, tightBounds, minValues, maxValues, nullCount } = row;
  const members = {
    numRecords: numRecords === void 0 || numRecords === null ? void 0 : formatJson(numRecords),
    minValues: boundsText(bounds, minValues, lowerBound),
    maxValues: boundsText(bounds, maxValues, upperBound),
    nullCount: boundsText(counts, nullCount, lowerBound),
    tightBounds: typeof tightBounds === "boolean" ? String(tightBounds) : void 0
  };
  return objectText(Object.entries(members)) ?? "{}";
}
function boundsText({ fields: fields2 }, values, bound) {
  if (!isObject(values)) return void 0;
  return objectText(
    fields2.map(({ name, type }) => {
      const value = values[name];
      if (type.kind === "struct") return [name, boundsText(type, value, bound)];
      const isTold = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
      return [name, isTold ? bound(type, String(value)) : void 0];
    })
  );
}
function objectText(members) {
  const told = members.flatMap(([name, text2]) => text2 === void 0 ? [] : [`${JSON.stringify(name)}:${text2}`]);
  return told.length === 0 ? void 0 : `{${told.join(",")}}`;
}
var STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
function parseTexts(json) {
  try {
    return JSON.parse(
      json.replace(STRING_OR_NUMBER, (token) => token.startsWith('"') ? token : `"${token}"`)
    );
  } catch {
    return void 0;
  }
}
function typed(type, value) {
  if (type.kind === "struct")
    return isObject(value) ? Object.fromEntries(type.fields.map(({ name, type: fieldType }) => [name, typed(fieldType, value[name])])) : void 0;
  const bound = typeof value === "string" ? typedText(type, value) : void 0;
  return Number.isNaN(bound) ? void 0 : bound;
}

// packages/delta/src/snapshot/stored-file.ts
var StoredFile = class _StoredFile {
  path;
  uri;
  partitionValues;
  size;
  modificationTime;
  dataChange;
  tags;
  deletionVector;
  baseRowId;
  defaultRowCommitVersion;
  clusteringProvider;
  #page;
  #place;
  /** @param place of the statistics in the page */
  constructor(file, page, place2) {
    this.path = file.path;
    this.uri = file.uri;
    this.partitionValues = file.partitionValues;
    this.size = file.size;
    this.modificationTime = file.modificationTime;
    this.dataChange = file.dataChange;
    this.tags = file.tags;
    this.deletionVector = file.deletionVector;
    this.baseRowId = file.baseRowId;
    this.defaultRowCommitVersion = file.defaultRowCommitVersion;
    this.clusteringProvider = file.clusteringProvider;
    this.#page = page;
    this.#place = place2;
    Object.defineProperty(this, "stats", _StoredFile.#STATS);
  }
  /** Own and enumerable, so that it is as good as a field. */
  static #STATS = {
    enumerable: true,
    get() {
      return this.#page.text(this.#place);
    }
  };
};

// packages/delta/src/snapshot/checkpoint.ts
var FILE = [
  "path",
  "partitionValues",
  "size",
  "dataChange",
  "deletionVector",
  "baseRowId",
  "defaultRowCommitVersion"
];
var ADD = [...FILE, "modificationTime", "tags", "clusteringProvider", "stats_parsed.numRecords"].map(
  (field) => `add.${field}`
);
var STATS = "add.stats";
var PARSED_STATS = "add.stats_parsed";
var REMOVE = [...FILE, "deletionTimestamp", "extendedFileMetadata"].map((field) => `remove.${field}`);
var OTHERS = ["protocol", "metaData", "txn", "domainMetadata", "sidecar"];
async function readCheckpoint(store, table, { names }, parquet, { tombstones = false } = {}) {
  const columns = [...OTHERS, ...ADD, ...tombstones ? REMOVE : []];
  const read2 = (path) => readFile(store, table, path, columns, parquet);
  const top = await Promise.all(names.map((name) => read2(`${logFolder(table)}/${name}`)));
  const sidecars = await Promise.all(
    sidecarsOf(
      table,
      top.flatMap(({ rows }) => rows)
    ).map(read2)
  );
  const toText = lazily(() => statsReader(top.flatMap(({ rows }) => rows)));
  const actions = [];
  for (const { rows, stats } of [...top, ...sidecars])
    rows.forEach((row, number2) => {
      const page = stats?.pages[number2];
      for (const action of parseActions(page === void 0 ? withStats(row, toText) : row))
        actions.push(
          page !== void 0 && "add" in action ? { add: new StoredFile(action.add, page, stats?.places[number2] ?? 0) } : action
        );
    });
  for (const kind of ["protocol", "metaData"])
    if (!actions.some((action) => kind in action)) throw new Error(`it holds no ${kind} action`);
  return actions;
}
function sidecarsOf(table, top) {
  return top.flatMap((row) => isObject(row["sidecar"]) ? [sidecarPath(table, row["sidecar"])] : []);
}
async function readFile(store, table, path, columns, parquet) {
  if (path.endsWith(".json")) return { rows: parseLines(await readText(store, path)) };
  const file = await store.read(path);
  if (!columns.includes("add.path")) return { rows: await parquet(file, columns) };
  const stats = await parquet.texts?.(file, STATS, (cause) => damagedStats(table, path, cause));
  const wanted = stats === void 0 ? [...columns, STATS] : columns;
  const rows = await parquet(file, wanted);
  const isParsedOnly = rows.some(
    ({ add }, number2) => isObject(add) && isObject(add["stats_parsed"]) && typeof add["stats"] !== "string" && stats?.pages[number2] === void 0
  );
  return { rows: isParsedOnly ? await parquet(file, [...wanted, PARSED_STATS]) : rows, stats };
}
function damagedStats(table, path, cause) {
  return new DeltaError("DELTA_TABLE_UNREADABLE", `The checkpoint ${path} cannot be read: ${reasonOf(cause)}.`, {
    table,
    path,
    hint: "Restore the file from a backup; where the commits before it are still there, remove it.",
    cause
  });
}
function sidecarPath(table, { path }) {
  if (typeof path !== "string") throw new Error("a sidecar has no path");
  const decoded = decodePath(path);
  return decoded.includes("/") ? decoded : `${sidecarsFolder(table)}/${decoded}`;
}
function withStats(row, toText) {
  const add = row["add"];
  if (!isObject(add) || typeof add["stats"] === "string" || !isObject(add["stats_parsed"])) return row;
  return { ...row, add: { ...add, stats: toText()(add["stats_parsed"]) } };
}
function statsReader(rows) {
  try {
    const metadata = rows.flatMap(parseMetadata)[0];
    if (metadata === void 0) throw new Error("no metadata");
    const physical = physicalSchema(parseSchema(metadata.schemaString), columnMappingMode(metadata.configuration));
    const stats = statsColumns(physical, { "delta.dataSkippingNumIndexedCols": "-1" });
    return (struct2) => statsText(struct2, stats);
  } catch {
    return ({ numRecords, tightBounds }) => formatJson({ numRecords, tightBounds });
  }
}
function parseMetadata({ metaData }) {
  if (metaData === void 0 || metaData === null) return [];
  return parseActions({ metaData }).flatMap((action) => "metaData" in action ? [action.metaData] : []);
}
function lazily(make) {
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

// packages/delta/src/snapshot/compaction.ts
async function readCompaction(store, table, file) {
  const { first, version, name } = file;
  const path = `${logFolder(table)}/${name}`;
  try {
    const actions = parseCommit(await readText(store, path));
    assertReconciled(actions);
    return actions;
  } catch (cause) {
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `The log compaction ${path} cannot be read: ${reasonOf(cause)}.`, {
      table,
      version,
      path,
      hint: `Restore the missing commits of versions ${first} to ${version} from a backup; with them it is not read.`,
      cause
    });
  }
}
function assertReconciled(actions) {
  const files = /* @__PURE__ */ new Set();
  const added = /* @__PURE__ */ new Set();
  for (const action of actions) {
    const file = "add" in action ? action.add : "remove" in action ? action.remove : void 0;
    if (file === void 0) continue;
    const key = fileKey(file);
    if (files.has(key))
      throw new Error(`it adds or removes ${file.path} more than once, so its last state is not known`);
    files.add(key);
    if (!("add" in action)) continue;
    if (added.has(file.path)) throw new Error(`it adds ${file.path} with different deletion vectors`);
    added.add(file.path);
  }
}

// packages/delta/src/snapshot/log-state.ts
function emptyState({ tombstones = false } = {}) {
  return {
    protocol: void 0,
    metadata: void 0,
    files: /* @__PURE__ */ new Map(),
    transactions: /* @__PURE__ */ new Map(),
    domains: /* @__PURE__ */ new Map(),
    tombstones: tombstones ? /* @__PURE__ */ new Map() : void 0,
    commitInfo: void 0
  };
}
function applyActions(state, actions) {
  state.commitInfo = void 0;
  for (const action of actions) {
    if ("add" in action) {
      const key = fileKey(action.add);
      state.files.set(key, action.add);
      state.tombstones?.delete(key);
    } else if ("remove" in action) {
      const key = fileKey(action.remove);
      state.files.delete(key);
      state.tombstones?.set(key, action.remove);
    } else if ("metaData" in action) state.metadata = action.metaData;
    else if ("protocol" in action) state.protocol = action.protocol;
    else if ("txn" in action) state.transactions.set(action.txn.appId, action.txn);
    else if ("commitInfo" in action) state.commitInfo = action.commitInfo;
    else if ("domainMetadata" in action) {
      const { domain, configuration, removed } = action.domainMetadata;
      if (removed) state.domains.delete(domain);
      else state.domains.set(domain, configuration);
    }
  }
}

// packages/delta/src/snapshot/segment.ts
function segmentsTo(log, version) {
  const [best, ...others] = allSegments(log, version);
  if (best !== void 0) return [best, ...others];
  const first = firstVersion(log);
  if (first !== void 0 && (version < first || version > log.newest)) throw notFound(log, version, first);
  throw incomplete(log, version);
}
function* allSegments(log, version) {
  for (const checkpoint of log.checkpoints) {
    if (checkpoint.version > version) continue;
    const files2 = filesBetween(log, checkpoint.version + 1n, version);
    if (files2 !== void 0) yield { checkpoint, files: files2 };
  }
  const files = version < 0n ? void 0 : filesBetween(log, 0n, version);
  if (files !== void 0) yield { checkpoint: void 0, files };
}
function filesBetween(log, first, last) {
  return commitsBetween(log, first, last) ?? filesAroundGaps(log, first, last);
}
function filesAroundGaps({ commits, compactions }, first, last) {
  if (compactions.length === 0) return void 0;
  const starts = [
    ...commits.map((file) => ({ start: file.version, file })),
    ...compactions.map((file) => ({ start: file.first, file }))
  ].sort((a, b) => a.start === b.start ? 0 : a.start < b.start ? 1 : -1);
  const chosen = /* @__PURE__ */ new Map();
  for (const { start, file } of starts) {
    const leadsOn = chosen.has(file.version + 1n) || start === last && !("first" in file);
    if (leadsOn && !chosen.has(start)) chosen.set(start, file);
  }
  const files = [];
  for (let next = first; next <= last; ) {
    const file = chosen.get(next);
    if (file === void 0) return void 0;
    files.push(file);
    next = file.version + 1n;
  }
  return files;
}
function commitsBetween(log, first, last) {
  if (first > last) return [];
  const count = Number(last - first) + 1;
  const start = log.commits.findIndex((commit) => commit.version === first);
  if (start === -1 || log.commits[start + count - 1]?.version !== last) return void 0;
  return log.commits.slice(start, start + count);
}
function firstVersion(log) {
  return log.commits[0]?.version === 0n ? 0n : log.checkpoints.at(-1)?.version;
}
function notFound({ table, newest }, version, first) {
  return new DeltaError(
    "DELTA_VERSION_NOT_FOUND",
    `${table} has no version ${version}${version >= 0n && version < first ? " any more" : ""}; it has ${first} to ${newest}.`,
    { table, version, hint: "Choose a version within this range, or leave it out to read the newest one." }
  );
}
function incomplete({ table, commits, checkpoints, newest }, version) {
  const start = checkpoints.find((checkpoint) => checkpoint.version <= version)?.version ?? -1n;
  const present = new Set(commits.map((commit) => commit.version));
  let missing = start + 1n;
  while (present.has(missing)) missing += 1n;
  const next = commits.find((commit) => commit.version > missing)?.version;
  const follows = next !== void 0 ? `; the next commit is version ${next}` : newest >= missing ? ", though it holds files that followed it" : "";
  return new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `The log of ${table} lacks the commit of version ${missing}${follows}.`,
    {
      table,
      version: missing,
      path: newest < 0n ? logFolder(table) : commitPath(table, missing),
      hint: "Restore the missing commit file from a backup; without it the table has no known state."
    }
  );
}

// packages/delta/src/snapshot/version-checksum.ts
function sumFiles(files) {
  const sums = { files: 0, bytes: 0, vectors: 0, deletedRecords: 0n };
  for (const { size, deletionVector: deletionVector2 } of files) {
    sums.files += 1;
    sums.bytes += size;
    if (deletionVector2 === void 0) continue;
    sums.vectors += 1;
    sums.deletedRecords += deletionVector2.cardinality;
  }
  return sums;
}
function verifyChecksum(text2, state, at) {
  const path = checksumPath(at.table, at.version);
  let told;
  try {
    told = parseChecksum(text2);
  } catch (cause) {
    return `The checksum ${path} cannot be read: ${reasonOf(cause)}.`;
  }
  const fault = differenceOf(told, state);
  if (fault === void 0) return void 0;
  throw new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `The log of ${at.table} does not add up to what the checksum of version ${at.version} tells: ${fault}.`,
    {
      ...at,
      path,
      hint: "A file of the log was changed or lost after it was written: restore it from a backup. Where the log is known to be right, remove the checksum file."
    }
  );
}
function parseChecksum(text2) {
  const checksum = parseJson(text2);
  if (!isObject(checksum)) throw new Error("it is no JSON object");
  const count = (key) => {
    const value = checksum[key];
    if (typeof value === "number" && Number.isInteger(value)) return value;
    throw new Error(`${key} is no integer`);
  };
  const actions = parseActions({ metaData: known(checksum["metadata"]), protocol: known(checksum["protocol"]) });
  return {
    files: count("numFiles"),
    bytes: count("tableSizeBytes"),
    metadata: actions.flatMap((action) => "metaData" in action ? [action.metaData] : [])[0],
    protocol: actions.flatMap((action) => "protocol" in action ? [action.protocol] : [])[0]
  };
}
function known(value) {
  return value ?? null;
}
function differenceOf({ files, bytes, metadata, protocol }, state) {
  const { sums } = state;
  if (files !== sums.files) return `it has ${sums.files} files, not ${files}`;
  if (bytes !== sums.bytes) return `its files have ${sums.bytes} bytes, not ${bytes}`;
  if (protocol !== void 0 && protocolKey(protocol) !== protocolKey(state.protocol)) return "it has another protocol";
  if (metadata !== void 0 && metadataKey(metadata) !== metadataKey(state.metadata)) return "it has other metadata";
  return void 0;
}
function protocolKey({ minReaderVersion, minWriterVersion, readerFeatures, writerFeatures }) {
  const names = (features) => [...features ?? []].sort();
  return JSON.stringify([minReaderVersion, minWriterVersion, names(readerFeatures), names(writerFeatures)]);
}
function metadataKey({ id, schemaString, partitionColumns, configuration }) {
  const properties = Object.entries(configuration).sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify([id, JSON.parse(schemaString), partitionColumns, properties]);
}

// packages/delta/src/snapshot/replay.ts
async function replay(store, log, version, parquet, options = {}) {
  const { table } = log;
  const warnings = [];
  const checksum = readChecksum(store, log, version);
  const { state, files } = await readStart(store, table, segmentsTo(log, version), parquet, options, warnings);
  const contents = readInOrder(
    files,
    (file) => "first" in file ? readCompaction(store, table, file) : readActions(store, table, file.version)
  );
  for await (const actions of contents) applyActions(state, actions);
  if (files.length === 0 && commitsBetween(log, version, version) !== void 0)
    state.commitInfo = await readCommitInfo(store, table, version);
  const started = assertStarted(state, table);
  const told = await checksum;
  const warning = told === void 0 ? void 0 : verifyChecksum(told, { ...started, sums: sumFiles(started.files.values()) }, { table, version });
  return { ...started, warnings: warning === void 0 ? warnings : [...warnings, warning] };
}
async function readChecksum(store, { table, checksums }, version) {
  if (!checksums.has(version)) return void 0;
  return readText(store, checksumPath(table, version)).catch(() => void 0);
}
async function readStart(store, table, segments, parquet, options, warnings) {
  let damage;
  for (const { checkpoint, files } of segments) {
    const state = emptyState(options);
    if (checkpoint === void 0) return { state, files };
    try {
      applyActions(state, await readCheckpoint(store, table, checkpoint, parquet, options));
      return { state, files };
    } catch (cause) {
      damage = damaged3(table, checkpoint, cause);
      warnings.push(damage.message);
    }
  }
  throw damage ?? new Error("unreachable: a version has a segment");
}
function damaged3(table, { version, names }, cause) {
  const path = `${logFolder(table)}/${names[0]}`;
  return new DeltaError("DELTA_TABLE_UNREADABLE", `The checkpoint ${path} cannot be read: ${reasonOf(cause)}.`, {
    table,
    version,
    path,
    hint: "The commits before it are gone, so nothing else tells the table's state: restore the file from a backup.",
    cause
  });
}
function assertStarted(state, table) {
  const { protocol, metadata } = state;
  if (protocol !== void 0 && metadata !== void 0) return { ...state, protocol, metadata };
  const missing = protocol === void 0 ? "protocol" : "metaData";
  throw new DeltaError("DELTA_TABLE_UNREADABLE", `The log of ${table} holds no ${missing} action.`, {
    table,
    path: logFolder(table),
    hint: "Version 0 of a Delta table states protocol and metadata: restore the log from a backup."
  });
}

// packages/delta/src/snapshot/timeline.ts
async function newestMetadata(store, log, parquet) {
  const { protocol, metadata } = await replay(store, log, log.newest, parquet);
  assertKnownReaderFeatures(protocol, { table: log.table, version: log.newest });
  return metadata;
}
async function readTimes(store, { table, commits }, metadata) {
  const times = [];
  for await (const { version, timestamp: timestamp3, actions } of readCommits(store, table, commits)) {
    const commitInfo = commitInfoOf(actions);
    const time = commitTimestamp(table, { version, timestamp: timestamp3 }, commitInfo, metadata);
    times.push({ version, timestamp: time, commitInfo });
  }
  return times;
}
function commitTimestamp(table, { version, timestamp: timestamp3 }, commitInfo, metadata) {
  if (!hasInCommitTimestamps(metadata)) return timestamp3;
  if (version < BigInt(metadata.configuration["delta.inCommitTimestampEnablementVersion"] ?? 0)) return timestamp3;
  const stated = inCommitTimestamp(commitInfo);
  if (stated !== void 0) return stated;
  throw new DeltaError("DELTA_TABLE_UNREADABLE", `Commit ${version} of ${table} lacks its in-commit timestamp.`, {
    table,
    version,
    path: commitPath(table, version),
    hint: "The table demands it of every writer; the commit was made by one that does not know the feature."
  });
}
function hasInCommitTimestamps({ configuration }) {
  return isOn(configuration, "delta.enableInCommitTimestamps");
}
function versionTimestamp(log, version, commitInfo, metadata) {
  const commit = log.commits.find((file) => file.version === version);
  if (commit !== void 0) return commitTimestamp(log.table, commit, commitInfo, metadata);
  return log.checkpoints.find((file) => file.version === version)?.timestamp ?? Number.NaN;
}
async function resolveTimestamp(store, log, moment, parquet) {
  const { table } = log;
  const time = typeof moment === "number" ? moment : parseTimestamp(moment);
  if (Number.isNaN(new Date(time).getTime()))
    throw new DeltaError("DELTA_TIMESTAMP_INVALID", `"${moment}" is no timestamp.`, {
      table,
      hint: "Write it as 2024-05-01 or 2024-05-01 10:00:00, in UTC or with an offset such as +02:00."
    });
  const metadata = await newestMetadata(store, log, parquet);
  const times = hasInCommitTimestamps(metadata) ? await readTimes(store, log, metadata) : log.commits;
  const start = firstVersion(log) ?? 0n;
  const timeline = times.filter(({ version }) => version >= start);
  const found = timeline.findLast(({ timestamp: timestamp3 }) => timestamp3 <= time);
  const [first, last] = [timeline[0], timeline.at(-1)];
  if (first === void 0 || last === void 0 || found === void 0 || time > last.timestamp) {
    const iso2 = (milliseconds) => new Date(milliseconds).toISOString();
    const range = first === void 0 || last === void 0 ? "the commits that tell its times are gone" : `its versions reach from ${iso2(first.timestamp)} to ${iso2(last.timestamp)}`;
    throw new DeltaError("DELTA_VERSION_NOT_FOUND", `${table} has no version at ${iso2(time)}; ${range}.`, {
      table,
      hint: "Choose a moment within this range, or leave it out to read the newest version."
    });
  }
  return found.version;
}
function parseTimestamp(text2) {
  const [, date, time = "00:00:00", fraction = "", offset = "Z"] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text2.trim()) ?? [];
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const seconds = time.length === 5 ? `${time}:00` : time;
  const value = date === void 0 ? Number.NaN : Date.parse(`${date}T${seconds}.${milliseconds}${offset}`);
  const exists = date !== void 0 && (/* @__PURE__ */ new Date(`${date}T00:00:00Z`)).toJSON()?.startsWith(date);
  return exists ? value : Number.NaN;
}

// packages/delta/src/snapshot/snapshot.ts
async function readSnapshot(store, table, asOf, reader = hyparquetReader) {
  const log = await listLog(store, table);
  if (log === void 0) return void 0;
  const version = await resolveVersion(store, log, asOf, reader);
  const { protocol, metadata, files, transactions, domains, commitInfo, warnings } = await replay(
    store,
    log,
    version,
    reader
  );
  const at = { table, version };
  assertKnownReaderFeatures(protocol, at);
  return {
    ...at,
    timestamp: versionTimestamp(log, version, commitInfo, metadata),
    protocol,
    metadata,
    schema: readSchema(metadata, at),
    files: [...files.values()],
    transactions: new Map([...transactions].map(([appId, txn]) => [appId, txn.version])),
    domains,
    commitInfo,
    warnings
  };
}
async function resolveVersion(store, log, asOf, reader) {
  if (asOf === void 0) return log.newest;
  return "version" in asOf ? asOf.version : resolveTimestamp(store, log, asOf.timestamp, reader);
}

// packages/delta/src/snapshot/write-checkpoint.ts
import { randomUUID } from "node:crypto";

// packages/delta/src/files/parquet-schema.ts
function parquetSchema(schema) {
  return [{ name: "spark_schema", num_children: schema.fields.length }, ...fieldsOf(schema)];
}
function fieldsOf({ fields: fields2 }) {
  return fields2.flatMap((field) => {
    const [element, ...within] = elementsOf(field.name, field.type, "OPTIONAL");
    return element === void 0 ? [] : [{ ...element, ...fieldIdOf(field) }, ...within];
  });
}
function fieldIdOf({ metadata }) {
  const id = metadata["delta.columnMapping.id"];
  return typeof id === "number" ? { field_id: id } : {};
}
function elementsOf(name, type, repetition_type) {
  switch (type.kind) {
    case "struct":
      return [{ name, repetition_type, num_children: type.fields.length }, ...fieldsOf(type)];
    case "array":
      return [
        { name, repetition_type, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        ...elementsOf("element", type.element, "OPTIONAL")
      ];
    case "map":
      return [
        { name, repetition_type, num_children: 1, converted_type: "MAP", logical_type: { type: "MAP" } },
        { name: "key_value", repetition_type: "REPEATED", num_children: 2 },
        ...elementsOf("key", type.key, "REQUIRED"),
        ...elementsOf("value", type.value, "OPTIONAL")
      ];
    case "decimal":
      return [{ name, repetition_type, ...decimal3(type) }];
    default:
      return [{ name, repetition_type, ...primitive(type.kind) }];
  }
}
var timestamp2 = (isAdjustedToUTC) => ({
  type: "INT64",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC, unit: "MICROS" }
});
var PRIMITIVES2 = {
  boolean: { type: "BOOLEAN" },
  // No logical type: hyparquet-writer 0.17 writes its width as a 32-bit number, and DuckDB takes that for damage.
  byte: { type: "INT32", converted_type: "INT_8" },
  short: { type: "INT32", converted_type: "INT_16" },
  integer: { type: "INT32" },
  long: { type: "INT64" },
  float: { type: "FLOAT" },
  double: { type: "DOUBLE" },
  string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  binary: { type: "BYTE_ARRAY" },
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  timestamp: { ...timestamp2(true), converted_type: "TIMESTAMP_MICROS" },
  timestamp_ntz: timestamp2(false)
};
function primitive(kind) {
  const physical = PRIMITIVES2[kind];
  if (physical === void 0) throw new TypeError(`Parquet files of a table hold no ${kind}`);
  return physical;
}
function decimal3({ precision, scale }) {
  const logical = {
    converted_type: "DECIMAL",
    precision,
    scale,
    logical_type: { type: "DECIMAL", precision, scale }
  };
  if (precision <= 9) return { type: "INT32", ...logical };
  if (precision <= 18) return { type: "INT64", ...logical };
  return { type: "FIXED_LEN_BYTE_ARRAY", type_length: decimalBytes(precision), ...logical };
}
function decimalBytes(precision) {
  let bytes = 9;
  while (2n ** BigInt(8 * bytes - 1) <= 10n ** BigInt(precision)) bytes += 1;
  return bytes;
}

// packages/delta/src/files/snappy-compress.ts
var BLOCK = 65536;
var TABLE_BITS = 14;
var MARGIN = 15;
function compressSnappy(input) {
  const { length } = input;
  const output = new Output(input);
  output.length(length);
  const view = new DataView(input.buffer, input.byteOffset, length);
  const table = new Uint16Array(1 << TABLE_BITS);
  for (let start = 0; start < length; start += BLOCK) {
    table.fill(0);
    compressBlock(input, view, start, Math.min(start + BLOCK, length), table, output);
  }
  return output.bytes();
}
function compressBlock(input, view, start, end, table, output) {
  const last = end - MARGIN;
  let written = start;
  let at = start + 1;
  let misses = 32;
  while (at < last) {
    const word = view.getUint32(at, true);
    const hash = Math.imul(word, 506832829) >>> 32 - TABLE_BITS;
    const found = start + table[hash];
    table[hash] = at - start;
    if (found >= at || view.getUint32(found, true) !== word) {
      at += misses++ >>> 5;
      continue;
    }
    output.literal(written, at);
    let matched = 4;
    while (at + matched < end && input[found + matched] === input[at + matched]) matched += 1;
    output.copy(at - found, matched);
    at += matched;
    written = at;
    misses = 32;
    if (at < last) {
      const before = view.getUint32(at - 1, true);
      table[Math.imul(before, 506832829) >>> 32 - TABLE_BITS] = at - 1 - start;
    }
  }
  output.literal(written, end);
}
var Output = class {
  #input;
  #bytes;
  #at = 0;
  constructor(input) {
    this.#input = input;
    this.#bytes = new Uint8Array(32 + input.length + Math.ceil(input.length / 6));
  }
  bytes() {
    return this.#bytes.subarray(0, this.#at);
  }
  /** Of the whole, in groups of seven bits. */
  length(value) {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = rest % 128 | 128;
    this.#bytes[this.#at++] = rest;
  }
  /** Input from a place to another one, as it stands. */
  literal(from, to) {
    const size = to - from - 1;
    if (size < 0) return;
    if (size < 60) this.#bytes[this.#at++] = size << 2;
    else if (size < 256) {
      this.#bytes[this.#at++] = 60 << 2;
      this.#bytes[this.#at++] = size;
    } else {
      this.#bytes[this.#at++] = 61 << 2;
      this.#bytes[this.#at++] = size & 255;
      this.#bytes[this.#at++] = size >>> 8;
    }
    if (size < 32) for (let i = from; i < to; i++) this.#bytes[this.#at++] = this.#input[i];
    else {
      this.#bytes.set(this.#input.subarray(from, to), this.#at);
      this.#at += size + 1;
    }
  }
  /** Bytes that stand so far back. */
  copy(distance, size) {
    let left = size;
    for (; left > 64; left -= 60) this.#shortCopy(distance, 60);
    this.#shortCopy(distance, left);
  }
  #shortCopy(distance, size) {
    if (size >= 4 && size < 12 && distance < 2048) {
      this.#bytes[this.#at++] = 1 | size - 4 << 2 | distance >>> 8 << 5;
      this.#bytes[this.#at++] = distance & 255;
    } else {
      this.#bytes[this.#at++] = 2 | size - 1 << 2;
      this.#bytes[this.#at++] = distance & 255;
      this.#bytes[this.#at++] = distance >>> 8;
    }
  }
};

// packages/delta/src/files/parquet-writer.ts
var ROWS_PER_GROUP = 2e4;
var hyparquetWriter = async (schema, rows) => {
  const { ByteWriter, ParquetWriter: Writer } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const file = new Writer({
    writer,
    schema: parquetSchema(schema),
    compressors: { SNAPPY: compressSnappy },
    statistics: false,
    createdBy: "ingot"
  });
  for (let start = 0; start < Math.max(rows.length, 1); start += ROWS_PER_GROUP) {
    const group = rows.slice(start, start + ROWS_PER_GROUP);
    const columnData = schema.fields.map(({ name }) => ({ name, data: group.map((row) => row[name] ?? null) }));
    await file.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
  }
  await file.finish();
  return writer.getBytes();
};

// packages/delta/src/snapshot/checkpoint-rows.ts
function checkpointRows(table, state, columns, expiry) {
  const { protocol, metadata, transactions, domains, files, tombstones = /* @__PURE__ */ new Map() } = state;
  const removes = [...tombstones.values()].filter((file) => (file.deletionTimestamp ?? 0) > expiry.tombstones);
  return {
    others: [
      { protocol },
      { metaData: { ...metadata, createdTime: long2(metadata.createdTime) } },
      ...[...transactions.values()].filter(({ lastUpdated }) => !isExpired(lastUpdated, expiry.transactions)).map((txn) => ({ txn: { ...txn, lastUpdated: long2(txn.lastUpdated) } })),
      ...[...domains].map(([domain, configuration]) => ({ domainMetadata: { domain, configuration, removed: false } }))
    ],
    files: [
      ...Array.from(
        files.values(),
        (file) => columns.parsed === void 0 ? new StoredRow(file, columns) : { add: { ...plainRow(file, columns), ...parsedRow(table, file, columns.parsed) } }
      ),
      ...removes.map((file) => ({ remove: removeRow(file) }))
    ],
    numOfAddFiles: files.size
  };
}
function isExpired(lastUpdated, expiry) {
  return lastUpdated !== void 0 && expiry !== void 0 && lastUpdated <= expiry;
}
var StoredRow = class _StoredRow {
  #file;
  #columns;
  constructor(file, columns) {
    this.#file = file;
    this.#columns = columns;
    Object.defineProperty(this, "add", _StoredRow.#ADD);
  }
  /** Own and enumerable, so that it is as good as a field. */
  static #ADD = {
    enumerable: true,
    get() {
      return plainRow(this.#file, this.#columns);
    }
  };
};
function plainRow(file, { statsAsJson }) {
  return {
    path: file.uri,
    partitionValues: file.partitionValues,
    size: BigInt(file.size),
    modificationTime: BigInt(file.modificationTime),
    dataChange: false,
    tags: file.tags,
    deletionVector: file.deletionVector === void 0 ? void 0 : vectorRow(file.deletionVector),
    baseRowId: file.baseRowId,
    defaultRowCommitVersion: file.defaultRowCommitVersion,
    clusteringProvider: file.clusteringProvider,
    stats: statsAsJson ? file.stats : void 0
  };
}
function removeRow(file) {
  return {
    path: file.uri,
    deletionTimestamp: long2(file.deletionTimestamp),
    dataChange: false,
    extendedFileMetadata: file.extendedFileMetadata,
    partitionValues: file.partitionValues,
    size: long2(file.size),
    deletionVector: file.deletionVector === void 0 ? void 0 : vectorRow(file.deletionVector),
    baseRowId: file.baseRowId,
    defaultRowCommitVersion: file.defaultRowCommitVersion
  };
}
function vectorRow({ storageType, pathOrInlineDv, offset, sizeInBytes, cardinality }) {
  return { storageType, pathOrInlineDv, offset, sizeInBytes, cardinality };
}
function parsedRow(table, file, { stats, partition }) {
  return {
    stats_parsed: file.stats === void 0 ? void 0 : statsRow(file.stats, stats),
    partitionValues_parsed: Object.fromEntries(
      partition.fields.map(({ name, type }) => {
        const text2 = file.partitionValues[name] ?? "";
        if (text2 === "") return [name, null];
        const value = typedText(type, text2);
        if (value === void 0) throw noValue(table, file, name, text2, type.kind);
        return [name, value];
      })
    )
  };
}
function noValue(table, file, column, text2, type) {
  return new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `The partition value "${text2}" of ${column} is no ${type}, in the file ${file.path} of ${table}.`,
    {
      table,
      path: file.path,
      hint: "Set delta.checkpoint.writeStatsAsStruct to false for a checkpoint without typed values."
    }
  );
}
function long2(value) {
  return value === void 0 ? void 0 : BigInt(value);
}

// packages/delta/src/snapshot/checkpoint-schema.ts
function parsedColumns({
  schema,
  metadata
}) {
  const physical = physicalSchema(schema, columnMappingMode(metadata.configuration));
  const isPartition = (_field, place2) => metadata.partitionColumns.includes(schema.fields[place2]?.name ?? "");
  const data = struct(physical.fields.filter((field, place2) => !isPartition(field, place2)));
  return {
    stats: statsColumns(data, metadata.configuration),
    partition: struct(physical.fields.filter(isPartition))
  };
}
function checkpointSchema(columns) {
  return fields({
    txn: fields({ appId: "string", version: "long", lastUpdated: "long" }),
    ...fileFields(columns),
    metaData: fields({
      id: "string",
      name: "string",
      description: "string",
      format: fields({ provider: "string", options: TEXTS }),
      schemaString: "string",
      partitionColumns: list("string"),
      configuration: TEXTS,
      createdTime: "long"
    }),
    protocol: fields({
      minReaderVersion: "integer",
      minWriterVersion: "integer",
      readerFeatures: list("string"),
      writerFeatures: list("string")
    }),
    domainMetadata: fields({ domain: "string", configuration: "string", removed: "boolean" }),
    checkpointMetadata: fields({ version: "long", tags: TEXTS }),
    sidecar: fields({ path: "string", sizeInBytes: "long", modificationTime: "long", tags: TEXTS })
  });
}
function sidecarSchema(columns) {
  return fields(fileFields(columns));
}
var TEXTS = {
  kind: "map",
  key: { kind: "string" },
  value: { kind: "string" },
  valueContainsNull: true
};
var FILE2 = { path: "string", partitionValues: TEXTS, size: "long" };
function fileFields({ statsAsJson, parsed }) {
  const vector = {
    deletionVector: fields({
      storageType: "string",
      pathOrInlineDv: "string",
      offset: "integer",
      sizeInBytes: "integer",
      cardinality: "long"
    }),
    baseRowId: "long",
    defaultRowCommitVersion: "long"
  };
  return {
    add: fields({
      ...FILE2,
      modificationTime: "long",
      dataChange: "boolean",
      tags: TEXTS,
      ...vector,
      clusteringProvider: "string",
      ...statsAsJson ? { stats: "string" } : {},
      ...parsed === void 0 ? {} : { stats_parsed: statsStruct(parsed.stats) },
      ...parsed === void 0 || parsed.partition.fields.length === 0 ? {} : { partitionValues_parsed: parsed.partition }
    }),
    remove: fields({
      path: "string",
      deletionTimestamp: "long",
      dataChange: "boolean",
      extendedFileMetadata: "boolean",
      partitionValues: TEXTS,
      size: "long",
      ...vector
    })
  };
}
function statsStruct({ bounds, counts }) {
  const when = (name, type) => type.fields.length === 0 ? {} : { [name]: type };
  return fields({
    numRecords: "long",
    tightBounds: "boolean",
    ...when("minValues", bounds),
    ...when("maxValues", bounds),
    ...when("nullCount", counts)
  });
}
function fields(types) {
  return struct(
    Object.entries(types).map(([name, type]) => ({
      name,
      type: typeof type === "string" ? { kind: type } : type,
      nullable: true,
      metadata: {}
    }))
  );
}
function list(element) {
  return { kind: "array", element: { kind: element }, containsNull: true };
}
function struct(all) {
  return { kind: "struct", fields: all };
}

// packages/delta/src/snapshot/last-checkpoint.ts
import { createHash } from "node:crypto";
async function noteLastCheckpoint(store, table, hint) {
  const path = `${logFolder(table)}/_last_checkpoint`;
  try {
    if (await notedVersion(store, path) > hint.version) return;
    await store.put(path, formatLastCheckpoint(hint));
  } catch {
  }
}
async function notedVersion(store, path) {
  const text2 = await readText(store, path).catch(() => "");
  try {
    const noted = parseJson(text2);
    const version = isObject(noted) ? noted["version"] : void 0;
    return typeof version === "number" || typeof version === "bigint" ? BigInt(version) : -1n;
  } catch {
    return -1n;
  }
}
function formatLastCheckpoint(hint) {
  const { v2Checkpoint, ...rest } = hint;
  const fields2 = v2Checkpoint === void 0 ? rest : { ...rest, v2Checkpoint };
  return formatJson({ ...fields2, checksum: checksumOf(fields2) });
}
function checksumOf(fields2) {
  return createHash("md5").update(canonical(fields2)).digest("hex");
}
function canonical(fields2) {
  const { checksum: _ignored, ...rest } = fields2;
  const leaves = leavesOf2(rest, []);
  return leaves.map(([path, value]) => [Buffer.from(path), `${path}=${value}`]).sort(([a], [b]) => Buffer.compare(a, b)).map(([, pair]) => pair).join(",");
}
function leavesOf2(value, path) {
  if (isObject(value))
    return Object.entries(value).flatMap(
      ([key, item]) => item === void 0 ? [] : leavesOf2(item, [...path, encoded(key)])
    );
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf2(item, [...path, String(index)]));
  return [[path.join("+"), typeof value === "string" ? encoded(value) : formatJson(value)]];
}
function encoded(text2) {
  const percent = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `"${encodeURIComponent(text2).replace(/[!'()*]/g, percent)}"`;
}

// packages/delta/src/snapshot/log-properties.ts
var DAY = 864e5;
function logProperties(table, configuration) {
  const duration = (property) => retentionOf(table, configuration, property);
  const flag2 = (property, otherwise) => (configuration[property] ?? String(otherwise)).trim().toLowerCase() === "true";
  const interval = Number(configuration["delta.checkpointInterval"] ?? 10);
  return {
    checkpointInterval: Number.isInteger(interval) && interval > 0 ? interval : 10,
    checkpointPolicy: configuration["delta.checkpointPolicy"] === "v2" ? "v2" : "classic",
    statsAsJson: flag2("delta.checkpoint.writeStatsAsJson", true),
    statsAsStruct: flag2("delta.checkpoint.writeStatsAsStruct", false),
    tombstoneRetention: duration("delta.deletedFileRetentionDuration") ?? 7 * DAY,
    transactionRetention: duration("delta.setTransactionRetentionDuration"),
    logRetention: duration("delta.logRetentionDuration") ?? 30 * DAY,
    cleansLog: flag2("delta.enableExpiredLogCleanup", true)
  };
}

// packages/delta/src/snapshot/write-checkpoint.ts
var FILES_FOR_V2 = 1e5;
var FILES_PER_SIDECAR = 5e4;
async function writeCheckpoint(store, table, options = {}) {
  const { reader = hyparquetReader, writer = hyparquetWriter, format = "parquet", now = Date.now } = options;
  const log = await requireLog(store, table);
  const version = options.version ?? log.newest;
  const state = await replay(store, log, version, reader, { tombstones: true });
  const { protocol, metadata } = state;
  assertMaintainable(protocol, { table, version });
  const properties = logProperties(table, metadata.configuration);
  const schema = readSchema(metadata, { table, version });
  const columns = {
    statsAsJson: properties.statsAsJson,
    parsed: properties.statsAsStruct ? parsedColumns({ schema, metadata }) : void 0
  };
  const rows = checkpointRows(table, state, columns, {
    tombstones: now() - properties.tombstoneRetention,
    transactions: properties.transactionRetention === void 0 ? void 0 : now() - properties.transactionRetention
  });
  const task = { store, table, version, columns, rows, writer, now: now() };
  const written = isV2(state, properties) ? await writeV2(task, format) : await writeClassic(task);
  await noteLastCheckpoint(store, table, written.hint);
  const { hint, paths } = written;
  return { version, paths, numOfAddFiles: rows.numOfAddFiles, sizeInBytes: hint.sizeInBytes };
}
function isV2({ protocol, files }, { checkpointPolicy }) {
  const isSupported = protocol.readerFeatures?.includes("v2Checkpoint") ?? false;
  return isSupported && (checkpointPolicy === "v2" || files.size > FILES_FOR_V2);
}
async function writeClassic({ store, table, version, columns, rows, writer }) {
  const { others, files, numOfAddFiles } = rows;
  const content = await writer(checkpointSchema(columns), [...others, ...files]);
  const path = checkpointPath(table, version);
  await store.put(path, content);
  const size = others.length + files.length;
  return { paths: [path], hint: { version, size, sizeInBytes: content.length, numOfAddFiles } };
}
async function writeV2(task, format) {
  const { store, table, version, columns, rows, writer, now } = task;
  const sidecars = [];
  for (let start = 0; start < rows.files.length; start += FILES_PER_SIDECAR) {
    const name = `${randomUUID()}.parquet`;
    const content2 = await writer(sidecarSchema(columns), rows.files.slice(start, start + FILES_PER_SIDECAR));
    await putNew(store, `${sidecarsFolder(table)}/${name}`, content2);
    sidecars.push({ name, size: content2.length });
  }
  const top = [
    { checkpointMetadata: { version, tags: {} } },
    ...rows.others,
    ...sidecars.map(({ name, size }) => ({
      sidecar: { path: name, sizeInBytes: BigInt(size), modificationTime: BigInt(now), tags: {} }
    }))
  ];
  const path = checkpointPath(table, version, { uuid: randomUUID(), format });
  const content = format === "json" ? jsonLines(top) : await writer(checkpointSchema(columns), top);
  await putNew(store, path, content);
  return {
    paths: [path, ...sidecars.map(({ name }) => `${sidecarsFolder(table)}/${name}`)],
    hint: {
      version,
      size: top.length + rows.files.length,
      sizeInBytes: sidecars.reduce((sum, { size }) => sum + size, content.length),
      numOfAddFiles: rows.numOfAddFiles,
      v2Checkpoint: {
        path: path.slice(logFolder(table).length + 1),
        sizeInBytes: content.length,
        modificationTime: now
      }
    }
  };
}
function jsonLines(rows) {
  return new TextEncoder().encode(rows.map((row) => `${formatJson(row)}
`).join(""));
}
async function putNew(store, path, content) {
  if (!await store.putIfAbsent(path, content)) throw new Error(`${path} is there, though its name is random`);
}

// packages/delta/src/files/sort-key.ts
var SCALE = 38;
var MICROSECONDS_A_DAY = 86400000000n;
function compareKeys(a, b) {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (a === b) return 0;
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}
function compareTexts(a, b) {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    const isSurrogate = (unit) => unit >= 55296 && unit <= 57343;
    return x >= 55296 && y >= 55296 && isSurrogate(x) !== isSurrogate(y) ? isSurrogate(x) ? 1 : -1 : x - y;
  }
  return a.length - b.length;
}
function keyOfText(type, text2) {
  switch (type.kind) {
    case "byte":
    case "short":
    case "integer":
    case "long":
      return /^[+-]?\d+$/.test(text2) ? BigInt(text2.replace("+", "")) : void 0;
    case "float":
    case "double": {
      const number2 = numberOf(text2);
      return number2 === void 0 || type.kind === "double" ? number2 : Math.fround(number2);
    }
    case "decimal":
      return decimalKey(text2);
    case "string":
      return text2;
    case "binary":
      return Buffer.from(text2).toString("latin1");
    case "boolean":
      return /^true$/i.test(text2) ? 1n : /^false$/i.test(text2) ? 0n : void 0;
    case "date": {
      const time = parseTime(text2);
      return time === void 0 || time.micros % MICROSECONDS_A_DAY !== 0n ? void 0 : time.micros / MICROSECONDS_A_DAY;
    }
    case "timestamp":
    case "timestamp_ntz":
      return parseTime(text2)?.micros;
    default:
      return void 0;
  }
}
function keyOfLiteral(type, literal) {
  const key = literalKey(type, literal);
  if (key === void 0) throw new TypeError(`${String(literal)} is no value of the type ${type.kind}`);
  return key;
}
function exactKeyOfLiteral(type, literal) {
  const key = keyOfLiteral(type, literal);
  return type.kind === "float" && typeof key === "number" && !Object.is(Math.fround(key), key) ? void 0 : key;
}
function literalKey(type, literal) {
  switch (type.kind) {
    case "byte":
    case "short":
    case "integer":
    case "long":
      return wholeNumber(literal);
    case "float":
    case "double":
      return typeof literal === "number" ? literal : void 0;
    case "decimal":
      return typeof literal === "string" ? decimalKey(literal) : scaled(wholeNumber(literal));
    case "string":
      return typeof literal === "string" ? literal : void 0;
    case "binary":
      return literal instanceof Uint8Array ? Buffer.from(literal).toString("latin1") : void 0;
    case "boolean":
      return typeof literal === "boolean" ? BigInt(literal) : void 0;
    case "date":
    case "timestamp":
    case "timestamp_ntz":
      if (typeof literal === "bigint") return literal;
      return typeof literal === "string" ? keyOfText(type, literal) : void 0;
    default:
      return void 0;
  }
}
function fractionDigits(text2) {
  return parseTime(text2)?.digits;
}
function wholeNumber(literal) {
  if (typeof literal === "bigint") return literal;
  return typeof literal === "number" && Number.isSafeInteger(literal) ? BigInt(literal) : void 0;
}
function scaled(number2) {
  return number2 === void 0 ? void 0 : number2 * 10n ** BigInt(SCALE);
}
function numberOf(text2) {
  switch (text2.toLowerCase()) {
    case "nan":
      return Number.NaN;
    case "infinity":
    case "+infinity":
    case "inf":
      return Number.POSITIVE_INFINITY;
    case "-infinity":
    case "-inf":
      return Number.NEGATIVE_INFINITY;
    default:
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text2) ? Number(text2) : void 0;
  }
}
function decimalKey(text2) {
  const [, sign, whole = "", fraction = "", exponent = "0"] = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text2) ?? [];
  if (sign === void 0 || whole + fraction === "") return void 0;
  const shift = SCALE - fraction.length + Number(exponent);
  if (Math.abs(shift) > 2 * SCALE) return void 0;
  const digits = BigInt(whole + fraction);
  const unit = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % unit !== 0n) return void 0;
  const key = shift < 0 ? digits / unit : digits * unit;
  return sign === "-" ? -key : key;
}
function parseTime(text2) {
  const [, day, time = "00:00:00", fraction = "", offset = "Z"] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(Z|[+-]\d\d:?(?:\d\d)?)?)?$/.exec(text2) ?? [];
  if (day === void 0) return void 0;
  const zone = offset === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`;
  const seconds = Date.parse(`${day}T${time}${zone}`) / 1e3;
  if (!Number.isInteger(seconds)) return void 0;
  return {
    micros: BigInt(seconds) * 1000000n + BigInt(fraction.slice(0, 6).padEnd(6, "0")),
    digits: fraction.length
  };
}

// packages/delta/src/files/stats-text.ts
function openStats(stats) {
  if (stats === void 0) return void 0;
  const places = findSections(stats);
  if (places === void 0) return parseWhole(stats);
  let whole;
  return {
    numRecords: places.numRecords,
    valueOf: (section, path) => {
      const [name = ""] = path;
      const place2 = places[section];
      if (place2 === void 0) return void 0;
      if (path.length === 1 && PLAIN_NAME.test(name)) return findValue(stats, place2, name);
      whole ??= { parsed: parseWhole(stats) };
      return whole.parsed?.valueOf(section, path);
    }
  };
}
function toCount(text2) {
  return text2 !== void 0 && /^\d{1,15}$/.test(text2) ? Number(text2) : void 0;
}
var PLAIN_NAME = /^[^\s,:{}[\]"\\][^"\\]*$/;
function findSections(stats) {
  const places = {};
  for (let at = 1; ; ) {
    const [, key, value = ""] = matchAt(/"([a-zA-Z]+)":(\{|[^,}"{]+)/y, stats, at) ?? [];
    if (key === void 0) return void 0;
    at += key.length + 3;
    if (value === "{") {
      if (key !== "minValues" && key !== "maxValues" && key !== "nullCount") return void 0;
      const end = stats.indexOf("}", at);
      const inner = stats.indexOf("{", at + 1);
      if (end === -1 || inner !== -1 && inner < end) return void 0;
      places[key] = { start: at, end };
      at = end + 1;
    } else {
      if (key === "numRecords") places.numRecords = toCount(value);
      else if (key !== "tightBounds") return void 0;
      at += value.length;
    }
    if (stats[at] === "}") return at === stats.length - 1 && stats[0] === "{" ? places : void 0;
    if (stats[at] !== ",") return void 0;
    at += 1;
  }
}
function matchAt(sticky, text2, at) {
  sticky.lastIndex = at;
  return sticky.exec(text2);
}
function findValue(stats, { start, end }, name) {
  const key = `"${name}":`;
  let at = stats.indexOf(key, start);
  while (at !== -1 && at < end && stats[at - 1] === "\\") at = stats.indexOf(key, at + 1);
  if (at === -1 || at >= end) return void 0;
  const from = at + key.length;
  const close = stats[from] === '"' ? stats.indexOf('"', from + 1) : -1;
  const text2 = stats.slice(from + 1, Math.max(close, from + 1));
  if (close !== -1 && !text2.includes("\\")) return text2;
  const [value] = matchAt(/"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,}"]+/y, stats, from) ?? [];
  if (value === void 0 || value === "null") return void 0;
  return value.startsWith('"') ? parseJson2(value) : value;
}
function parseWhole(stats) {
  const parsed = parseJson2(stats.replace(STRING_OR_NUMBER2, (token) => token.startsWith('"') ? token : `"${token}"`));
  if (!isTree(parsed)) return void 0;
  const textAt = (path) => {
    let value = parsed;
    for (const name of path) value = isTree(value) && Object.hasOwn(value, name) ? value[name] : void 0;
    return typeof value === "object" || value === void 0 ? void 0 : String(value);
  };
  return {
    numRecords: toCount(textAt(["numRecords"])),
    valueOf: (section, path) => textAt([section, ...path])
  };
}
var STRING_OR_NUMBER2 = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
function parseJson2(text2) {
  try {
    return JSON.parse(text2);
  } catch (error) {
    if (error instanceof SyntaxError) return void 0;
    throw error;
  }
}
function isTree(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// packages/delta/src/files/column-bounds.ts
var UNTOLD = { min: void 0, max: void 0, mayBeNull: true, mayBeValue: true, mayBeNan: false };
var ALL_NULL = { min: void 0, max: void 0, mayBeNull: true, mayBeValue: false, mayBeNan: false };
function bindColumn(path, table) {
  const { configuration, partitionColumns } = table.metadata;
  const fields2 = findFields(path, table);
  const inFiles = physicalSchema(table.schema, columnMappingMode(configuration));
  const names = fields2.map(({ name }) => name);
  const [field, physical] = [fields2.at(-1), translatePath(names, table.schema, inFiles)];
  if (field === void 0 || physical === void 0) throw notFound2(path, table);
  const { type } = field;
  const id = JSON.stringify([physical, type]);
  if (type.kind === "void") return { type, id, bounds: () => ALL_NULL };
  const [column = ""] = physical;
  if (fields2.length === 1 && partitionColumns.includes(field.name))
    return { type, id, bounds: (file) => partitionBounds(type, file.partitionValues[column]) };
  const wasFloat = type.kind === "double" && changedFrom(field, "float");
  return { type, id, bounds: (_file, stats) => statsBounds(type, wasFloat, physical, stats) };
}
function boundsReader(columns) {
  return (file) => {
    const known2 = KNOWN.get(file) ?? /* @__PURE__ */ new Map();
    KNOWN.set(file, known2);
    let stats;
    let isOpen = false;
    return columns.map((column) => {
      const before = known2.get(column.id);
      if (before !== void 0) return before;
      if (!isOpen) stats = openStats(file.stats);
      isOpen = true;
      const bounds = column.bounds(file, stats);
      known2.set(column.id, bounds);
      return bounds;
    });
  };
}
var KNOWN = /* @__PURE__ */ new WeakMap();
function partitionBounds(type, text2) {
  if (text2 === void 0) return UNTOLD;
  if (text2 === null || text2 === "") return ALL_NULL;
  const key = keyOfText(type, text2);
  if (key === void 0) return { ...UNTOLD, mayBeNull: false };
  return { min: key, max: key, mayBeNull: false, mayBeValue: true, mayBeNan: false };
}
function statsBounds(type, wasFloat, path, stats) {
  if (stats === void 0) return UNTOLD;
  const nulls = toCount(stats.valueOf("nullCount", path));
  const mayBeValue = nulls === void 0 || stats.numRecords === void 0 || nulls < stats.numRecords;
  const [min, max] = [stats.valueOf("minValues", path), stats.valueOf("maxValues", path)];
  return {
    min: min === void 0 ? void 0 : lowest(type, wasFloat, min),
    max: max === void 0 ? void 0 : highest(type, wasFloat, max),
    mayBeNull: nulls !== 0,
    mayBeValue,
    mayBeNan: mayBeValue && (type.kind === "float" || type.kind === "double")
  };
}
function lowest(type, wasFloat, text2) {
  const key = keyOfText(type, text2);
  if (wasFloat && typeof key === "number") return Math.min(key, Math.fround(key));
  return typeof key === "bigint" ? key - roundingOf(type, key, text2) : key;
}
function highest(type, wasFloat, text2) {
  const key = keyOfText(type, text2);
  if (wasFloat && typeof key === "number") return Math.max(key, Math.fround(key));
  if (typeof key !== "bigint") return key;
  return key + roundingOf(type, key, text2) + cutOf(type, text2);
}
function roundingOf(type, key, text2) {
  if (type.kind !== "decimal" || type.precision <= 15) return 0n;
  const digits = text2.replace(/e.*$/i, "").replace(/\D/g, "").replace(/^0+|0+$/g, "");
  return digits.length > 17 ? 0n : (key < 0n ? -key : key) >> 51n;
}
function cutOf(type, text2) {
  if (type.kind !== "timestamp" && type.kind !== "timestamp_ntz") return 0n;
  const digits = fractionDigits(text2) ?? 0;
  return digits <= 3 ? 999n : digits > 6 ? 1n : 0n;
}
function changedFrom({ metadata }, kind) {
  const changes = metadata["delta.typeChanges"];
  return Array.isArray(changes) && changes.some((change) => isObject(change) && change["fromType"] === kind);
}
function findFields(path, table) {
  const found = [];
  let type = table.schema;
  for (const name of path) {
    const fields2 = type.kind === "struct" ? type.fields : [];
    const field = fields2.find((candidate) => candidate.name === name) ?? fields2.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (field === void 0) throw notFound2(path, table);
    found.push(field);
    type = field.type;
  }
  return found;
}
function notFound2(path, { table, schema }) {
  const columns = schema.fields.map(({ name }) => name).join(", ");
  return new DeltaError("DELTA_COLUMN_NOT_FOUND_IN_SCHEMA", `${table} has no column ${path.join(".")}.`, {
    table,
    hint: `Its columns are ${columns}.`
  });
}

// packages/delta/src/files/prune.ts
function mayMatch(condition, table) {
  const outcomes = bindCondition(condition, table);
  return (file) => (outcomes(file) & TRUE) !== 0;
}
function mustMatch(condition, table) {
  const outcomes = bindCondition(condition, table);
  return (file) => (outcomes(file) & (FALSE | NULL)) === 0;
}
var TRUE = 1;
var FALSE = 2;
var NULL = 4;
var ANY = TRUE | FALSE | NULL;
function bindCondition(condition, table) {
  const columns = [];
  const evaluate = compile(condition, (path) => {
    const column = bindColumn(path, table);
    const known2 = columns.findIndex(({ id }) => id === column.id);
    return { column, index: known2 === -1 ? columns.push(column) - 1 : known2 };
  });
  const read2 = boundsReader(columns);
  return (file) => evaluate(read2(file));
}
function compile(condition, find) {
  switch (condition.kind) {
    case "unknown":
      return () => ANY;
    case "not": {
      const inner = compile(condition.condition, find);
      return (bounds) => negate(inner(bounds));
    }
    case "and": {
      const parts = condition.conditions.map((part) => compile(part, find));
      return (bounds) => parts.reduce((all, part) => and(all, part(bounds)), TRUE);
    }
    case "or": {
      const parts = condition.conditions.map((part) => compile(part, find));
      return (bounds) => negate(parts.reduce((all, part) => and(all, negate(part(bounds))), TRUE));
    }
    case "isNull":
      return onColumn(condition.column, find, ({ mayBeNull, mayBeValue }) => bits(mayBeNull, mayBeValue));
    case "startsWith":
      return startsWith(condition.column, condition.prefix, find);
    case "in":
      return isIn(condition.column, condition.values, find);
    case "compare":
      return compare(condition.column, condition.operator, condition.value, find);
  }
}
function onColumn(path, find, evaluate) {
  const { index } = find(path);
  return (bounds) => {
    const column = bounds[index];
    return column === void 0 ? ANY : evaluate(column);
  };
}
function compare(path, operator, value, find) {
  if (value === null)
    return onColumn(
      path,
      find,
      ({ mayBeNull, mayBeValue }) => operator === "<=>" ? bits(mayBeNull, mayBeValue) : NULL
    );
  const key = exactKeyOfLiteral(find(path).column.type, value);
  if (operator === "<=>")
    return onColumn(path, find, (bounds) => {
      const outcomes = ofValues(bounds, key, equal);
      return outcomes & ~NULL | (bounds.mayBeNull ? FALSE : 0);
    });
  return onColumn(path, find, (bounds) => ofValues(bounds, key, INTERVAL[operator]));
}
function isIn(path, values, find) {
  const { type } = find(path).column;
  if (values.length === 0) return () => FALSE;
  const given = values.filter((value) => value !== null).map((value) => exactKeyOfLiteral(type, value));
  const keys = given.filter((key) => key !== void 0).sort(compareKeys);
  const isExact = keys.length === given.length;
  const hasNull = values.includes(null);
  return onColumn(path, find, (bounds) => {
    const found = ofValues(bounds, isExact ? keys : void 0, oneOf);
    return hasNull && (found & FALSE) !== 0 ? found & ~FALSE | NULL : found;
  });
}
function startsWith(path, prefix, find) {
  const { type } = find(path).column;
  if (type.kind !== "string") throw new TypeError(`a column of the type ${type.kind} has no prefix`);
  return onColumn(
    path,
    find,
    (bounds) => ofValues(bounds, prefix, (min, max) => {
      const mayBe = (min === void 0 || isBelow(min, prefix)) && (max === void 0 || compareKeys(prefix, max) <= 0);
      return bits(mayBe, !(hasPrefix(min, prefix) && hasPrefix(max, prefix)));
    })
  );
}
function isBelow(min, prefix) {
  return hasPrefix(min, prefix) || compareKeys(min, prefix) <= 0;
}
function hasPrefix(bound, prefix) {
  return typeof bound === "string" && bound.startsWith(prefix);
}
function ofValues(bounds, key, onInterval) {
  let outcomes = bounds.mayBeNull ? NULL : 0;
  if (!bounds.mayBeValue) return outcomes;
  if (key === void 0) return outcomes | TRUE | FALSE;
  outcomes |= onInterval(bounds.min, bounds.max, key);
  if (bounds.mayBeNan) outcomes |= onInterval(Number.NaN, Number.NaN, key);
  return outcomes;
}
var equal = (min, max, key) => {
  const isWithin = (min === void 0 || compareKeys(min, key) <= 0) && (max === void 0 || compareKeys(key, max) <= 0);
  const isAll = min !== void 0 && max !== void 0 && compareKeys(min, key) === 0 && compareKeys(max, key) === 0;
  return bits(isWithin, !isAll);
};
var less = (min, max, key) => bits(min === void 0 || compareKeys(min, key) < 0, max === void 0 || compareKeys(max, key) >= 0);
var lessOrEqual = (min, max, key) => bits(min === void 0 || compareKeys(min, key) <= 0, max === void 0 || compareKeys(max, key) > 0);
var INTERVAL = {
  "=": equal,
  "<": less,
  "<=": lessOrEqual,
  ">": (min, max, key) => negate(lessOrEqual(min, max, key)),
  ">=": (min, max, key) => negate(less(min, max, key))
};
var oneOf = (min, max, keys) => {
  const key = min === void 0 ? keys[0] : keys[firstFrom(keys, min)];
  const isWithin = key !== void 0 && (max === void 0 || compareKeys(key, max) <= 0);
  const isOne = isWithin && min !== void 0 && max !== void 0 && compareKeys(min, max) === 0;
  return bits(isWithin, !isOne);
};
function firstFrom(keys, bound) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = low + high >> 1;
    const key = keys[middle];
    if (key !== void 0 && compareKeys(key, bound) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
function bits(mayBeTrue, mayBeFalse) {
  return (mayBeTrue ? TRUE : 0) | (mayBeFalse ? FALSE : 0);
}
function negate(outcomes) {
  return outcomes & NULL | bits((outcomes & FALSE) !== 0, (outcomes & TRUE) !== 0);
}
function and(a, b) {
  const isNull = (a & NULL) !== 0 && (b & (NULL | TRUE)) !== 0 || (b & NULL) !== 0 && (a & TRUE) !== 0;
  return a & b & TRUE | (a | b) & FALSE | (isNull ? NULL : 0);
}

// packages/delta/src/store/local-store.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import { link, lstat, open as open3, readdir, readFile as readFile2, rename, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname as dirname2, join } from "node:path";

// packages/delta/src/store/local-folder.ts
import { mkdir, open as open2 } from "node:fs/promises";
import { platform } from "node:os";
import { dirname } from "node:path";
async function makeFolder(folder) {
  const first = await mkdir(folder, { recursive: true });
  if (first === void 0) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}
async function syncFolder(folder) {
  if (platform() === "win32") return;
  const handle = await open2(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// packages/delta/src/store/local-store.ts
var localStore = { list: list2, read, putIfAbsent, put, delete: (path) => rm(path, { force: true }) };
async function read(path, range) {
  if (range === void 0) return readFile2(path);
  const file = await open3(path, "r");
  try {
    const { size } = await file.stat();
    const start = range.offset < 0 ? Math.max(size + range.offset, 0) : Math.min(range.offset, size);
    const content = Buffer.alloc(Math.min(range.length ?? size, size - start));
    let filled = 0;
    while (filled < content.length) {
      const { bytesRead } = await file.read(content, filled, content.length - filled, start + filled);
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`);
      filled += bytesRead;
    }
    return content;
  } finally {
    await file.close();
  }
}
async function list2(folder) {
  const names = await readdir(folder).catch(emptyWhenAbsent);
  const entries = await Promise.all(names.map((name) => describe(folder, name)));
  return entries.filter((entry) => entry !== void 0);
}
async function describe(folder, name) {
  try {
    const path = join(folder, name);
    const own = await lstat(path);
    const found = own.isSymbolicLink() ? await stat(path) : own;
    const entry = { name, modified: Math.floor(found.mtimeMs), ...found === own ? {} : { isLink: true } };
    return found.isDirectory() ? { ...entry, kind: "folder", size: 0 } : { ...entry, kind: "file", size: found.size };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return void 0;
    throw error;
  }
}
function putIfAbsent(path, content) {
  return place(path, content, link);
}
async function put(path, content) {
  await place(path, content, rename);
}
async function place(path, content, name) {
  const folder = dirname2(path);
  await makeFolder(folder);
  const temporary = join(folder, `.${basename(path)}.${randomUUID2()}.tmp`);
  try {
    await writeDurably(temporary, content);
    await name(temporary, path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await unlink(temporary).catch(() => void 0);
  }
  await syncFolder(folder).catch(() => void 0);
  return true;
}
async function writeDurably(path, content) {
  const file = await open3(path, "wx");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
function emptyWhenAbsent(error) {
  if (hasCode(error, "ENOENT")) return [];
  throw error;
}
function hasCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
export {
  checkpointPath,
  checksumPath,
  commitPath,
  formatCommit,
  listLog,
  localStore,
  logFileVersion,
  logFolder,
  mayMatch,
  mustMatch,
  noDeltaTable,
  parseActions,
  parseCommit,
  parseCommitInfo,
  parseLines,
  readSnapshot,
  requireLog,
  sidecarsFolder,
  writeCheckpoint
};
