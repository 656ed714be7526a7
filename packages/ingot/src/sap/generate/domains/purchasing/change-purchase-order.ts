import type { Moment } from "../../domain.js";
import type { Random } from "../../random.js";
import type { World } from "../../world.js";
import {
  createPurchaseItem,
  invoiced,
  itemValue,
  MOST_EVENTS,
  type PurchaseItem,
  type PurchaseOrder,
  received,
  scheduleItem,
} from "./purchase-order.js";

/** Does something to an order; false where nothing of the kind can be done. */
type Operation = (world: World, order: PurchaseOrder, moment: Moment, random: Random) => boolean;

/** By how many of a thousand transactions they are. */
const OPERATIONS: readonly (readonly [number, Operation])[] = [
  [250, (_, order, at, random) => receive(order, at, random)],
  [15, giveBack],
  [150, (_, order, at, random) => takeInvoice(order, at, random)],
  [180, changeQuantity],
  [140, reprice],
  [140, postpone],
  [25, addItem],
  [30, flag],
  [60, removeItem],
  [10, removeOrder],
];

/** How many operations are tried: a closed order takes few. */
const ATTEMPTS = 3;

/** One transaction. A deleted order that is touched again comes back. */
export function changePurchaseOrder(world: World, order: PurchaseOrder, moment: Moment, random: Random): void {
  if (order.isDeleted) {
    order.isDeleted = false;
    return;
  }
  for (let i = 0; i < ATTEMPTS; i++) if (random.weighted(OPERATIONS)(world, order, moment, random)) return;
  postpone(world, order, moment, random);
}

function record(
  order: PurchaseOrder,
  kind: "receipt" | "return" | "invoice",
  at: Moment,
  item: PurchaseItem,
  quantity: number,
  amount: number,
): true {
  order.history.push({ kind, at, position: item.position, quantity, amount });
  return true;
}

const isFull = ({ history }: PurchaseOrder) => history.length >= MOST_EVENTS - 1;

/** Goods of one item come in, all or a part. */
export function receive(order: PurchaseOrder, at: Moment, random: Random, all = random.chance(0.7)): boolean {
  const open = order.items.filter((item) => item.flag === "" && received(order, item.position) < item.quantity);
  if (open.length === 0 || isFull(order)) return false;
  const item = random.pick(open);
  const missing = item.quantity - received(order, item.position);
  const quantity = all ? missing : Math.ceil(missing / 2000) * 1000;
  if (received(order, item.position) + quantity >= item.quantity) item.isComplete = true;
  return record(order, "receipt", at, item, quantity, itemValue(item, quantity));
}

/** Something of what came, and is not billed, goes back. */
function giveBack(_: World, order: PurchaseOrder, at: Moment, random: Random): boolean {
  const item = order.items.find(({ position }) => received(order, position) - invoiced(order, position) >= 1000);
  if (item === undefined || isFull(order)) return false;
  const most = Math.floor((received(order, item.position) - invoiced(order, item.position)) / 1000);
  const quantity = random.between(1, most) * 1000;
  item.isComplete = false;
  return record(order, "return", at, item, quantity, itemValue(item, quantity));
}

/** An invoice for what came; three of a hundred have another price. */
export function takeInvoice(order: PurchaseOrder, at: Moment, random: Random): boolean {
  const item = order.items.find(({ position }) => received(order, position) > invoiced(order, position));
  if (item === undefined || isFull(order)) return false;
  const quantity = received(order, item.position) - invoiced(order, item.position);
  const value = itemValue(item, quantity);
  const asked = random.chance(0.03) ? Math.floor((value * random.between(95, 105)) / 100) : value;
  return record(order, "invoice", at, item, quantity, Math.max(1, asked));
}

/** An item that nothing followed yet. */
function untouched(order: PurchaseOrder, random: Random): PurchaseItem | undefined {
  const items = order.items.filter(({ position }) => order.history.every((event) => event.position !== position));
  return items.length === 0 ? undefined : random.pick(items);
}

function changeQuantity(_: World, order: PurchaseOrder, { day }: Moment, random: Random): boolean {
  const item = untouched(order, random);
  if (item === undefined) return false;
  item.quantity += random.chance(0.4) && item.quantity > 2000 ? -1000 : random.between(1, 20) * 1000;
  scheduleItem(item, item.schedule[0]?.day ?? day, item.schedule.length === 2);
  item.changed = day;
  return true;
}

function reprice(_: World, order: PurchaseOrder, { day }: Moment, random: Random): boolean {
  const item = untouched(order, random);
  if (item === undefined) return false;
  item.price += random.between(1, 300);
  item.changed = day;
  return true;
}

/** The supplier needs longer. */
function postpone(_: World, order: PurchaseOrder, { day }: Moment, random: Random): boolean {
  const item = random.pick(order.items);
  const later = random.between(1, 10);
  item.schedule = item.schedule.map((line) => ({ ...line, day: line.day + later }));
  item.changed = day;
  return true;
}

function addItem(world: World, order: PurchaseOrder, { day }: Moment, random: Random): boolean {
  order.items.push(createPurchaseItem(world, order, day, random));
  return true;
}

function flag(_: World, order: PurchaseOrder, { day }: Moment, random: Random): boolean {
  const item = untouched(order, random);
  if (item === undefined) return false;
  item.flag = item.flag === "" ? random.pick(["L", "S"]) : "";
  item.changed = day;
  return true;
}

function removeItem(_: World, order: PurchaseOrder, __: Moment, random: Random): boolean {
  const item = untouched(order, random);
  if (item === undefined || order.items.length === 1) return false;
  order.items = order.items.filter((other) => other !== item);
  return true;
}

function removeOrder(_: World, order: PurchaseOrder): boolean {
  if (order.history.length > 0) return false;
  order.isDeleted = true;
  return true;
}
