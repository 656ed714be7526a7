import { dats, tims } from "../../calendar.js";
import { decimal, padded } from "../../decimal.js";
import type { Emit } from "../../domain.js";
import { plantCode, type World } from "../../world.js";
import { customerNumber } from "../customers.js";
import { materialTerms } from "../materials.js";
import { emitCancellation } from "./cancellation-rows.js";
import { emitDelivery } from "./delivery-rows.js";
import { emitInvoice } from "./invoice-rows.js";
import { delivered, isDeliverable, netValue, type OrderItem, orderNumber, type SalesOrder } from "./order.js";
import { overall, type Status, statusOf } from "./status.js";
import { taxOf } from "./tax.js";

/** The statuses of an item, which VBUP has in ECC and VBAP in S/4HANA. */
interface ItemStatus {
  readonly delivery: Status;
  readonly billing: Status;
  readonly rejection: Status;
  readonly all: Status;
}

/** All rows of an order: its own, and those of its deliveries, invoices and their postings. */
export function emitOrder(world: World, order: SalesOrder, emit: Emit): void {
  if (order.isDeleted) return;
  const statuses = order.items.map((item) => itemStatus(order, item));
  emitHeader(world, order, statuses, emit);
  for (const [i, item] of order.items.entries()) emitItem(world, order, item, statuses[i], emit);
  emitPartners(order, emit);
  emitBusinessData(order, emit);
  for (const delivery of order.deliveries) {
    if (!order.isCredit) emitDelivery(world, order, delivery, emit);
    if (delivery.cancelled !== undefined) emitCancellation(world, order, delivery, delivery.cancelled, emit);
    if (delivery.invoice !== undefined) emitInvoice(world, order, delivery, delivery.invoice, emit);
  }
}

function itemStatus(order: SalesOrder, item: OrderItem): ItemStatus {
  const rejection = item.isRejected ? "C" : item.category === "TATX" ? "" : "A";
  if (item.isRejected) return { delivery: "", billing: "", rejection, all: "C" };
  const done = statusOf(delivered(order, item), item.quantity);
  if (order.isCredit) return { delivery: "", billing: done, rejection, all: done };
  const delivery = isDeliverable(item) ? done : "";
  return { delivery, billing: "", rejection, all: delivery };
}

function emitHeader(world: World, order: SalesOrder, statuses: readonly ItemStatus[], emit: Emit): void {
  const { created, terms, isCredit } = order;
  const vbeln = orderNumber(order);
  const value = order.items.reduce((sum, item) => sum + (item.isRejected ? 0 : netValue(item)), 0);
  const changed = order.changed === undefined ? {} : { AEDAT: dats(order.changed) };
  const kind = isCredit ? "K" : "C";
  const status = {
    GBSTK: overall(statuses.map(({ all }) => all)),
    ABSTK: overall(statuses.map(({ rejection }) => rejection)),
    LFSTK: overall(statuses.map(({ delivery }) => delivery)),
    LFGSK: overall(statuses.map(({ delivery }) => delivery)),
    FKSAK: overall(statuses.map(({ billing }) => billing)),
    UVALL: "C",
  };
  emit("VBAK", {
    VBELN: vbeln,
    ERDAT: dats(created.day),
    ERZET: tims(created.second),
    ERNAM: "SALES",
    AUDAT: dats(created.day),
    VBTYP: kind,
    TRVOG: "0",
    AUART: isCredit ? "G2" : "TA",
    LIFSK: order.block,
    NETWR: decimal(value, 2),
    WAERK: terms.currency,
    VKORG: terms.company.code,
    VTWEG: "10",
    SPART: "00",
    KNUMV: vbeln,
    VDATU: dats(order.requested),
    KALSM: "RVAA01",
    VSBED: "01",
    BSTNK: order.reference,
    KUNNR: customerNumber(order.customer),
    KOKRS: "1000",
    OBJNR: `VB${vbeln}`,
    BUKRS_VF: terms.company.code,
    ...changed,
    ...status,
  });
  if (world.release === "ecc") emit("VBUK", { VBELN: vbeln, VBTYP: kind, ...status, ...changed });
}

