import type { Moment } from "../../domain.js";
import type { Random } from "../../random.js";
import { randomOf, type World } from "../../world.js";
import { TERMS } from "../customers.js";
import {
  canDeliver,
  createItem,
  delivered,
  isDeliverable,
  type OrderItem,
  otherCustomer,
  type SalesOrder,
  schedule,
} from "./order.js";

/** Does something to an order; false where nothing of the kind can be done. */
type Operation = (world: World, order: SalesOrder, moment: Moment, random: Random) => boolean;

/** By how many of a thousand transactions they are. */
const OPERATIONS: readonly (readonly [number, Operation])[] = [
  [45, (_, order, moment, random) => deliver(order, moment, random)],
  [40, (world, order, moment) => invoice(world, order, moment)],
  [230, changeQuantity],
  [180, reschedule],
  [140, reprice],
  [80, block],
  [20, addItem],
  [30, changeHeaderPartner],
  [25, changeItemPartner],
  [25, changeItemTerms],
  [40, reject],
  [85, removeItem],
  [25, removeScheduleLine],
  [15, removeOrder],
  [20, removeOwnData],
];

/** How many operations are tried: a closed order takes few. */
const ATTEMPTS = 3;

/** One transaction. A deleted order that is touched again comes back. */
export function changeOrder(world: World, order: SalesOrder, moment: Moment, random: Random): void {
  if (order.isDeleted) {
    order.isDeleted = false;
    return;
  }
  for (let i = 0; i < ATTEMPTS; i++) if (random.weighted(OPERATIONS)(world, order, moment, random)) return;
  reschedule(world, order, moment, random);
}

/** What is open goes out, or a part of it; one of fifty items a little more than ordered. */
export function deliver(order: SalesOrder, at: Moment, random: Random, all = random.chance(0.8)): boolean {
  if (!canDeliver(order)) return false;
  const lines = order.items.flatMap((item) => {
    const open = item.quantity - delivered(order, item);
    if (!isDeliverable(item) || open <= 0) return [];
    if (!all) return random.chance(0.5) ? [{ position: item.position, quantity: Math.ceil(open / 2000) * 1000 }] : [];
    const extra = random.chance(0.02) ? Math.floor((item.quantity * random.between(1, 10)) / 100) : 0;
    return [{ position: item.position, quantity: open + extra }];
  });
  if (lines.length === 0) return false;
  const first = order.items.find(({ position }) => position === lines[0]?.position);
  const shipTo = first?.shipTo ?? order.shipTo ?? order.customer;
  order.deliveries.push({ number: order.deliveries.length + 1, at, shipTo, lines });
  return true;
}

/** The share of deliveries that are taken back. */
const CANCELLED = 0.03;

/** The oldest delivery that is not billed, or taken back in its place; a credit memo request is billed itself. */
export function invoice(world: World, order: SalesOrder, at: Moment): boolean {
  if (order.isCredit && order.deliveries.length === 0) {
    const lines = order.items.filter((item) => !item.isRejected);
    if (lines.length === 0) return false;
    order.deliveries.push({
      number: 1,
      at,
      shipTo: order.customer,
      lines: lines.map(({ position, quantity }) => ({ position, quantity })),
      invoice: at,
    });
    return true;
  }
  const open = order.deliveries.find(({ invoice, cancelled }) => invoice === undefined && cancelled === undefined);
  if (open === undefined) return false;
  const isCancelled = randomOf(world, "VBFA", `${order.number}/${open.number}`).chance(CANCELLED);
  if (isCancelled) open.cancelled = at;
  else open.invoice = at;
  return true;
}

/** An item that nothing followed yet. */
function untouchedItem(order: SalesOrder, random: Random): OrderItem | undefined {
  const followed = new Set(order.deliveries.flatMap(({ lines }) => lines.map(({ position }) => position)));
  const items = order.items.filter(({ position }) => !followed.has(position));
  return items.length === 0 ? undefined : random.pick(items);
}

function touch(order: SalesOrder, { day }: Moment, item?: OrderItem): true {
  order.changed = day;
  if (item !== undefined) item.changed = day;
  return true;
}

function changeQuantity(_: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  const item = untouchedItem(order, random);
  if (item === undefined) return false;
  item.quantity += random.chance(0.5) && item.quantity > 2000 ? -1000 : random.between(1, 9) * 1000;
  schedule(item, order.requested, item.schedule.length === 2);
  return touch(order, moment, item);
}

function reschedule(_: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  order.requested += random.between(1, 14);
  return touch(order, moment);
}

function reprice(_: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  const item = untouchedItem(order, random);
  if (item === undefined || item.price === 0) return false;
  item.price += random.between(1, 500);
  return touch(order, moment, item);
}

function block(_: World, order: SalesOrder, moment: Moment): boolean {
  order.block = order.block === "" ? "01" : "";
  return touch(order, moment);
}

function addItem(world: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  if (order.isCredit) return false;
  order.items.push(createItem(world, order, random));
  return touch(order, moment);
}

function changeHeaderPartner(world: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  order.shipTo = otherCustomer(world, order, random);
  return touch(order, moment);
}

function changeItemPartner(world: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  const item = untouchedItem(order, random);
  if (item === undefined) return false;
  item.shipTo = otherCustomer(world, order, random);
  return touch(order, moment, item);
}

function changeItemTerms(_: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  const item = untouchedItem(order, random);
  if (item === undefined) return false;
  item.payment = random.pick(TERMS.filter((terms) => terms !== order.payment));
  return touch(order, moment, item);
}

function reject(_: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  const item = untouchedItem(order, random);
  if (item === undefined) return false;
  item.isRejected = !item.isRejected;
  return touch(order, moment, item);
}

function removeItem(_: World, order: SalesOrder, moment: Moment, random: Random): boolean {
  const item = untouchedItem(order, random);
  if (item === undefined || order.items.length === 1) return false;
  order.items = order.items.filter((other) => other !== item);
  return touch(order, moment);
}

function removeScheduleLine(_: World, order: SalesOrder, moment: Moment): boolean {
  const item = order.items.find((one) => one.schedule.length === 2);
  if (item === undefined) return false;
  schedule(item, order.requested, false);
  return touch(order, moment, item);
}

/** Header, items, partners, business data and flow; not where an invoice is posted. */
function removeOrder(_: World, order: SalesOrder): boolean {
  if (order.deliveries.some(({ invoice: posted }) => posted !== undefined)) return false;
  order.isDeleted = true;
  return true;
}

/** An item falls back to the header's partner, or to its business data. */
function removeOwnData(_: World, order: SalesOrder, moment: Moment): boolean {
  const partner = order.items.find((item) => item.shipTo !== undefined);
  const terms = order.items.find((item) => item.payment !== undefined);
  if (partner !== undefined) delete partner.shipTo;
  else if (terms !== undefined) delete terms.payment;
  else return false;
  return touch(order, moment, partner ?? terms);
}
