/** What a row of a change file does to its key. */
export type Operation = "upsert" | "delete" | "archive" | "before";

/** How a system writes changes: data, so that a new format is an entry. Names of columns are in capitals. */
export interface ChangeFormat {
  /** One line for the reference. */
  readonly from: string;
  /** The columns that say what happened. */
  readonly operation: readonly OperationColumn[];
  /** What their values mean; the first rule that fits decides, and where none does the operation is unknown. */
  readonly rules: readonly OperationRule[];
  /** The columns that order the changes of a key, the most telling first, each with its spellings. */
  readonly sequence: readonly (readonly string[])[];
  /**
   * How their values are ordered: `number`, as whole numbers, also where they are texts; `stamp`, as moments of one time
   * zone, with or without separators; else as they are.
   */
  readonly order?: "number" | "stamp";
  /** The first of them begins with a moment in UTC, YYYYMMDDhhmmss, though it is compared as a number. */
  readonly stamped?: true;
  /** Most deliveries have them; where false, the order of delivery holds unless someone names them. */
  readonly sequenced: boolean;
  /** Further columns of the format that are no part of the row. */
  readonly control: readonly string[];
  /** Which of two events of equal sequence wins. */
  readonly ties: "upsert" | "delete";
}

export interface OperationColumn {
  /** Its spellings: the first that a file has is taken. */
  readonly names: readonly string[];
  /** A number of which only the sign counts: `-`, or nothing. */
  readonly as?: "sign";
  /** A file may be without it; it is blank then. */
  readonly optional?: true;
}

/** A rule for the values of the operation's columns, in their order; undefined takes any value. */
export interface OperationRule {
  readonly when: readonly (readonly string[] | undefined)[];
  readonly is: Operation | { readonly refused: OperationReason };
}

/** Why a row cannot be applied. */
export type OperationReason = "UNKNOWN_OP" | "ADDITIVE_NOT_ALLOWED";

const BLANK = "";

export const CHANGE_FORMATS = {
  odq: {
    from: "ODP: ODQ_CHANGEMODE with ODQ_ENTITYCNTR, a counter and no sequence; by transaction, unit and record where a tool adds them",
    operation: [{ names: ["ODQ_CHANGEMODE"] }, { names: ["ODQ_ENTITYCNTR"], as: "sign", optional: true }],
    rules: [
      { when: [["U"], ["-"]], is: "before" },
      { when: [["D"], ["-", BLANK]], is: "delete" },
      { when: [[BLANK, "C", "I", "U"], [BLANK]], is: "upsert" },
    ],
    sequence: [["ODQ_TSN"], ["ODQ_UNITNO"], ["ODQ_RECORDNO"]],
    order: "number",
    stamped: true,
    sequenced: false,
    control: [],
    ties: "upsert",
  },
  recordmode: {
    from: "BW DataSources: 0RECORDMODE or ROCANCEL, by request, package and record",
    operation: [{ names: ["0RECORDMODE", "RECORDMODE", "ROCANCEL"] }],
    rules: [
      { when: [["X"]], is: "before" },
      { when: [["D", "R"]], is: "delete" },
      { when: [[BLANK, "N", "Y"]], is: "upsert" },
      { when: [["A"]], is: { refused: "ADDITIVE_NOT_ALLOWED" } },
    ],
    sequence: [["REQUID", "TSN"], ["DATAPAKID"], ["RECORD"]],
    order: "number",
    sequenced: false,
    control: [],
    ties: "upsert",
  },
  slt: {
    from: "SLT: OPERATION_FLAG or IUUC_OPERATION, by the record's stamp",
    operation: [{ names: ["OPERATION_FLAG", "IUUC_OPERATION"] }],
    rules: [
      { when: [["D"]], is: "delete" },
      { when: [["I", "U", "L"]], is: "upsert" },
    ],
    sequence: [["RECORDSTAMP"]],
    order: "stamp",
    sequenced: true,
    control: ["IS_DELETED"],
    ties: "delete",
  },
  fivetran: {
    from: "Fivetran-like tables: one row a key, with a flag where it was deleted",
    operation: [{ names: ["_FIVETRAN_DELETED"] }, { names: ["_FIVETRAN_SAP_ARCHIVED"], optional: true }],
    rules: [
      {
        when: [
          ["true", "TRUE"],
          ["true", "TRUE"],
        ],
        is: "archive",
      },
      { when: [["true", "TRUE"], undefined], is: "delete" },
      { when: [[BLANK, "false", "FALSE"], undefined], is: "upsert" },
    ],
    sequence: [["_FIVETRAN_SYNCED"]],
    order: "stamp",
    sequenced: true,
    control: ["_FIVETRAN_ID"],
    ties: "upsert",
  },
  qlik: {
    from: "Qlik-Replicate-like change tables: HEADER__CHANGE_OPER, by HEADER__CHANGE_SEQ",
    operation: [{ names: ["HEADER__CHANGE_OPER"] }],
    rules: [
      { when: [["B"]], is: "before" },
      { when: [["D"]], is: "delete" },
      { when: [["I", "U"]], is: "upsert" },
    ],
    sequence: [["HEADER__CHANGE_SEQ"]],
    sequenced: true,
    control: [
      "HEADER__CHANGE_MASK",
      "HEADER__STREAM_POSITION",
      "HEADER__OPERATION",
      "HEADER__TRANSACTION_ID",
      "HEADER__TIMESTAMP",
    ],
    ties: "upsert",
  },
  debezium: {
    from: "Debezium-like envelopes, flattened: __OP, by the position in the source's log",
    operation: [{ names: ["__OP", "OP"] }],
    rules: [
      { when: [["d"]], is: "delete" },
      { when: [["c", "u", "r"]], is: "upsert" },
    ],
    sequence: [["__SOURCE_LSN", "__LSN", "__SOURCE_SCN", "__SCN", "__SOURCE_TS_MS", "__TS_MS"]],
    order: "number",
    sequenced: true,
    control: ["__DELETED"],
    ties: "upsert",
  },
  cdf: {
    from: "the change data feed of a Delta table: _change_type, by _commit_version",
    operation: [{ names: ["_CHANGE_TYPE"] }],
    rules: [
      { when: [["update_preimage"]], is: "before" },
      { when: [["delete"]], is: "delete" },
      { when: [["insert", "update_postimage"]], is: "upsert" },
    ],
    sequence: [["_COMMIT_VERSION"]],
    sequenced: true,
    control: ["_COMMIT_TIMESTAMP"],
    ties: "upsert",
  },
  plain: {
    from: "rows without an operation: each is the newest state of its key",
    operation: [],
    rules: [{ when: [], is: "upsert" }],
    sequence: [],
    sequenced: false,
    control: [],
    ties: "upsert",
  },
} as const satisfies Readonly<Record<string, ChangeFormat>>;

export type ChangeFormatName = keyof typeof CHANGE_FORMATS;

/** Columns of a format that are no fields of a table, in capitals. */
export function controlColumns({ operation, sequence, control }: ChangeFormat): string[] {
  return [...operation.flatMap(({ names }) => names), ...sequence.flat(), ...control];
}

/** The same of all formats. Some are words that a table may have for a field too. */
export const CHANGE_COLUMNS: ReadonlySet<string> = new Set(
  Object.values<ChangeFormat>(CHANGE_FORMATS).flatMap(controlColumns),
);
