import type { Field } from "./data-type.js";

/** What `read_files` says about its files, after its options are checked. Names and defaults are Spark's and Auto Loader's. */
export type FileRead = CsvRead | JsonRead | ParquetRead | TextRead | BinaryFileRead;

export type FileFormat = FileRead["format"];

/** What is said of files of any format: which ones, which columns, and where that goes which does not fit. */
export interface AnyFileRead {
  /** As written: relative to the spec's folder, or absolute. A file, a folder (read with all below it) or a glob. */
  readonly path: string;
  /** Only files whose name matches this glob. */
  readonly pathGlobFilter?: string;
  /** Only files that were changed after, or before, this moment: milliseconds since 1970. */
  readonly modifiedAfter?: number;
  readonly modifiedBefore?: number;
  /** `key=value` folders are folders like others, and make no columns. */
  readonly recursiveFileLookup: boolean;
  /** False: a stream leaves out the files that are there when its first batch is planned. */
  readonly includeExistingFiles: boolean;
  /** Most files, and about most bytes, of a stream's batch. */
  readonly maxFilesPerTrigger?: number;
  readonly maxBytesPerTrigger?: number;
  /** A stream reads a file once more that was loaded and has other content now. Its rows of before stay. */
  readonly allowOverwrites: boolean;
  /** A file that goes between listing and reading is left out. */
  readonly ignoreMissingFiles: boolean;
  /** A file that cannot be read (truncated, broken footer, wrong bytes) is left out, and told, where it would stop the flow. */
  readonly ignoreCorruptFiles: boolean;
  /** What a path that is not there does: fail the flow, or leave it out of the run with a notice. */
  readonly onMissing: "fail" | "skip";
  /** What a file of 0 bytes does: a notice, or fail the flow. */
  readonly onEmpty: "warn" | "fail";

  /** Declared columns in the file's order; a corrupt-record column that is declared is among them. Absent: found in the files. */
  readonly schema?: readonly Field[];
  /** Types of columns that are found in the files, over what was found; a column that no file has is NULL. */
  readonly schemaHints: readonly Field[];
  /** Columns found in text have the type that all their values have; false: they are texts, exactly as they stand. */
  readonly inferColumnTypes: boolean;
  /** What a column that the stream has not had before does. */
  readonly schemaEvolutionMode: SchemaEvolutionMode;
  /** Columns made of `key=value` folders; absent: of all such folders. */
  readonly partitionColumns?: readonly string[];
  /** Names found in the files: lower case, other characters than a-z, 0-9 to `_`, runs of it to one, none at the edges. */
  readonly cleanColumnNames: boolean;

  /** What a record that does not fit does. */
  readonly mode: RecordMode;
  /** Column that takes the raw text of a record that does not fit. Without one, and without the next, it stops the flow. */
  readonly corruptRecordColumn?: string;
  /** Column that takes what fits no column, as a JSON object with `_file_path`. */
  readonly rescuedDataColumn?: string;
}

export type SchemaEvolutionMode = "addNewColumns" | "rescue" | "failOnNewColumns" | "none";
export type RecordMode = "PERMISSIVE" | "DROPMALFORMED" | "FAILFAST";

/** What CSV and JSON files share. */
interface TextRecords {
  /** A name that `encodings` knows; a byte order mark in the file must agree with it. */
  readonly encoding: string;
  /** A record may hold line ends. JSON: a file is one document. */
  readonly multiLine: boolean;
  readonly compression?: Compression;
}

/** Absent in a read: by the ending of the file's name. */
export type Compression = "none" | "gzip" | "zstd";

export interface CsvRead extends AnyFileRead, TextRecords {
  readonly format: "csv";
  readonly header: boolean;
  /** False: a header that does not name the schema's columns is refused. True: the header is ignored. Only with a schema. */
  readonly enforceSchema: boolean;
  readonly sep: string;
  /** Empty: off. */
  readonly quote: string;
  readonly escape: string;
  /** Lines that begin with it are no records. */
  readonly comment?: string;
  /** A field of this text is NULL; with a schema an empty field is too. */
  readonly nullValue: string;
  readonly ignoreLeadingWhiteSpace: boolean;
  readonly ignoreTrailingWhiteSpace: boolean;
}

export interface JsonRead extends AnyFileRead, TextRecords {
  readonly format: "json";
}

export interface ParquetRead extends AnyFileRead {
  readonly format: "parquet";
}

/** One column `value`: a row a line, or a row a file (`wholeText`). */
export interface TextRead extends AnyFileRead {
  readonly format: "text";
  readonly encoding: string;
  readonly wholeText: boolean;
  readonly compression?: Compression;
}

/** A row a file: `path`, `modificationTime`, `length`, `content`. */
export interface BinaryFileRead extends AnyFileRead {
  readonly format: "binaryFile";
}
