import { divideHalfUp, padded } from "../../decimal.js";
import type { Moment } from "../../domain.js";
import type { Random } from "../../random.js";
import { plantIn, storageLocation, type World } from "../../world.js";
import { materialTerms } from "../materials.js";
import { type SupplierTerms, supplierTerms } from "../suppliers.js";

/** A purchase order with its history. Quantities are thousandths, amounts hundredths as CURR stores them. */
export interface PurchaseOrder {
  readonly number: number;
  readonly created: Moment;
  readonly supplier: number;
  readonly terms: SupplierTerms;
  items: PurchaseItem[];
  /** Receipts, returns and invoices, in their order: the number of each is its place. */
  readonly history: PurchaseEvent[];
  isDeleted: boolean;
}

export interface PurchaseItem {
  readonly position: number;
  readonly material: number;
  readonly plant: number;
  readonly storage: string;
  quantity: number;
  price: number;
  /** PEINH: the price is for so many. */
  readonly per: number;
  /** LOEKZ: L deleted, S blocked. A flag, and no delete. */
  flag: "" | "L" | "S";
  isComplete: boolean;
  changed?: number;
  schedule: readonly { readonly number: number; readonly day: number; readonly quantity: number }[];
}

export interface PurchaseEvent {
  readonly kind: "receipt" | "return" | "invoice";
  readonly at: Moment;
  readonly position: number;
  readonly quantity: number;
  readonly amount: number;
}

/** An order's history has numbers of its own range. */
export const MOST_EVENTS = 100;

export function createPurchaseOrder(world: World, number: number, created: Moment, random: Random): PurchaseOrder {
  const supplier = random.zipf(world.volumes.suppliers);
  const terms = supplierTerms(world, supplier);
  const order: PurchaseOrder = { number, created, supplier, terms, items: [], history: [], isDeleted: false };
  const count = 1 + random.geometric(0.6, 20);
  for (let i = 0; i < count; i++) order.items.push(createPurchaseItem(world, order, created.day, random));
  return order;
}

/** An item behind the last one. */
export function createPurchaseItem(world: World, order: PurchaseOrder, day: number, random: Random): PurchaseItem {
  const material = random.zipf(world.volumes.materials);
  const per = random.chance(0.1) ? 100 : 1;
  const listed = materialTerms(world, material).price * per;
  const item: PurchaseItem = {
    position: (order.items.at(-1)?.position ?? 0) + 10,
    material,
    plant: plantIn(world, order.terms.company, random),
    storage: storageLocation(world, random),
    quantity: random.between(1, random.chance(0.2) ? 1000 : 50) * 1000,
    price: Math.max(1, Math.floor((listed * random.between(40, 70)) / 100)),
    per,
    flag: random.chance(0.01) ? "L" : "",
    isComplete: false,
    schedule: [],
  };
  scheduleItem(item, day + order.terms.days, random.chance(0.15));
  return item;
}

export function scheduleItem(item: PurchaseItem, day: number, isSplit: boolean): void {
  const first = isSplit && item.quantity > 1000 ? Math.floor(item.quantity / 2000) * 1000 : item.quantity;
  const rest = item.quantity - first;
  item.schedule = [
    { number: 1, day, quantity: first },
    ...(rest === 0 ? [] : [{ number: 2, day: day + 14, quantity: rest }]),
  ];
}

/** The value of a quantity of an item by its price. */
export function itemValue({ price, per }: PurchaseItem, quantity: number): number {
  return divideHalfUp(price * quantity, per * 1000);
}

export function received({ history }: PurchaseOrder, position: number): number {
  let sum = 0;
  for (const { kind, quantity, ...event } of history)
    if (event.position === position && kind !== "invoice") sum += kind === "receipt" ? quantity : -quantity;
  return sum;
}

export function invoiced({ history }: PurchaseOrder, position: number): number {
  let sum = 0;
  for (const { kind, quantity, ...event } of history)
    if (event.position === position && kind === "invoice") sum += quantity;
  return sum;
}

export const purchaseNumber = ({ number }: PurchaseOrder): string => padded(4_500_000_000 + number, 10);
/** Material documents, invoices and postings of an order's history have numbers of their own range. */
const follower = (range: number, { number }: PurchaseOrder, event: number) =>
  padded(range + number * MOST_EVENTS + event, 10);
export const materialDocument = (order: PurchaseOrder, event: number): string => follower(5_000_000_000, order, event);
export const supplierInvoice = (order: PurchaseOrder, event: number): string => follower(5_105_000_000, order, event);
