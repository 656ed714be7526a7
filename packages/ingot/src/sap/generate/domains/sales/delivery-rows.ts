import { dats } from "../../calendar.js";
import { decimal, padded } from "../../decimal.js";
import type { Emit } from "../../domain.js";
import { plantCode, type World } from "../../world.js";
import { customerNumber } from "../customers.js";
import { materialTerms } from "../materials.js";
import { emitFlow } from "./document-flow.js";
import { type Delivery, deliveryNumber, goodsNumber, orderNumber, type SalesOrder } from "./order.js";

/** The rows of a delivery, and of the document flow to it and to its goods issue. */
export function emitDelivery(world: World, order: SalesOrder, delivery: Delivery, emit: Emit): void {
  const { at, lines, invoice, cancelled } = delivery;
  const [vbeln, goods] = [deliveryNumber(order, delivery), goodsNumber(order, delivery)];
  const first = order.items.find(({ position }) => position === lines[0]?.position);
  emit("LIKP", {
    VBELN: vbeln,
    ERDAT: dats(at.day),
    LFART: "LF",
    VSTEL: plantCode(first?.plant ?? 0),
    VKORG: order.terms.company.code,
    KUNNR: customerNumber(delivery.shipTo),
    KUNAG: customerNumber(order.customer),
    WADAT: dats(at.day),
    WADAT_IST: dats(at.day),
    LFDAT: dats(at.day + 2),
  });
  const billing = invoice === undefined && cancelled === undefined ? "A" : "C";
  if (world.release === "ecc")
    emit("VBUK", { VBELN: vbeln, VBTYP: "J", KOSTK: "C", WBSTK: "C", FKSTK: billing, GBSTK: billing, UVALL: "C" });
  for (const [i, { position, quantity }] of lines.entries()) {
    const item = order.items.find((one) => one.position === position);
    if (item === undefined) continue;
    const { matnr, unit } = materialTerms(world, item.material);
    const posnr = padded((i + 1) * 10, 6);
    emit("LIPS", {
      VBELN: vbeln,
      POSNR: posnr,
      MATNR: matnr,
      WERKS: plantCode(item.plant),
      LGORT: "0001",
      LFIMG: decimal(quantity, 3),
      VRKME: unit,
      MEINS: unit,
      LGMNG: decimal(quantity, 3),
      VGBEL: orderNumber(order),
      VGPOS: padded(position, 6),
    });
    if (world.release === "ecc")
      emit("VBUP", { VBELN: vbeln, POSNR: posnr, KOSTA: "C", WBSTA: "C", FKSTA: billing, GBSTA: billing });
    const values = { RFMNG: decimal(quantity, 3), MEINS: unit, MATNR: matnr };
    const [from, to] = [
      [orderNumber(order), padded(position, 6), "C"],
      [vbeln, posnr, "J"],
    ] as const;
    const issue = [goods, padded(i + 1, 6), "R"] as const;
    const moved = { ...values, BWART: "601", MJAHR: dats(at.day).slice(0, 4) };
    emitFlow(world, { from, to, at, isIndirect: false, values }, emit);
    emitFlow(world, { from: to, to: issue, at, isIndirect: false, values: moved }, emit);
    emitFlow(world, { from, to: issue, at, isIndirect: true, values: moved }, emit);
  }
}
