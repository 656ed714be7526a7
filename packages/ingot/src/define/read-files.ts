import type { Field } from "../model/data-type.js";
import { quoteIdentifier } from "../model/name.js";
import type { Position } from "../model/position.js";
import { formatDdl } from "../sql/ddl-types.js";
import { quoteName, quoteString } from "../sql/quote.js";
import type { Api } from "./api-types.js";
import { count, flag, name, oneOf, scalars, schema, text } from "./checks.js";
import type { SchemaInput } from "./column-types.js";
import { badOption, type Call, readOptions } from "./options.js";
import { readFields } from "./schema.js";
import type { Scope } from "./scope.js";
import type { FileSource } from "./types.js";
import { makeRelation, type Part, relationOf } from "./values.js";

const OPTIONS = {
  format: oneOf("csv", "json", "parquet", "text", "binaryFile"),
  schema,
  schemaHints: text,
  header: flag,
  enforceSchema: flag,
  columnNameOfCorruptRecord: name,
  inferColumnTypes: flag,
  schemaEvolutionMode: oneOf("addNewColumns", "rescue", "failOnNewColumns", "none"),
  rescuedDataColumn: name,
  pathGlobFilter: name,
  maxFilesPerTrigger: count,
  maxBytesPerTrigger: name,
  onMissing: oneOf("fail", "skip"),
  cleanColumnNames: flag,
  options: scalars,
};

/** `readFiles`: `read_files('path', option => value, …)` with the options in the order in which they were given. */
export function createReadFiles(scope: Scope): Api["readFiles"] {
  const readFiles = (path: string, given?: unknown): FileSource => {
    const call: Call = { text: `readFiles(${JSON.stringify(path)})`, at: scope.places.callSite(readFiles) };
    if (typeof path !== "string" || path === "") {
      badOption(
        scope,
        call,
        `${call.text}: the path must be a text`,
        "A file, a folder or a glob, e.g. landing/*.csv.",
      );
    }
    const { options: others = {}, ...named } = readOptions(scope, call, given, OPTIONS);
    // Each option is a part of its own at the call, so that an error about it points there.
    const parts: Part[] = [{ text: `read_files(${quoteString(String(path))}`, at: call.at }];
    const { format, schema: declared, schemaHints, columnNameOfCorruptRecord: corruptRecord } = named;
    const fields = declared === undefined ? undefined : readFields(scope, call, declared);
    for (const [key, value] of Object.entries(named)) {
      if (key === "schema") parts.push(...schemaParts(scope, call, value as SchemaInput, fields ?? []));
      else parts.push({ text: `, ${key} => ${literal(value as string | number | boolean)}`, at: call.at });
    }
    for (const [key, value] of Object.entries(others)) {
      if (Object.hasOwn(OPTIONS, key)) {
        badOption(scope, call, `${call.text}: \`${key}\` is an option of its own`, "Take it out of `options`.");
      }
      const option = /^[A-Za-z_]\w*$/.test(key) ? key : quoteIdentifier(key);
      parts.push({ text: `, ${option} => ${literal(value)}`, at: call.at });
    }
    parts.push({ text: ")", at: call.at });
    const files = {
      ...(format === undefined ? {} : { format }),
      ...(fields === undefined ? {} : { schema: fields }),
      hasHints: schemaHints !== undefined,
      ...(corruptRecord === undefined ? {} : { corruptRecord }),
    };
    return makeRelation<FileSource>({ kind: "files", path }, { parts, files });
  };
  return readFiles as Api["readFiles"];
}

/** The schema as DDL, checked; its text stands where the literal stands in the source. */
function schemaParts(scope: Scope, call: Call, given: SchemaInput, fields: readonly Field[]): Part[] {
  const ddl = typeof given === "string" ? given : formatDdl(fields);
  return [
    { text: ", schema => '", at: call.at },
    { text: quoteString(ddl).slice(1, -1), at: scope.places.literal(ddl, call.at) },
    { text: "'", at: call.at },
  ];
}

function literal(value: string | number | boolean): string {
  return typeof value === "string" ? quoteString(value) : String(value);
}

/** The same files with types for columns that may be missing in them; `names` are read as texts. */
export function hintTexts(files: FileSource<unknown>, names: readonly string[], at: Position): FileSource {
  const { parts, ...known } = relationOf(files) ?? { parts: [] };
  const ddl = names.map((name) => `${quoteName(name)} STRING`).join(", ");
  const hints: Part = { text: `, schemaHints => ${quoteString(ddl)}`, at };
  return makeRelation<FileSource>(
    { kind: "files", path: files.path },
    { ...known, parts: [...parts.slice(0, -1), hints, ...parts.slice(-1)] },
  );
}
