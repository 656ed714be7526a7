import type { ChangeWriter, Delivered } from "../changes-in-format.js";
import type { Random } from "../random.js";
import type { Row, RowTable } from "../rows.js";
import { AS_IT_IS } from "../text-format.js";

/** What a fault makes of a row. */
export interface Injury {
  /** What is delivered in its place. */
  readonly now: readonly Delivered[];
  /** What the next batch begins with: the row as it should have been, or that was held back. */
  readonly next?: Delivered;
  /** What comes one to three batches later, once that has nothing of the same key. */
  readonly late?: Delivered;
  /** What the batch ends with. */
  readonly last?: Delivered;
  /** The row changes places with another. */
  readonly isMoved?: true;
}

/** A way in which deliveries go wrong, and what should come of it. */
export interface FaultKind {
  /** The share of rows that have it, of those that it fits. */
  readonly rate: number;
  /** It is no part of `default`: it needs a source that declares stripped keys, or typed columns. */
  readonly isNamed?: true;
  readonly does: string;
  /** What has to happen. The state at the end is the truth in any case. */
  readonly expected: string;
  /** The status of the row in the quarantine. */
  readonly reason?: string;
  /** What a change format must have. */
  readonly needs?: "sequence" | "before images" | "csv";
  /** Default: every row. */
  readonly fits?: (row: Delivered, table: RowTable) => boolean;
  readonly injure: (row: Delivered, table: RowTable, random: Random) => Injury;
}

const isWritten = ({ is }: Delivered) => is === "insert" || is === "update";

/** Places of fields of some types beside the key. */
function placesOf(table: RowTable, ...types: readonly string[]): number[] {
  return table.fields.flatMap(({ type, key }, i) => (!key && types.includes(type) ? [i] : []));
}

/** Places of texts that are long enough for anything. */
function textPlaces(table: RowTable): number[] {
  return table.fields.flatMap(({ type, key, length = 0 }, i) => (!key && type === "CHAR" && length >= 20 ? [i] : []));
}

function withValue(row: Delivered, place: number | undefined, value: string): Delivered {
  return { ...row, row: row.row.map((old, i) => (i === place ? value : old)) };
}

/** The row is not taken, and comes once more as it should be. */
function damaged(row: Delivered, place: number | undefined, value: string): Injury {
  return { now: [withValue(row, place, value)], next: row };
}

/** The row is taken, and a newer one with the right values follows. */
function replaced(row: Delivered, place: number | undefined, value: string): Injury {
  return { now: [withValue(row, place, value)], next: { ...row, at: row.at + 1 } };
}

/** What the row was just before the change, as if someone had read it then, and sent it too late. */
function stale(row: Delivered, was: Row): Delivered {
  return { is: "update", row: was, at: row.at - 1, stream: row.stream, record: row.record };
}

const HEADERS: ReadonlySet<string> = new Set(["VBAK", "EKKO", "BKPF"]);
const hasAmounts = (row: Delivered, table: RowTable) => isWritten(row) && placesOf(table, "CURR").length > 0;
const isNegative = (row: Row, table: RowTable, i: number) =>
  ["CURR", "QUAN", "DEC"].includes(table.fields[i]?.type ?? "") && row[i]?.startsWith("-") === true;

