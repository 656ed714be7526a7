import { dats, monthOf, yearOf } from "../../calendar.js";
import { decimal, divideHalfUp, padded } from "../../decimal.js";
import type { Emit, Moment } from "../../domain.js";
import { plantCode, type World } from "../../world.js";
import { customerNumber } from "../customers.js";
import { rateOf } from "../exchange-rates.js";
import { materialTerms } from "../materials.js";
import { emitFlow } from "./document-flow.js";
import { type BilledItem, postInvoice } from "./invoice-posting.js";
import { type Delivery, deliveryNumber, invoiceNumber, netValue, orderNumber, type SalesOrder } from "./order.js";
import { taxOf } from "./tax.js";

/** The rows of an invoice (or credit memo), of the document flow to it, and of its posting in accounting. */
export function emitInvoice(world: World, order: SalesOrder, delivery: Delivery, at: Moment, emit: Emit): void {
  const { terms, isCredit } = order;
  const vbeln = invoiceNumber(order, delivery.number);
  const type = isCredit ? "O" : "M";
  const items = billedItems(order, delivery);
  const customer = customerNumber(order.customer);
  emit("VBRK", {
    VBELN: vbeln,
    FKART: isCredit ? "G2" : "F2",
    VBTYP: type,
    WAERK: terms.currency,
    VKORG: terms.company.code,
    FKDAT: dats(at.day),
    BUKRS: terms.company.code,
    GJAHR: yearOf(at.day),
    POPER: `0${monthOf(at.day)}`,
    KURRF: terms.currency === terms.company.currency ? "1.00000" : rateOf(world, terms.currency, at.day).text,
    NETWR: decimal(
      items.reduce((sum, { value }) => sum + value, 0),
      2,
    ),
    KUNRG: customer,
    KUNAG: customer,
    RFBSK: "C",
  });
  if (world.release === "ecc") emit("VBUK", { VBELN: vbeln, VBTYP: type, BUCHK: "C", GBSTK: "C", UVALL: "C" });
  for (const billed of items) emitItem(world, order, delivery, billed, at, emit);
  postInvoice(world, order, delivery, items, at, emit);
}

function billedItems(order: SalesOrder, { lines }: Delivery): BilledItem[] {
  return lines.flatMap(({ position, quantity }, i) => {
    const item = order.items.find((one) => one.position === position);
    if (item === undefined) return [];
    const whole = netValue(item);
    const value = quantity === item.quantity ? whole : divideHalfUp(whole * quantity, item.quantity);
    return [{ item, quantity, value, tax: taxOf(order, value), place: padded((i + 1) * 10, 6) }];
  });
}

function emitItem(
  world: World,
  order: SalesOrder,
  delivery: Delivery,
  { item, quantity, value, tax, place }: BilledItem,
  at: Moment,
  emit: Emit,
): void {
  const { isCredit, terms } = order;
  const { matnr, unit } = materialTerms(world, item.material);
  const vbeln = invoiceNumber(order, delivery.number);
  const ordered = padded(item.position, 6);
  const source = isCredit ? orderNumber(order) : deliveryNumber(order, delivery);
  emit("VBRP", {
    VBELN: vbeln,
    POSNR: place,
    FKIMG: decimal(quantity, 3),
    VRKME: unit,
    NETWR: decimal(value, 2),
    MATNR: matnr,
    VGBEL: source,
    VGPOS: isCredit ? ordered : place,
    AUBEL: orderNumber(order),
    AUPOS: ordered,
    WERKS: plantCode(item.plant),
    WAVWR: decimal(Math.floor((value * 6) / 10), 2),
    MWSBP: decimal(tax, 2),
  });
  const values = {
    RFMNG: decimal(quantity, 3),
    MEINS: unit,
    RFWRT: decimal(value, 2),
    WAERS: terms.currency,
    MATNR: matnr,
  };
  const to = [vbeln, place, isCredit ? "O" : "M"] as const;
  const from = [orderNumber(order), ordered, isCredit ? "K" : "C"] as const;
  if (!isCredit) emitFlow(world, { from: [source, place, "J"], to, at, isIndirect: false, values }, emit);
  emitFlow(world, { from, to, at, isIndirect: !isCredit, values }, emit);
}
