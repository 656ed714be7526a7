import type { Domain, Entity, Moment } from "../../domain.js";
import type { Random } from "../../random.js";
import { creationOf, randomOf, type World } from "../../world.js";
import { changePurchaseOrder, receive, takeInvoice } from "./change-purchase-order.js";
import { createPurchaseOrder, type PurchaseOrder } from "./purchase-order.js";
import { emitPurchaseOrder } from "./purchase-order-rows.js";

/** Purchase orders with their receipts and invoices, and the postings of these. */
export function purchasing(world: World): Domain {
  const { purchaseOrders, changesPerDay } = world.volumes;
  return {
    name: "purchasing",
    count: purchaseOrders,
    changesPerDay: Math.ceil(changesPerDay / 5),
    creations: 12,
    ages: true,
    existing: (number) => {
      const random = randomOf(world, "EKKO", number);
      const order = createPurchaseOrder(world, number, creationOf(world, number, purchaseOrders, random), random);
      process(world, order, random);
      return purchaseOrderEntity(world, order);
    },
    created: (number, moment, random) => purchaseOrderEntity(world, createPurchaseOrder(world, number, moment, random)),
  };
}

/** What had happened to an order before the start: items come one after the other, and are billed. */
function process({ start }: World, order: PurchaseOrder, random: Random): void {
  let day = order.created.day + Math.floor(order.terms.days / 2);
  for (let i = 0; i < order.items.length * 2; i++) {
    day += random.between(0, 3);
    if (day >= start || random.chance(0.03)) return;
    const at: Moment = { day, second: random.between(6 * 3600, 20 * 3600 - 1) };
    if (!receive(order, at, random, random.chance(0.9))) return;
    if (random.chance(0.9)) takeInvoice(order, at, random);
  }
}

function purchaseOrderEntity(world: World, order: PurchaseOrder): Entity {
  return {
    change: (moment, random) => changePurchaseOrder(world, order, moment, random),
    rows: (emit) => emitPurchaseOrder(world, order, emit),
  };
}