/** Faults of single rows. */
export const FAULTS = {
  duplicate: {
    rate: 0.01,
    does: "a row twice, with the same sequence",
    expected: "no effect",
    injure: (row) => ({ now: [row, row] }),
  },
  same_sequence: {
    rate: 0.0001,
    does: "two rows of one sequence with other contents, and a newer one in the next batch",
    expected: "one wins, always the same; then the newer one",
    needs: "sequence",
    fits: (row, table) => isWritten(row) && textPlaces(table).length > 0,
    injure: (row, table, random) => {
      const place = random.pick(textPlaces(table));
      return { now: [row, withValue(row, place, "another text")], next: { ...row, at: row.at + 1 } };
    },
  },
  out_of_order: {
    rate: 0.02,
    does: "a row in another place of its batch",
    expected: "no effect",
    needs: "sequence",
    injure: (row) => ({ now: [row], isMoved: true }),
  },
  late: {
    rate: 0.005,
    does: "an older state of a key, one to three batches later",
    expected: "late: no effect",
    needs: "sequence",
    fits: ({ is, before }) => is === "update" && before !== undefined,
    injure: (row) => ({ now: [row], late: stale(row, row.before ?? row.row) }),
  },
  late_after_delete: {
    rate: 0.05,
    does: "an older state of a key that was deleted, one to three batches later",
    expected: "late: it stays deleted",
    needs: "sequence",
    fits: ({ is }) => is === "delete",
    injure: (row) => ({ now: [row], late: stale(row, row.row) }),
  },
  before_image_last: {
    rate: 0.002,
    does: "a before image as the last row of its batch",
    expected: "no effect",
    needs: "before images",
    fits: ({ is, before }) => is === "update" && before !== undefined,
    injure: (row) => ({
      now: [row],
      last: { ...row, is: "before", row: row.before ?? row.row, record: row.record - 1 },
    }),
  },
  trailing_minus: {
    rate: 0.2,
    does: "the minus of negative numbers behind them",
    expected: "read as the same number",
    fits: (row, table) => isWritten(row) && row.row.some((_, i) => isNegative(row.row, table, i)),
    injure: (row, table) => ({
      now: [{ ...row, row: row.row.map((value, i) => (isNegative(row.row, table, i) ? `${value.slice(1)}-` : value)) }],
    }),
  },
  local_amount: {
    rate: 0.0005,
    does: "an amount as 1.234,50",
    expected: "quarantined; comes right in the next batch",
    reason: "MALFORMED_AMOUNT",
    fits: hasAmounts,
    injure: (row, table, random) => damaged(row, random.pick(placesOf(table, "CURR")), "1.234,50"),
  },
  garbled_amount: {
    rate: 0.0005,
    does: "letters in an amount, or more digits than it has",
    expected: "quarantined; comes right in the next batch",
    reason: "MALFORMED_AMOUNT",
    fits: hasAmounts,
    injure: (row, table, random) =>
      damaged(row, random.pick(placesOf(table, "CURR")), random.pick(["12A.50", "12345678901234567890.00"])),
  },
  posting_date: {
    rate: 0.0005,
    does: "no day of the calendar in BUDAT",
    expected: "quarantined; comes right in the next batch",
    reason: "INVALID_POSTING_DATE",
    fits: (row, table) => isWritten(row) && table.fields.some(({ name }) => name === "BUDAT"),
    injure: (row, table, random) => {
      const place = table.fields.findIndex(({ name }) => name === "BUDAT");
      return damaged(row, place, random.pick(["00000000", "20230231"]));
    },
  },
  end_of_day: {
    rate: 0.0005,
    does: "240000 as a time, and a newer row in the next batch",
    expected: "read as the end of the day; then the newer row",
    fits: (row, table) => isWritten(row) && placesOf(table, "TIMS").length > 0,
    injure: (row, table, random) => replaced(row, random.pick(placesOf(table, "TIMS")), "240000"),
  },
  blank_key: {
    rate: 0.0005,
    does: "a blank number of a document, or whatever identifies the row",
    expected: "quarantined; comes right in the next batch",
    reason: "INVALID_PRIMARY_KEY",
    injure: (row, table) => damaged(row, table.key[1] ?? table.key[0], ""),
  },
  special_text: {
    rate: 0.001,
    does: "a newline, a semicolon and quotes in a text, and a newer row in the next batch",
    expected: "read as they are; then the newer row",
    fits: (row, table) => isWritten(row) && textPlaces(table).length > 0,
    injure: (row, table, random) => replaced(row, random.pick(textPlaces(table)), 'Größe "L";\nrot, 1/2"'),
  },
  orphan: {
    rate: 0.003,
    does: "a new header one batch later than its items",
    expected: "items stand without their header, which comes in the next batch",
    fits: ({ is }, { name }) => is === "insert" && HEADERS.has(name),
    injure: (row) => ({ now: [], next: row }),
  },
  delete_without_header: {
    rate: 0.05,
    does: "items deleted, and their header's change one batch later",
    expected: "the document changes twice",
    fits: ({ is, withDelete }, { name }) => is === "update" && withDelete === true && HEADERS.has(name),
    injure: (row) => ({ now: [], next: row }),
  },
  extra_field: {
    rate: 0.0005,
    isNamed: true,
    does: "a delimiter within a text that has no quotes: a field too many",
    expected: "set aside as one record, and never shifted into other columns; comes right in the next batch",
    needs: "csv",
    fits: (row, table) => isWritten(row) && textPlaces(table).length > 0,
    injure: (row, table, random) => {
      const behind = random.pick(textPlaces(table)) + 1;
      return { now: [{ ...row, row: [...row.row.slice(0, behind), "more", ...row.row.slice(behind)] }], next: row };
    },
  },
  broken_quotes: {
    rate: 0.0005,
    isNamed: true,
    does: "a quote within a quoted text that is not doubled, before a delimiter",
    expected: "set aside as one record, and never shifted into other columns; comes right in the next batch",
    needs: "csv",
    fits: (row, table) => isWritten(row) && textPlaces(table).length > 0,
    injure: (row, table, random) => damaged(row, random.pick(textPlaces(table)), `${AS_IT_IS}"Rohr 1/2", lang"`),
  },
  scientific_key: {
    rate: 0.001,
    isNamed: true,
    does: "a document's number as 1.0001E+4, which has lost digits",
    expected: "quarantined where keys are decoded; comes right in the next batch",
    reason: "INVALID_PRIMARY_KEY",
    fits: (row, table) => /^\d{10}$/.test(row.row[table.key[1] ?? 0] ?? ""),
    injure: (row, table) => {
      const digits = (row.row[table.key[1] ?? 0] ?? "").replace(/^0+/, "");
      const mantissa = `${digits.slice(0, 1)}.${digits.slice(1, 5).padEnd(1, "0")}`;
      return damaged(row, table.key[1], `${mantissa}E+${digits.length - 1}`);
    },
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultName = keyof typeof FAULTS;

/** The share of rows that have each kind of fault, of batches for `redelivered`; any share of a file's kind: once. */
export type FaultRates = ReadonlyMap<string, number>;

/** The kinds that a change format can tell. */
export function faultsFor(rates: FaultRates, writer: ChangeWriter, isCsv: boolean): [FaultName, FaultKind, number][] {
  const has = { sequence: writer.isSequenced, "before images": writer.hasBeforeImages, csv: isCsv };
  return (Object.keys(FAULTS) as FaultName[]).flatMap((name): [FaultName, FaultKind, number][] => {
    const kind: FaultKind = FAULTS[name];
    const rate = rates.get(name) ?? 0;
    return rate > 0 && (kind.needs === undefined || has[kind.needs]) ? [[name, kind, rate]] : [];
  });
}
