import type { IntervalType } from "../../model/data-type.js";
import { anyNullable, joinNames } from "../bind/bound.js";
import { INT } from "../bind/type-rules.js";
import { argOf, type Functions, type Lowered, scalar, type Use } from "./function.js";

/** Seconds with their microseconds. */
const SECONDS = { kind: "decimal", precision: 18, scale: 6 } as const;

/** Intervals made of numbers; what is left out is 0. */
export const INTERVALS: Functions = {
  make_ym_interval: scalar(0, 2, (use) => {
    const months = `CAST(${whole(use, 0)} AS BIGINT) * 12 + ${whole(use, 1)}`;
    return made(use, `to_months(CAST(${months} AS INTEGER))`, { kind: "interval", from: "year", to: "month" }, [
      "0",
      "0",
    ]);
  }),
  make_dt_interval: scalar(0, 4, (use) => {
    const hours = `(CAST(${whole(use, 0)} AS BIGINT) * 24 + ${whole(use, 1)})`;
    const seconds = use.args.length > 3 ? `CAST(${argOf(use, 3, SECONDS).sql} * 1000000 AS BIGINT)` : "0";
    const micros = `(${hours} * 60 + ${whole(use, 2)}) * 60000000 + ${seconds}`;
    const type = { kind: "interval", from: "day", to: "second" } as const;
    return made(use, `to_microseconds(${micros})`, type, ["0", "0", "0", "0.000000"]);
  }),
};

function whole(use: Use, index: number): string {
  return index < use.args.length ? argOf(use, index, INT).sql : "0";
}

function made(use: Use, sql: string, type: IntervalType, defaults: readonly string[]): Lowered {
  const name = joinNames(
    use.args,
    (names) => `${use.call.name.toLowerCase()}(${[...names, ...defaults.slice(names.length)].join(", ")})`,
  );
  return { sql, type, nullable: anyNullable(use.args), throws: true, name };
}
