import type { RowTable } from "../rows.js";
import type { FaultRates } from "./kinds.js";

/** What stands in a file: the names of its columns, and its rows. */
export interface FileContent {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Default: UTF-8. */
  readonly encoding?: "windows-1252";
}

/** A way in which one whole file is wrong: it happens once, or from then on. */
export interface FileFaultKind {
  readonly does: string;
  readonly expected: string;
  /** Whether the next batch brings all its rows once more, newer and as they should be. */
  readonly isRepaired: boolean;
  /** Whether all later files of the table are like this. */
  readonly lasts?: true;
  /** What a file must be. */
  readonly needs?: "csv";
  /** Default: every table. */
  readonly fits?: (table: RowTable) => boolean;
  readonly alter: (content: FileContent, table: RowTable) => FileContent;
}

/** The first field of some type beside the key. */
function fieldOf(table: RowTable, type: string): string | undefined {
  return table.fields.find((field) => !field.key && field.type === type)?.name;
}

function without({ columns, rows }: FileContent, name: string | undefined): FileContent {
  const place = columns.indexOf(name ?? "");
  const keep = <T>(list: readonly T[]) => list.filter((_, i) => i !== place);
  return { columns: keep(columns), rows: rows.map(keep) };
}

const clientField = (table: RowTable) => table.fields.find(({ key, type }) => key && type === "CLNT")?.name;
/** The first field of free text that has fewer than 40 characters. */
function shortText(table: RowTable): string | undefined {
  return table.fields.find(({ key, type, length = 0 }) => !key && type === "CHAR" && length >= 15 && length < 40)?.name;
}

/** A field that no rule of a pipeline needs. */
const REMOVED = "DATS";

export const FILE_FAULTS = {
  new_column: {
    does: "a column ZZ_CHANNEL, from one batch on",
    expected: "bronze takes it, silver stays as it is",
    isRepaired: false,
    lasts: true,
    alter: ({ columns, rows }) => ({
      columns: [...columns, "ZZ_CHANNEL"],
      rows: rows.map((row, i) => [...row, i % 2 === 0 ? "WEB" : "PHONE"]),
    }),
  },
  removed_column: {
    does: "one file without a column",
    expected: "refused or NULL, by contract: never shifted",
    isRepaired: true,
    fits: (table) => fieldOf(table, REMOVED) !== undefined,
    alter: (content, table) => without(content, fieldOf(table, REMOVED)),
  },
  renamed_column: {
    does: "one file with a column under another name",
    expected: "refused or NULL, by contract: never shifted",
    isRepaired: true,
    fits: (table) => fieldOf(table, REMOVED) !== undefined,
    alter: ({ columns, rows }, table) => ({
      columns: columns.map((name) => (name === fieldOf(table, REMOVED) ? `${name}_NEW` : name)),
      rows,
    }),
  },
  amount_as_text: {
    does: "one file whose amounts have their currency behind them",
    expected: "a breach of the contract: the batch is held, or its rows are set aside (MALFORMED_AMOUNT)",
    isRepaired: true,
    fits: (table) => fieldOf(table, "CURR") !== undefined,
    alter: ({ columns, rows }, table) => {
      const place = columns.indexOf(fieldOf(table, "CURR") ?? "");
      return { columns, rows: rows.map((row) => row.map((value, i) => (i === place ? `${value} EUR` : value))) };
    },
  },
  longer_texts: {
    does: "one file with texts of 40 characters where the dictionary has fewer, as after a change of release",
    expected: "taken as they are; then the newer rows",
    isRepaired: true,
    fits: (table) => shortText(table) !== undefined,
    alter: ({ columns, rows }, table) => {
      const place = columns.indexOf(shortText(table) ?? "");
      const longer = (value: string, i: number) => (i === place ? value.padEnd(40, "X") : value);
      return { columns, rows: rows.map((row) => row.map(longer)) };
    },
  },
  foreign_encoding: {
    does: "one file in windows-1252, with an umlaut, where all others are in UTF-8",
    expected: "held back, with line, column and byte; its rows come with the next batch",
    isRepaired: true,
    needs: "csv",
    fits: (table) => shortText(table) !== undefined,
    alter: ({ columns, rows: [first = [], ...others] }, table) => {
      const place = columns.indexOf(shortText(table) ?? "");
      const marked = first.map((value, i) => (i === place ? "Größe" : value));
      return { columns, rows: [marked, ...others], encoding: "windows-1252" };
    },
  },
  client_missing: {
    does: "one file without its client",
    expected: "the client that the source declares, else the load is refused",
    isRepaired: false,
    fits: (table) => clientField(table) !== undefined,
    alter: (content, table) => without(content, clientField(table)),
  },
  stripped_keys: {
    does: "one file whose keys have lost their zeros",
    expected: "one row with the padded form, where the source declares stripped keys",
    isRepaired: false,
    alter: ({ columns, rows }, table) => ({
      columns,
      rows: rows.map((row) => row.map((value, i) => (table.key.includes(i) ? withoutZeros(value) : value))),
    }),
  },
} as const satisfies Readonly<Record<string, FileFaultKind>>;

export type FileFaultName = keyof typeof FILE_FAULTS;

export function fileFaultsFor(rates: FaultRates, isCsv: boolean): FileFaultName[] {
  return (Object.keys(FILE_FAULTS) as FileFaultName[]).filter((name) => {
    const { needs }: FileFaultKind = FILE_FAULTS[name];
    return (rates.get(name) ?? 0) > 0 && (needs === undefined || isCsv);
  });
}

function withoutZeros(value: string): string {
  return /^\d+$/.test(value) ? value.replace(/^0+(?=\d)/, "") : value;
}
