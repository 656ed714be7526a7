import { evaluate, given } from "ingot/testing";
import { bronzeOrders } from "./bronze";
import { orders } from "./silver";

declare function test(name: string, run: () => Promise<void>): void;
declare function assertEqual(a: unknown, b: unknown): void;

test("orders keeps the newest line of an order", async () => {
  const rows = await evaluate(orders, [
    given(bronzeOrders, [
      { order_id: 1001n, customer_id: "C01", status: "placed", amount: "25.50", updated_at: "2026-10-01 09:15:00" },
      { order_id: 1001n, customer_id: "C01", status: "shipped", amount: "25.50", updated_at: "2026-10-02 08:00:00" },
      { order_id: 1003n, _bad: "1003,C03,placed,abc,2026-10-01 11:30:00" },
    ]),
  ]);
  assertEqual(rows, [
    { order_id: 1001n, customer_id: "C01", status: "shipped", amount: "25.50", updated_at: "2026-10-02 08:00:00" },
  ]);
});
