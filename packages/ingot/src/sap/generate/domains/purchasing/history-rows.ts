import { dats, tims, yearOf } from "../../calendar.js";
import { decimal, padded } from "../../decimal.js";
import type { Emit } from "../../domain.js";
import { plantCode, type World } from "../../world.js";
import { rateOf } from "../exchange-rates.js";
import { materialTerms } from "../materials.js";
import { type PostingLine, post } from "../posting.js";
import { supplierNumber } from "../suppliers.js";
import {
  materialDocument,
  type PurchaseEvent,
  type PurchaseItem,
  type PurchaseOrder,
  purchaseNumber,
  supplierInvoice,
} from "./purchase-order.js";

/** VGABE and BEWTP, and the movement of the goods. */
const KINDS = {
  receipt: { event: "1", category: "E", movement: "101", side: "S" },
  return: { event: "1", category: "E", movement: "122", side: "H" },
  invoice: { event: "2", category: "Q", movement: "", side: "S" },
} as const;

/** What came and what was billed, and the postings of both. */
export function emitHistory(world: World, order: PurchaseOrder, emit: Emit): void {
  for (const [i, event] of order.history.entries()) {
    const item = order.items.find(({ position }) => position === event.position);
    if (item === undefined) continue;
    emitEvent(world, order, item, event, i + 1, emit);
    emitPosting(world, order, item, event, i + 1, emit);
  }
}

function documentOf(order: PurchaseOrder, { kind }: PurchaseEvent, number: number): string {
  return kind === "invoice" ? supplierInvoice(order, number) : materialDocument(order, number);
}

function emitEvent(
  world: World,
  order: PurchaseOrder,
  item: PurchaseItem,
  event: PurchaseEvent,
  number: number,
  emit: Emit,
): void {
  const { company, currency } = order.terms;
  const { event: vgabe, category, movement, side } = KINDS[event.kind];
  const { at, amount, quantity } = event;
  const local = currency === company.currency ? amount : rateOf(world, currency, at.day).toEuro(amount);
  const document = documentOf(order, event, number);
  emit("EKBE", {
    EBELN: purchaseNumber(order),
    EBELP: padded(item.position, 5),
    ZEKKN: "00",
    VGABE: vgabe,
    GJAHR: yearOf(at.day),
    BELNR: document,
    BUZEI: "0001",
    BEWTP: category,
    BWART: movement,
    BUDAT: dats(at.day),
    MENGE: decimal(quantity, 3),
    BPMNG: decimal(quantity, 3),
    DMBTR: decimal(local, 2),
    WRBTR: decimal(amount, 2),
    WAERS: currency,
    SHKZG: side,
    XBLNR: document,
    LFGJA: yearOf(at.day),
    LFBNR: document,
    LFPOS: "0001",
    CPUDT: dats(at.day),
    CPUTM: tims(at.second),
    MATNR: materialTerms(world, item.material).matnr,
    WERKS: plantCode(item.plant),
    HSWAE: company.currency,
  });
}

/** Stock against the clearing account when goods come, the clearing account against the supplier when he bills. */
function emitPosting(
  world: World,
  order: PurchaseOrder,
  item: PurchaseItem,
  event: PurchaseEvent,
  number: number,
  emit: Emit,
): void {
  const { company, currency, terms } = order.terms;
  const { matnr, unit } = materialTerms(world, item.material);
  const { amount, at, kind, quantity } = event;
  const fields = {
    MATNR: matnr,
    WERKS: plantCode(item.plant),
    MENGE: decimal(quantity, 3),
    MEINS: unit,
    EBELN: purchaseNumber(order),
    EBELP: padded(item.position, 5),
  };
  const clearing = { account: "0000191100", amount, kind: "S", fields } as const;
  const lifnr = supplierNumber(order.supplier);
  const lines: PostingLine[] =
    kind === "invoice"
      ? [
          {
            account: "0000160000",
            side: "H",
            amount,
            kind: "K",
            key: "31",
            fields: { LIFNR: lifnr, ZFBDT: dats(at.day), ZTERM: terms },
          },
          { ...clearing, side: "S", key: "86" },
        ]
      : [
          {
            ...clearing,
            account: "0000300000",
            side: kind === "receipt" ? "S" : "H",
            key: kind === "receipt" ? "89" : "99",
          },
          { ...clearing, side: kind === "receipt" ? "H" : "S", key: kind === "receipt" ? "96" : "86" },
        ];
  const document = documentOf(order, event, number);
  post(
    world,
    {
      company,
      number: document,
      entered: at,
      type: kind === "invoice" ? "RE" : "WE",
      reference: [kind === "invoice" ? "RMRP" : "MKPF", `${document}${yearOf(at.day)}`],
      currency,
      lines,
    },
    emit,
  );
}
