import { isWeekend } from "../../calendar.js";
import { divideHalfUp, padded } from "../../decimal.js";
import type { Moment } from "../../domain.js";
import type { Random } from "../../random.js";
import { plantIn, type World } from "../../world.js";
import { type CustomerTerms, customerTerms, TERMS } from "../customers.js";
import { materialTerms } from "../materials.js";

/** A sales order with what followed from it. Quantities are thousandths, amounts hundredths as CURR stores them. */
export interface SalesOrder {
  readonly number: number;
  readonly created: Moment;
  readonly customer: number;
  readonly terms: CustomerTerms;
  /** A credit memo request: billed itself, and never delivered. */
  readonly isCredit: boolean;
  requested: number;
  reference: string;
  block: string;
  changed?: number;
  /** Who gets the goods, where it is not the customer. */
  shipTo?: number;
  payment: string;
  items: OrderItem[];
  deliveries: Delivery[];
  isDeleted: boolean;
}

export interface OrderItem {
  readonly position: number;
  readonly material: number;
  readonly plant: number;
  /** TAN standard, TANN free of charge, TATX text, G2N credit memo. */
  readonly category: "TAN" | "TANN" | "TATX" | "G2N";
  quantity: number;
  price: number;
  /** KPEIN: the price is for so many. */
  readonly per: number;
  isRejected: boolean;
  changed?: number;
  /** Own partner and business data, where they deviate from the header's. */
  shipTo?: number;
  payment?: string;
  schedule: ScheduleLine[];
}

export interface ScheduleLine {
  readonly number: number;
  readonly day: number;
  readonly quantity: number;
}

/** Goods of some items that went out together, and the invoice for them. */
export interface Delivery {
  readonly number: number;
  readonly at: Moment;
  /** As the order had it then. */
  readonly shipTo: number;
  readonly lines: readonly { readonly position: number; readonly quantity: number }[];
  invoice?: Moment;
  /** When it was taken back, in place of an invoice. */
  cancelled?: Moment;
}

const MOST_ITEMS = 60;

export function createOrder(world: World, number: number, created: Moment, random: Random): SalesOrder {
  const customer = random.zipf(world.volumes.customers);
  const terms = customerTerms(world, customer);
  const isCredit = random.chance(0.02);
  const order: SalesOrder = {
    number,
    created,
    customer,
    terms,
    isCredit,
    requested: created.day + random.between(2, 30),
    reference: `PO ${padded(random.below(1_000_000), 6)}`,
    block: "",
    payment: terms.terms,
    items: [],
    deliveries: [],
    isDeleted: false,
  };
  if (random.chance(0.1)) order.shipTo = otherCustomer(world, order, random);
  const count = random.chance(0.001) ? random.between(300, 400) : 1 + random.geometric(0.69, MOST_ITEMS - 1);
  for (let i = 0; i < count; i++) order.items.push(createItem(world, order, random));
  return order;
}

/** An item behind the last one. */
export function createItem(world: World, order: SalesOrder, random: Random): OrderItem {
  const material = random.zipf(world.volumes.materials);
  const category = order.isCredit
    ? "G2N"
    : random.weighted<OrderItem["category"]>([
        [990, "TAN"],
        [5, "TANN"],
        [5, "TATX"],
      ]);
  const quantity = random.between(1, random.chance(0.1) ? 500 : 20) * 1000;
  const per = random.chance(0.1) ? 100 : 1;
  const listed = materialTerms(world, material).price;
  const item: OrderItem = {
    position: (order.items.at(-1)?.position ?? 0) + 10,
    material,
    plant: plantIn(world, order.terms.company, random),
    category,
    quantity,
    price: category === "TAN" || category === "G2N" ? pricedFor(order.terms.currency, listed * per, random) : 0,
    per,
    isRejected: false,
    schedule: [],
  };
  if (random.chance(0.08)) item.shipTo = otherCustomer(world, order, random);
  if (random.chance(0.05)) item.payment = random.pick(TERMS.filter((terms) => terms !== order.payment));
  schedule(item, order.requested, random.chance(0.15));
  return item;
}

/** Stored prices are plain hundredths; a currency without decimals keeps them small, as its amounts are worth more. */
function pricedFor(currency: string, listed: number, random: Random): number {
  const discounted = Math.max(1, Math.floor((listed * random.between(80, 120)) / 100));
  return currency === "JPY" || currency === "KRW" || currency === "HUF" ? discounted * 3 : discounted;
}

/** One line for all, or two: what can come at once, and the rest a week later. */
export function schedule(item: OrderItem, day: number, isSplit: boolean): void {
  const first = isSplit && item.quantity > 1000 ? Math.floor(item.quantity / 2000) * 1000 : item.quantity;
  item.schedule = [{ number: 1, day: workingDay(day), quantity: first }];
  if (first < item.quantity)
    item.schedule.push({ number: 2, day: workingDay(day + 7), quantity: item.quantity - first });
}

function workingDay(day: number): number {
  return isWeekend(day) ? workingDay(day + 1) : day;
}

export function otherCustomer({ volumes }: World, { customer }: SalesOrder, random: Random): number {
  return (customer + 1 + random.below(volumes.customers - 1)) % volumes.customers;
}

export function netValue({ price, quantity, per, category }: OrderItem): number {
  return category === "TANN" || category === "TATX" ? 0 : divideHalfUp(price * quantity, per * 1000);
}

/** What of an item went out, and was not taken back. */
export function delivered({ deliveries }: SalesOrder, { position }: OrderItem): number {
  let sum = 0;
  for (const { lines, cancelled } of deliveries)
    for (const line of lines) if (line.position === position && cancelled === undefined) sum += line.quantity;
  return sum;
}

/** Whether goods of the item go out. */
export function isDeliverable({ category, isRejected }: OrderItem): boolean {
  return !isRejected && (category === "TAN" || category === "TANN");
}

export const orderNumber = ({ number }: SalesOrder): string => padded(10_000 + number, 10);

/** Followers of an order have numbers of their own range, twenty at most. */
const MOST_FOLLOWERS = 20;
const follower = (range: number, order: SalesOrder, number: number) =>
  padded(range + order.number * MOST_FOLLOWERS + number, 10);
export const deliveryNumber = (order: SalesOrder, { number }: Delivery): string =>
  follower(8_000_000_000, order, number);
export const cancellationNumber = (order: SalesOrder, { number }: Delivery): string =>
  follower(8_500_000_000, order, number);
export const goodsNumber = (order: SalesOrder, { number }: Delivery): string => follower(4_900_000_000, order, number);
export const invoiceNumber = (order: SalesOrder, number: number): string => follower(9_000_000_000, order, number);
export const invoicePosting = (order: SalesOrder, number: number): string => follower(1_400_000_000, order, number);

export function canDeliver({ deliveries }: SalesOrder): boolean {
  return deliveries.length < MOST_FOLLOWERS - 1;
}
