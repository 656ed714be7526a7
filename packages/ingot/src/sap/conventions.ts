import type { Units } from "./units.js";

/** How one SAP system, and the way out of it, writes values: declared once, in `sources` of the spec, never guessed. */
export interface SourceConventions {
  /** Which dictionary holds, and how long numbers of materials may be. */
  readonly release: Release;
  /** The client whose rows are taken, and that of extracts without a client column. */
  readonly client?: string;
  /** Rows of several clients are meant to be there. */
  readonly severalClients?: true;
  /** A {@link dateFormat} of the values of DATS columns. */
  readonly dates: string;
  readonly numbers: NumberFormat;
  /** What an empty number means. */
  readonly blanks: "null" | "zero";
  /** `raw`: CURR values stand as SAP stores them; `shifted`: the decimals of their currencies were applied before. */
  readonly amounts: "raw" | "shifted";
  /** `padded`: keys of digits stand with their zeros; `stripped`: they may have lost them. */
  readonly keys: "padded" | "stripped";
  /** Digits of a material number that is all digits: 40 with long material numbers. */
  readonly materials: 18 | 40;
  /** Decimals of the currencies that have not two, by key: the system's own TCURX. */
  readonly currencies?: ReadonlyMap<string, number>;
  /** Its own T006 and T006A. */
  readonly units?: Units;
}

/** What the spec itself says of a source: all but what stands in extracts. */
export type SpokenConventions = Omit<SourceConventions, "currencies" | "units">;

export type Release = "ecc" | "s4";

/** The conventions of each source of a project, by its name in lower case. */
export type Sources = ReadonlyMap<string, SourceConventions>;

/** What SAP writes where nobody says otherwise. */
export const SAP_DEFAULTS: SourceConventions = {
  release: "ecc",
  dates: "YYYYMMDD",
  numbers: "plain",
  blanks: "null",
  amounts: "raw",
  keys: "padded",
  materials: 18,
};

/** Which sign groups the digits of a number, and which stands before its decimals; names after USR01-DCPFM. */
export const NUMBER_FORMATS = {
  /** 1234.50 */
  plain: { group: "", point: "." },
  /** 1,234.50 (DCPFM X) */
  us: { group: ",", point: "." },
  /** 1.234,50 (DCPFM blank) */
  eu: { group: ".", point: "," },
  /** 1 234,50 (DCPFM Y) */
  sp: { group: " ", point: "," },
} as const;

export type NumberFormat = keyof typeof NUMBER_FORMATS;
