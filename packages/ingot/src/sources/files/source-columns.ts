import type { BatchFile, ColumnNotice } from "../../model/batch.js";
import { type DataType, type Field, formatType, sameType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import type { FileRead } from "../../model/file-read.js";
import { clashes, columnNames } from "./column-names.js";
import { ColumnNotices } from "./column-notices.js";
import { BINARY_FIELDS } from "./inspect-binary.js";
import { TEXT_FIELDS } from "./inspect-text.js";
import { joinJsonTypes } from "./json-types.js";
import { isHeldBy, isPlain, widenType } from "./widen-type.js";

/** The columns of a source whose schema is not declared, and what its files made of them. */
export interface SourceColumns {
  /** All that a query sees but `_metadata`. */
  readonly columns: readonly Field[];
  /** Columns that these files brought and that nobody gave a type: text, unless their values are looked at. */
  readonly found: readonly string[];
  readonly notices: readonly ColumnNotice[];
  /** Why these files cannot be read with these columns. */
  readonly fault?: IngotError;
}

const STRING: DataType = { kind: "string" };

/**
 * The columns of a source after some files: those that it has had, then the files' own, by name, in their order. The
 * first files make the columns; what later ones bring is taken as the read's `schemaEvolutionMode` says. A column that
 * a file lacks stays, and is NULL there. Pure: the same files in the same order give the same columns.
 *
 * @param known the columns of the source's last batch; undefined before the first
 * @param files new ones, in the order of their reading, with `fields`
 */
export function sourceColumns(
  read: FileRead,
  known: readonly Field[] | undefined,
  files: readonly BatchFile[],
): SourceColumns {
  const fold = new ColumnFold(read, known);
  for (const file of files) fold.add(file);
  return fold.finish(files);
}

class ColumnFold {
  readonly #read: FileRead;
  readonly #isFirst: boolean;
  readonly #columns = new Map<string, Field>();
  readonly #known: ReadonlySet<string>;
  readonly #notices = new ColumnNotices();
  #fault: IngotError | undefined;

  constructor(read: FileRead, known: readonly Field[] | undefined) {
    this.#read = read;
    this.#isFirst = known === undefined;
    for (const field of known ?? fixedColumns(read)) this.#columns.set(field.name.toLowerCase(), field);
    this.#known = new Set(this.#columns.keys());
  }

  add(file: BatchFile): void {
    const header = (file.fields ?? []).map(({ name }) => name);
    const clean = { clean: this.#read.cleanColumnNames };
    const names = columnNames(header, clean);
    for (const group of clashes(header, clean)) {
      const given = group.map((original) => `"${original}" is ${names[header.indexOf(original)]}`);
      this.#notices.add(
        "told-apart",
        group.join(", "),
        file,
        `Names that are too much alike were told apart: ${given.join(", ")}.`,
      );
    }
    const keys = new Map(Object.keys(file.partition ?? {}).map((key) => [key.toLowerCase(), key]));
    for (const [i, field] of (file.fields ?? []).entries()) {
      const name = names[i] as string;
      if (keys.has(name.toLowerCase()) || this.#isSpecial(name))
        this.#fail(takenName(name, file, keys.has(name.toLowerCase())));
      const comment = name === field.name ? {} : { comment: `${field.name} (field ${i + 1} of the file)` };
      this.#take({ name, type: field.type, nullable: true, ...comment }, file);
    }
    for (const name of keys.values()) this.#take({ name, type: STRING, nullable: true }, file);
    this.#noteAbsent(file, new Set([...names.map((name) => name.toLowerCase()), ...keys.keys()]));
  }

  finish(files: readonly BatchFile[]): SourceColumns {
    const { schemaHints, rescuedDataColumn, corruptRecordColumn } = this.#read;
    if (this.#columns.size === 0) this.#fail(noColumns(this.#read, files));
    for (const hint of schemaHints)
      this.#put({ ...this.#columns.get(hint.name.toLowerCase()), ...hint, nullable: true });
    for (const name of [rescuedDataColumn, corruptRecordColumn]) {
      if (name !== undefined && !this.#columns.has(name.toLowerCase()))
        this.#put({ name, type: STRING, nullable: true });
    }
    const hinted = new Set(schemaHints.map(({ name }) => name.toLowerCase()));
    const found = [...this.#columns].filter(
      ([key]) => !this.#known.has(key) && !hinted.has(key) && !this.#isSpecial(key),
    );
    return {
      columns: [...this.#columns.values()].map((field) =>
        field.type.kind === "void" ? { ...field, type: STRING } : field,
      ),
      found: found.map(([, { name }]) => name),
      notices: this.#notices.all(),
      ...(this.#fault === undefined ? {} : { fault: this.#fault }),
    };
  }

  /** A field of a file, under its column's name. */
  #take(field: Field, file: BatchFile): void {
    const column = this.#columns.get(field.name.toLowerCase());
    if (column === undefined) this.#takeNew(field, file);
    else if (this.#read.format === "json" && this.#isUntyped(column.name))
      this.#put({ ...column, type: joinJsonTypes(column.type, field.type) });
    // Text has no types of its own: a value that does not fit its column's is told record by record.
    else if (this.#read.format === "parquet" && !sameType(column.type, field.type)) {
      this.#takeOtherType(column, field, file);
    }
  }

  #takeNew(field: Field, file: BatchFile): void {
    const { schemaEvolutionMode: mode, rescuedDataColumn: rescued } = this.#read;
    if (this.#isFirst || mode === "addNewColumns") {
      this.#put(field);
      if (!this.#isFirst)
        this.#notices.add("new-column", field.name, file, `The column ${field.name} is new; rows of before read NULL.`);
    } else if (mode === "failOnNewColumns") this.#fail(newColumn(field.name, file));
    else {
      const where = mode === "rescue" && rescued !== undefined ? `goes to ${rescued}` : "is not read";
      this.#notices.add(
        "not-read",
        field.name,
        file,
        `The column ${field.name} is new and ${where}: schemaEvolutionMode ${mode}.`,
      );
    }
  }

  #takeOtherType(column: Field, field: Field, file: BatchFile): void {
    if (this.#isHinted(column.name) || isHeldBy(field.type, column.type)) {
      if (column.type.kind === "string") this.#noteText(column, field, file);
      return;
    }
    const wide = widenType(column.type, field.type);
    // Rows of before have their type; columns of these files alone may still take another.
    if (
      !this.#known.has(column.name.toLowerCase()) &&
      (wide !== undefined || (isPlain(column.type) && isPlain(field.type)))
    ) {
      this.#put({ ...column, type: wide ?? STRING });
      if (wide === undefined) this.#noteText(column, field, file);
    } else if (this.#read.rescuedDataColumn !== undefined) {
      const what = `${formatType(field.type)} where the column is ${formatType(column.type)}`;
      this.#notices.add(
        "as-text",
        column.name,
        file,
        `${column.name} is ${what}: its values go to ${this.#read.rescuedDataColumn}.`,
      );
    } else this.#fail(otherType(column, field, file));
  }

  #noteText(column: Field, field: Field, file: BatchFile): void {
    const types = `${formatType(field.type)} here and ${formatType(column.type)} elsewhere`;
    this.#notices.add("as-text", column.name, file, `${column.name} is ${types}: it is taken as text.`);
  }

  #noteAbsent(file: BatchFile, present: ReadonlySet<string>): void {
    for (const [key, { name }] of this.#columns) {
      if (!this.#known.has(key) || present.has(key) || this.#isSpecial(key) || this.#isHinted(key)) continue;
      this.#notices.add("absent", name, file, `The column ${name} is not there any more: it is NULL.`);
    }
  }

  #put(field: Field): void {
    this.#columns.set(field.name.toLowerCase(), field);
  }

  #fail(error: IngotError): void {
    this.#fault ??= error;
  }

  #isSpecial(name: string): boolean {
    const { rescuedDataColumn, corruptRecordColumn } = this.#read;
    return [rescuedDataColumn, corruptRecordColumn].some((special) => special?.toLowerCase() === name.toLowerCase());
  }

  /** Only these files give it a type. */
  #isUntyped(name: string): boolean {
    return !this.#known.has(name.toLowerCase()) && !this.#isHinted(name);
  }

  #isHinted(name: string): boolean {
    return this.#read.schemaHints.some((hint) => hint.name.toLowerCase() === name.toLowerCase());
  }
}