function emitItem(world: World, order: SalesOrder, item: OrderItem, status: ItemStatus | undefined, emit: Emit): void {
  const { matnr, group, unit, weight } = materialTerms(world, item.material);
  const [vbeln, posnr] = [orderNumber(order), padded(item.position, 6)];
  const value = netValue(item);
  const cost = Math.floor((value * 6) / 10);
  const pieces = item.quantity / 1000;
  const texts = {
    GBSTA: status?.all ?? "",
    LFSTA: status?.delivery ?? "",
    LFGSA: status?.delivery ?? "",
    FKSAA: status?.billing ?? "",
    ABSTA: status?.rejection ?? "",
  };
  emit("VBAP", {
    VBELN: vbeln,
    POSNR: posnr,
    MATNR: matnr,
    MATWA: matnr,
    PMATN: matnr,
    MATKL: group,
    ARKTX: `Item ${item.position}`,
    PSTYV: item.category,
    LFREL: isDeliverable(item) ? "X" : "",
    FKREL: order.isCredit ? "B" : "A",
    ABGRU: item.isRejected ? "00" : "",
    KWMENG: decimal(item.quantity, 3),
    VRKME: unit,
    MEINS: unit,
    UMVKZ: "1",
    UMVKN: "1",
    BRGEW: decimal(Math.ceil(weight * 1.1) * pieces, 3),
    NTGEW: decimal(weight * pieces, 3),
    GEWEI: "KG",
    NETWR: decimal(value, 2),
    WAERK: order.terms.currency,
    NETPR: decimal(item.price, 2),
    KPEIN: `${item.per}`,
    KMEIN: unit,
    WAVWR: decimal(cost, 2),
    MWSBP: decimal(taxOf(order, value), 2),
    WERKS: plantCode(item.plant),
    LGORT: "0001",
    VSTEL: plantCode(item.plant),
    ERDAT: dats(order.created.day),
    ERNAM: "SALES",
    ERZET: tims(order.created.second),
    PRCTR: padded(1000 + (item.material % 6), 10),
    ...(item.changed === undefined ? {} : { AEDAT: dats(item.changed) }),
    ...texts,
  });
  if (world.release === "ecc") emit("VBUP", { VBELN: vbeln, POSNR: posnr, ...texts });
  for (const { number, day, quantity } of item.schedule)
    emit("VBEP", {
      VBELN: vbeln,
      POSNR: posnr,
      ETENR: padded(number, 4),
      ETTYP: "CP",
      EDATU: dats(day),
      WMENG: decimal(quantity, 3),
      BMENG: decimal(quantity, 3),
      VRKME: unit,
      LMENG: decimal(quantity, 3),
      MEINS: unit,
    });
}

/** Sold-to, ship-to, bill-to and payer stand at the header; an item has its own ship-to where it deviates. */
function emitPartners(order: SalesOrder, emit: Emit): void {
  const partner = (position: number, role: string, customer: number) =>
    emit("VBPA", {
      VBELN: orderNumber(order),
      POSNR: padded(position, 6),
      PARVW: role,
      KUNNR: customerNumber(customer),
      ADRNR: padded(20_000 + customer, 10),
      ADRDA: "D",
    });
  for (const role of ["AG", "RE", "RG"]) partner(0, role, order.customer);
  partner(0, "WE", order.shipTo ?? order.customer);
  for (const { position, shipTo } of order.items) if (shipTo !== undefined) partner(position, "WE", shipTo);
}

/** A row at the header; an item has a whole row of its own where it deviates. */
function emitBusinessData(order: SalesOrder, emit: Emit): void {
  const { incoterms, country } = order.terms;
  const row = (position: number, payment: string) =>
    emit("VBKD", {
      VBELN: orderNumber(order),
      POSNR: padded(position, 6),
      BZIRK: `${country}0001`,
      INCO1: incoterms,
      // A blank of an item's own row is a blank, and not the header's text.
      INCO2: position === 0 ? "Port of choice" : "",
      KURRF: "1.00000",
      ZTERM: payment,
      PRSDT: dats(order.created.day),
      FKDAT: dats(order.requested),
      BSTKD: order.reference,
      BSTDK: dats(order.created.day),
    });
  row(0, order.payment);
  for (const { position, payment } of order.items) if (payment !== undefined) row(position, payment);
}
