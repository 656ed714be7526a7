import fc from "fast-check";
import { expect, it } from "vitest";
import { dayOf } from "../../calendar.js";
import { closePeriods, periodFields, periodOf, type State, withState } from "./periods.js";

it("writes the history as SAP's note does: 10 at the end of 01, 17 of 03 in which nothing moved, now 13", () => {
  const states = [
    { period: 1, value: 10 },
    { period: 2, value: 17 },
    { period: 4, value: 13 },
  ];
  expect(closePeriods(states)).toEqual({
    history: [
      { period: 1, value: 10 },
      { period: 3, value: 17 },
    ],
    current: { period: 4, value: 13 },
  });
});

it("looking ahead in the history finds what was there at the end of each month", () => {
  const moves = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(moves, (periods) => {
      let states: State<number>[] = [];
      for (const period of periods.sort((a, b) => a - b)) states = withState(states, period, period * 10);
      const { history, current } = closePeriods(states);
      for (let p = periods[0] ?? 0; p <= 41; p++) {
        const then = states.findLast(({ period }) => period <= p)?.value;
        const found = p >= (current?.period ?? 0) ? current : history.find(({ period }) => period >= p);
        expect(found?.value).toBe(then);
      }
    }),
  );
});

it("counts months over the year's end", () => {
  expect(periodOf(dayOf("2026-01-01")) - periodOf(dayOf("2025-12-31"))).toBe(1);
  expect(periodFields(periodOf(dayOf("2025-12-31")))).toEqual({ LFGJA: "2025", LFMON: "12" });
});