/** The columns that a format has whatever its files hold: as Spark's `text` and `binaryFile`. */
function fixedColumns({ format }: FileRead): Field[] {
  const fields = format === "text" ? TEXT_FIELDS : format === "binaryFile" ? BINARY_FIELDS : [];
  return fields.map((field) => ({ ...field, nullable: true }));
}

function noColumns(read: FileRead, files: readonly BatchFile[]): IngotError {
  const why = files.length === 0 ? "holds no file with records yet" : "holds files without a field";
  return new IngotError("UNABLE_TO_INFER_SCHEMA", `${read.path} ${why}, so its columns are not known.`, {
    object: read.path,
    hint: "Declare them: schema => 'id BIGINT, …'. Or deliver a file first; onMissing => 'skip' leaves the flow out until then.",
  });
}

function takenName(name: string, file: BatchFile, byFolder: boolean): IngotError {
  const what = byFolder ? "a key=value folder above it" : "the column for records that do not fit";
  return new IngotError("COLUMN_ALREADY_EXISTS", `${file.path}: its column ${name} has the name of ${what}.`, {
    object: file.path,
    hint: byFolder
      ? "recursiveFileLookup => true reads no columns from folders."
      : "Give rescuedDataColumn or columnNameOfCorruptRecord another name.",
  });
}

function newColumn(name: string, file: BatchFile): IngotError {
  return new IngotError("UNKNOWN_FIELD_EXCEPTION", `${file.path} has a column that was not there before: ${name}.`, {
    object: file.path,
    hint: "schemaEvolutionMode => 'failOnNewColumns' stops here. Take the file away, or use addNewColumns for a run.",
  });
}

function otherType(column: Field, field: Field, file: BatchFile): IngotError {
  const types = `${formatType(field.type)}, and the column is ${formatType(column.type)}`;
  const wide = widenType(column.type, field.type);
  return new IngotError("CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE", `${file.path}: ${field.name} is ${types}.`, {
    object: file.path,
    hint: `Name a rescuedDataColumn for its values; ${
      wide === undefined
        ? `or start again with schemaHints => '${column.name} STRING'`
        : `or take the wider type with schemaHints => '${column.name} ${formatType(wide).toUpperCase()}', for a table with delta.enableTypeWidening`
    }.`,
  });
}
