import { dats, monthOf, tims, yearOf } from "../calendar.js";
import { decimal, padded } from "../decimal.js";
import type { Emit, FieldValues, Moment } from "../domain.js";
import type { Company, World } from "../world.js";
import { rateOf } from "./exchange-rates.js";

/** A document of accounting, as whoever posts it sees it. */
export interface Posting {
  readonly company: Company;
  readonly number: string;
  readonly entered: Moment;
  /** Default: the day it was entered. */
  readonly posted?: number;
  readonly type: string;
  /** What it stands for: AWTYP and AWKEY. */
  readonly reference: readonly [type: string, key: string];
  readonly currency: string;
  readonly text?: string;
  readonly lines: readonly PostingLine[];
  readonly reversal?: { readonly number: string; readonly day: number };
  /** BSTAT V: parked, and need not balance. */
  readonly isParked?: boolean;
}

export interface PostingLine {
  readonly account: string;
  readonly side: "S" | "H";
  /** In hundredths, as CURR stores it in the document's currency. */
  readonly amount: number;
  /** D customer, K supplier, S general ledger. */
  readonly kind: "D" | "K" | "S";
  readonly key: string;
  readonly fields?: FieldValues;
}

const NONE: FieldValues = {};
const ROUNDING_ACCOUNT = "0000230020";

/** Writes BKPF and BSEG, and ACDOCA in S/4HANA: local amounts by the rate of the day, what rounding leaves on a line of its own. */
export function post(world: World, posting: Posting, emit: Emit): void {
  const { company, number, entered, posted = entered.day, currency, reversal } = posting;
  const year = yearOf(posted);
  const rate = currency === company.currency ? undefined : rateOf(world, currency, posted);
  const document = { BUKRS: company.code, BELNR: number, GJAHR: year };
  emit("BKPF", document, {
    BLART: posting.type,
    BLDAT: dats(posted),
    BUDAT: dats(posted),
    MONAT: monthOf(posted),
    CPUDT: dats(entered.day),
    CPUTM: tims(entered.second),
    WWERT: dats(posted),
    USNAM: posting.reference[0] === "BKPF" ? "ACCOUNTANT" : "BATCH",
    TCODE: posting.reference[0] === "VBRK" ? "VF01" : posting.reference[0] === "BKPF" ? "FB01" : "MIRO",
    XBLNR: posting.reference[1].slice(0, 16),
    ...(reversal === undefined ? {} : { STBLG: reversal.number, STJAH: yearOf(reversal.day) }),
    BKTXT: (posting.text ?? "").slice(0, 25),
    WAERS: currency,
    KURSF: rate?.text ?? "1.00000",
    BSTAT: posting.isParked === true ? "V" : "",
    HWAER: company.currency,
    AWTYP: posting.reference[0],
    AWKEY: posting.reference[1],
  });
  let balance = 0;
  const line = (item: number, { account, side, amount, kind, key, fields = NONE }: PostingLine, local: number) => {
    balance += side === "S" ? local : -local;
    emit("BSEG", document, fields, {
      BUZEI: padded(item, 3),
      BSCHL: key,
      KOART: kind,
      SHKZG: side,
      DMBTR: decimal(local, 2),
      WRBTR: decimal(amount, 2),
      PSWBT: decimal(amount, 2),
      PSWSL: currency,
      HKONT: account,
    });
    // What is parked is in no ledger yet.
    if (world.release === "s4" && posting.isParked !== true)
      emit("ACDOCA", {
        RLDNR: "0L",
        RBUKRS: company.code,
        GJAHR: year,
        BELNR: number,
        DOCLN: padded(item, 6),
        RYEAR: year,
        BUDAT: dats(posted),
        BLDAT: dats(posted),
        RACCT: account,
        RCNTR: fields["KOSTL"] ?? "",
        PRCTR: fields["PRCTR"] ?? "",
        RHCUR: company.currency,
        RWCUR: currency,
        HSL: decimal(side === "S" ? local : -local, 2),
        WSL: decimal(side === "S" ? amount : -amount, 2),
        DRCRK: side,
        BUZEI: padded(item, 3),
        KUNNR: fields["KUNNR"] ?? "",
        LIFNR: fields["LIFNR"] ?? "",
        MATNR: fields["MATNR"] ?? "",
        WERKS: fields["WERKS"] ?? "",
        EBELN: fields["EBELN"] ?? "",
        EBELP: fields["EBELP"] ?? "00000",
        KDAUF: fields["VBEL2"] ?? "",
        KDPOS: fields["POSN2"] ?? "000000",
        TIMESTAMP: `${dats(entered.day)}${tims(Math.min(entered.second, 86_399))}`,
      });
  };
  for (const [i, one] of posting.lines.entries()) line(i + 1, one, rate?.toEuro(one.amount) ?? one.amount);
  if (balance === 0 || posting.isParked === true) return;
  const side = balance > 0 ? "H" : "S";
  const rounding = { account: ROUNDING_ACCOUNT, side, amount: 0, kind: "S", key: side === "H" ? "50" : "40" } as const;
  line(posting.lines.length + 1, rounding, Math.abs(balance));
}
