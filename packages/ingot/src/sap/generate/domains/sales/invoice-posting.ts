import { dats } from "../../calendar.js";
import { decimal, padded } from "../../decimal.js";
import type { Emit, Moment } from "../../domain.js";
import { plantCode, type World } from "../../world.js";
import { customerNumber } from "../customers.js";
import { materialTerms } from "../materials.js";
import { type PostingLine, post } from "../posting.js";
import { type Delivery, invoiceNumber, invoicePosting, type OrderItem, orderNumber, type SalesOrder } from "./order.js";

/** An item of an order as an invoice has it. */
export interface BilledItem {
  readonly item: OrderItem;
  readonly quantity: number;
  readonly value: number;
  readonly tax: number;
  /** The number of the invoice's item. */
  readonly place: string;
}

/** The receivable against revenue and tax; a credit memo turns the sides. Free goods alone are not posted. */
export function postInvoice(
  world: World,
  order: SalesOrder,
  { number }: Delivery,
  items: readonly BilledItem[],
  at: Moment,
  emit: Emit,
): void {
  const { terms, isCredit } = order;
  const vbeln = invoiceNumber(order, number);
  const paid = items.filter(({ value }) => value !== 0);
  if (paid.length === 0) return;
  const total = (of: (billed: BilledItem) => number) => items.reduce((sum, billed) => sum + of(billed), 0);
  const tax = total((billed) => billed.tax);
  const [debit, credit] = isCredit ? (["H", "S"] as const) : (["S", "H"] as const);
  const own = { side: credit, kind: "S", key: isCredit ? "40" : "50" } as const;
  const receivable: PostingLine = {
    account: "0000140000",
    side: debit,
    amount: total(({ value }) => value) + tax,
    kind: "D",
    key: isCredit ? "11" : "01",
    fields: { KUNNR: customerNumber(order.customer), ZFBDT: dats(at.day), ZTERM: order.payment, ZUONR: vbeln },
  };
  const revenue = paid.map(
    (billed): PostingLine => ({
      ...own,
      account: "0000800000",
      amount: billed.value,
      fields: revenueFields(world, order, billed),
    }),
  );
  const taxes: PostingLine[] =
    tax === 0 ? [] : [{ ...own, account: "0000175000", amount: tax, fields: { MWSKZ: "A1" } }];
  post(
    world,
    {
      company: terms.company,
      number: invoicePosting(order, number),
      entered: at,
      type: "RV",
      reference: ["VBRK", vbeln],
      currency: terms.currency,
      lines: [receivable, ...revenue, ...taxes],
    },
    emit,
  );
}

function revenueFields(world: World, order: SalesOrder, { item, quantity }: BilledItem) {
  const { matnr, unit } = materialTerms(world, item.material);
  return {
    MATNR: matnr,
    WERKS: plantCode(item.plant),
    MENGE: decimal(quantity, 3),
    MEINS: unit,
    VBEL2: orderNumber(order),
    POSN2: padded(item.position, 6),
    PRCTR: padded(1000 + (item.material % 6), 10),
  };
}
