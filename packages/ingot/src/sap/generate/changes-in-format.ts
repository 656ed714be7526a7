import type { ChangeFormatName } from "../changes/formats.js";
import { padded } from "./decimal.js";
import type { Row } from "./rows.js";
import { stampAt } from "./timeline.js";

/** A row on its way out of SAP: a change, or an image of one. */
export interface Delivered {
  readonly is: "initial" | "insert" | "update" | "delete" | "archive" | "before";
  readonly row: Row;
  /** Microseconds since the start. */
  readonly at: number;
  /** Tells the transactions of one moment apart. */
  readonly stream: number;
  /** The place among the rows of its transaction in this table. */
  readonly record: number;
  /** What the row was before an update. */
  readonly before?: Row;
  /** Whether its transaction deletes rows too. */
  readonly withDelete?: true;
}

/** How a format writes the columns that are no fields of the table. */
export interface ChangeWriter {
  readonly columns: readonly string[];
  /** Whether the state before an update is a row of its own. */
  readonly hasBeforeImages: boolean;
  /** Whether the columns order the changes: else the order of delivery does. */
  readonly isSequenced: boolean;
  /** Whether only the newest state of each key is delivered, as of a table that someone keeps. */
  readonly isTable: boolean;
  /** Whether it tells deletes by archiving from others. */
  readonly tellsArchive: boolean;
  /** Undefined: the format cannot tell it, and the row is left out. */
  values(delivered: Delivered): readonly string[] | undefined;
}

const isDelete = ({ is }: Delivered) => is === "delete" || is === "archive";

/** Digits of a transaction: its moment (20) and its stream (3); rows of the initial load are older than any. */
const transaction = (start: number, { is, at, stream }: Delivered) =>
  is === "initial" ? "0".repeat(23) : stamp(start, { is, at, stream });
/** The same, where it is a time too: the initial load has that of the start. */
const stamp = (start: number, { is, at, stream }: Pick<Delivered, "is" | "at" | "stream">) =>
  is === "initial" ? `${stampAt(start, 0)}000` : `${stampAt(start, at)}${padded(stream, 3)}`;

/** Where the numbers of a log begin: all have as many digits, so that texts sort as numbers do. */
const LOG_BEGINS = 100_000_000_000_000;
/** The version of a log at a moment, which grows with it and is a number that JSON keeps. */
const version = ({ is, at, stream }: Delivered) =>
  is === "initial" ? `${LOG_BEGINS}` : `${LOG_BEGINS + at * 100 + (stream % 100) + 1}`;

/**
 * @param start the day on which the changes begin
 * @param sequenced whether formats whose producers may name a sequence have it
 */
export function changeWriter(format: ChangeFormatName, start: number, sequenced: boolean): ChangeWriter {
  const usual = { hasBeforeImages: false, isSequenced: true, isTable: false, tellsArchive: false };
  switch (format) {
    case "odq": {
      const own = sequenced ? ["ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"] : [];
      const modes = { initial: "", insert: "C", update: "U", before: "U", delete: "D", archive: "D" };
      return {
        columns: ["ODQ_CHANGEMODE", "ODQ_ENTITYCNTR", ...own],
        ...usual,
        hasBeforeImages: true,
        isSequenced: sequenced,
        values: (one) => [
          modes[one.is],
          one.is === "before" || isDelete(one) ? "-1" : "1",
          ...(sequenced ? [transaction(start, one), "1", `${one.record}`] : []),
        ],
      };
    }
    case "recordmode": {
      const own = sequenced ? ["REQUID", "DATAPAKID", "RECORD"] : [];
      const modes = { initial: "N", insert: "N", update: "", before: "X", delete: "R", archive: "R" };
      return {
        columns: ["0RECORDMODE", ...own],
        ...usual,
        hasBeforeImages: true,
        isSequenced: sequenced,
        values: (one) => [modes[one.is], ...(sequenced ? [transaction(start, one), "1", `${one.record}`] : [])],
      };
    }
    case "slt": {
      const flags = { initial: "L", insert: "I", update: "U", before: "U", delete: "D", archive: "D" };
      return {
        ...usual,
        columns: ["OPERATION_FLAG", "IS_DELETED", "RECORDSTAMP"],
        values: (one) => [flags[one.is], isDelete(one) ? "X" : "", sltStamp(stamp(start, one))],
      };
    }
    case "fivetran":
      return {
        ...usual,
        isTable: true,
        tellsArchive: true,
        columns: ["_FIVETRAN_DELETED", "_FIVETRAN_SAP_ARCHIVED", "_FIVETRAN_SYNCED"],
        values: (one) => [`${isDelete(one)}`, `${one.is === "archive"}`, isoStamp(stamp(start, one))],
      };
    case "qlik": {
      const operations = { initial: "I", insert: "I", update: "U", before: "B", delete: "D", archive: "D" };
      return {
        ...usual,
        hasBeforeImages: true,
        columns: ["HEADER__CHANGE_OPER", "HEADER__CHANGE_SEQ"],
        values: (one) => [operations[one.is], `${transaction(start, one)}${padded(one.record, 12)}`],
      };
    }
    case "debezium": {
      const operations = { initial: "r", insert: "c", update: "u", before: "u", delete: "d", archive: "d" };
      return {
        ...usual,
        columns: ["__OP", "__DELETED", "__SOURCE_LSN"],
        values: (one) => [operations[one.is], `${isDelete(one)}`, version(one)],
      };
    }
    case "cdf": {
      const types = {
        initial: "insert",
        insert: "insert",
        update: "update_postimage",
        before: "update_preimage",
        delete: "delete",
        archive: "delete",
      };
      return {
        ...usual,
        hasBeforeImages: true,
        columns: ["_change_type", "_commit_version", "_commit_timestamp"],
        values: (one) => [types[one.is], version(one), isoStamp(`${stampAt(start, one.at)}000`)],
      };
    }
    case "plain":
      return {
        ...usual,
        columns: [],
        isSequenced: false,
        values: (one) => (isDelete(one) ? undefined : []),
      };
  }
}

/** YYYYMMDDHHMMSS.ffffff and the stream: DEC 21.7 is not enough for both, so text. */
function sltStamp(digits: string): string {
  return `${digits.slice(0, 14)}.${digits.slice(14)}`;
}

/** 2025-01-01T06:00:00.123456Z; three digits more tell streams of one moment apart. */
function isoStamp(digits: string): string {
  const [date, time] = [digits.slice(0, 8), digits.slice(8, 14)];
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return `${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}.${digits.slice(14)}Z`;
}
