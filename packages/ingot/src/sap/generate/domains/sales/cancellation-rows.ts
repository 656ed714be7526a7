import { dats } from "../../calendar.js";
import { decimal, padded } from "../../decimal.js";
import type { Emit, Moment } from "../../domain.js";
import { plantCode, type World } from "../../world.js";
import { customerNumber } from "../customers.js";
import { materialTerms } from "../materials.js";
import { emitFlow } from "./document-flow.js";
import { cancellationNumber, type Delivery, orderNumber, type SalesOrder } from "./order.js";

/** The delivery that takes another one back: its rows of the document flow stay, and have a counterpart with a minus. */
export function emitCancellation(world: World, order: SalesOrder, delivery: Delivery, at: Moment, emit: Emit): void {
  const vbeln = cancellationNumber(order, delivery);
  emit("LIKP", {
    VBELN: vbeln,
    ERDAT: dats(at.day),
    LFART: "LR",
    VKORG: order.terms.company.code,
    KUNNR: customerNumber(delivery.shipTo),
    KUNAG: customerNumber(order.customer),
    WADAT: dats(at.day),
    WADAT_IST: dats(at.day),
    LFDAT: dats(at.day),
  });
  if (world.release === "ecc") emit("VBUK", { VBELN: vbeln, VBTYP: "J", WBSTK: "C", GBSTK: "C", UVALL: "C" });
  for (const [i, { position, quantity }] of delivery.lines.entries()) {
    const item = order.items.find((one) => one.position === position);
    if (item === undefined) continue;
    const { matnr, unit } = materialTerms(world, item.material);
    const posnr = padded((i + 1) * 10, 6);
    const [from, amount] = [orderNumber(order), decimal(quantity, 3)];
    emit("LIPS", {
      VBELN: vbeln,
      POSNR: posnr,
      MATNR: matnr,
      WERKS: plantCode(item.plant),
      LGORT: "0001",
      LFIMG: amount,
      VRKME: unit,
      MEINS: unit,
      LGMNG: amount,
      VGBEL: from,
      VGPOS: padded(position, 6),
    });
    if (world.release === "ecc") emit("VBUP", { VBELN: vbeln, POSNR: posnr, WBSTA: "C", GBSTA: "C" });
    emitFlow(
      world,
      {
        from: [from, padded(position, 6), "C"],
        to: [vbeln, posnr, "J"],
        at,
        isIndirect: false,
        values: { RFMNG: amount, MEINS: unit, MATNR: matnr, PLMIN: "-" },
      },
      emit,
    );
  }
}
