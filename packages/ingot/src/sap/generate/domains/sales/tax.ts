import type { SalesOrder } from "./order.js";

/** 19 of 100 within Germany, rounded half up; else nothing. */
export function taxOf({ terms }: SalesOrder, value: number): number {
  return terms.country === "DE" ? Math.floor((value * 38 + 100) / 200) : 0;
}
