import { dats } from "../../calendar.js";
import { decimal, padded } from "../../decimal.js";
import type { Emit } from "../../domain.js";
import { plantCode, type World } from "../../world.js";
import { rateOf } from "../exchange-rates.js";
import { materialTerms } from "../materials.js";
import { supplierNumber } from "../suppliers.js";
import { emitHistory } from "./history-rows.js";
import {
  invoiced,
  itemValue,
  type PurchaseItem,
  type PurchaseOrder,
  purchaseNumber,
  received,
} from "./purchase-order.js";

/** All rows of a purchase order: its own, its history, and the postings of that. */
export function emitPurchaseOrder(world: World, order: PurchaseOrder, emit: Emit): void {
  if (order.isDeleted) return;
  const { created, terms, supplier } = order;
  const { company, currency } = terms;
  emit("EKKO", {
    EBELN: purchaseNumber(order),
    BUKRS: company.code,
    BSTYP: "F",
    BSART: "NB",
    STATU: "9",
    AEDAT: dats(created.day),
    ERNAM: "BUYER",
    LIFNR: supplierNumber(supplier),
    SPRAS: terms.country === "DE" ? "D" : "E",
    ZTERM: terms.terms,
    ZBD1T: terms.terms.slice(2),
    EKORG: company.code,
    EKGRP: "001",
    WAERS: currency,
    WKURS: currency === company.currency ? "1.00000" : rateOf(world, currency, created.day).text,
    BEDAT: dats(created.day),
    INCO1: "DAP",
    FRGKE: "2",
    PROCSTAT: "05",
  });
  for (const item of order.items) emitItem(world, order, item, emit);
  emitHistory(world, order, emit);
}

function emitItem(world: World, order: PurchaseOrder, item: PurchaseItem, emit: Emit): void {
  const { matnr, group, unit } = materialTerms(world, item.material);
  const [ebeln, ebelp] = [purchaseNumber(order), padded(item.position, 5)];
  const value = decimal(itemValue(item, item.quantity), 2);
  const isBilled = invoiced(order, item.position) >= item.quantity;
  emit("EKPO", {
    EBELN: ebeln,
    EBELP: ebelp,
    LOEKZ: item.flag,
    AEDAT: dats(item.changed ?? order.created.day),
    TXZ01: `Item ${item.position} of ${ebeln}`,
    MATNR: matnr,
    EMATN: matnr,
    BUKRS: order.terms.company.code,
    WERKS: plantCode(item.plant),
    LGORT: item.storage,
    MATKL: group,
    MENGE: decimal(item.quantity, 3),
    MEINS: unit,
    BPRME: unit,
    BPUMZ: "1",
    BPUMN: "1",
    UMREZ: "1",
    UMREN: "1",
    NETPR: decimal(item.price, 2),
    PEINH: `${item.per}`,
    NETWR: value,
    BRTWR: value,
    EFFWR: value,
    WEBAZ: "1",
    MWSKZ: "V1",
    ELIKZ: item.isComplete ? "X" : "",
    EREKZ: isBilled ? "X" : "",
    PSTYP: "0",
    WEPOS: "X",
    REPOS: "X",
    BSTYP: "F",
    LMEIN: unit,
  });
  let open = received(order, item.position);
  for (const [i, { number, day, quantity }] of item.schedule.entries()) {
    // The last line takes what is over.
    const came = i === item.schedule.length - 1 ? open : Math.min(open, quantity);
    open -= came;
    emit("EKET", {
      EBELN: ebeln,
      EBELP: ebelp,
      ETENR: padded(number, 4),
      EINDT: dats(day),
      SLFDT: dats(day),
      LPEIN: "1",
      MENGE: decimal(quantity, 3),
      WEMNG: decimal(came, 3),
      BEDAT: dats(order.created.day),
    });
  }
}
