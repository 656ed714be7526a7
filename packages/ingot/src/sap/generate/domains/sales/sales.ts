import type { Domain, Entity, Moment } from "../../domain.js";
import type { Random } from "../../random.js";
import { creationOf, randomOf, type World } from "../../world.js";
import { changeOrder, deliver, invoice } from "./change-order.js";
import { createOrder, type SalesOrder } from "./order.js";
import { emitOrder } from "./order-rows.js";

/** Sales orders with their deliveries and invoices, and the postings of these. */
export function sales(world: World): Domain {
  const { salesOrders, changesPerDay } = world.volumes;
  return {
    name: "sales",
    count: salesOrders,
    changesPerDay: Math.ceil(changesPerDay / 2),
    creations: 4,
    ages: true,
    existing: (number) => {
      const random = randomOf(world, "VBAK", number);
      const order = createOrder(world, number, creationOf(world, number, salesOrders, random), random);
      process(world, order, random);
      return orderEntity(world, order);
    },
    created: (number, moment, random) => orderEntity(world, createOrder(world, number, moment, random)),
  };
}

/** What had happened to an order before the start: most are closed after some weeks, in one delivery or in two. */
function process(world: World, order: SalesOrder, random: Random): void {
  let day = order.created.day;
  const later = (least: number, most: number): Moment => {
    day += random.between(least, most);
    return { day, second: random.between(6 * 3600, 20 * 3600 - 1) };
  };
  if (random.chance(0.15)) return;
  for (const all of random.chance(0.2) ? [false, true] : [true]) {
    const goes = later(2, 30);
    if (goes.day >= world.start) return;
    if (!order.isCredit) deliver(order, goes, random, all);
    const billed = later(0, 5);
    if (billed.day >= world.start) return;
    invoice(world, order, billed);
  }
}

function orderEntity(world: World, order: SalesOrder): Entity {
  return {
    change: (moment, random) => changeOrder(world, order, moment, random),
    rows: (emit) => emitOrder(world, order, emit),
  };
}
