import type { Call } from "../parse/ast.js";
import { coerce, fail, type Place, unsupported } from "./bind-place.js";
import type { Source } from "./bound-from.js";
import { NO_ORIGINS } from "./origins.js";
import { BIGINT, isInteger } from "./type-rules.js";

/** `range(end)`, `range(start, end [, step [, parts]])`: BIGINT numbers, the end left out. */
export function bindRange(place: Place, call: Call): Source {
  const args = call.args.map(({ expression }) => place.binder.bind(place, expression));
  if (args.length < 1 || args.length > 4)
    throw fail(
      place,
      call.at,
      "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
      `range takes 1 to 4 arguments, not ${args.length}`,
      "Write range(start, end, step).",
      "range",
    );
  const numbers = args.map((a) => {
    if (!isInteger(a.type)) throw unsupported(place, a.at, "range of other than whole numbers", "Cast it to BIGINT.");
    return coerce(place, a, BIGINT).sql;
  });
  const [first = "0", second] = numbers;
  const [start, end] = second === undefined ? ["CAST(0 AS BIGINT)", first] : [first, second];
  const step = numbers[2] ?? "CAST(1 AS BIGINT)";
  if (args[2]?.literal?.value === "0")
    throw unsupported(place, args[2].at, "range with a step of 0", "Write another step.");
  return {
    sql: `(SELECT "range" FROM range(${start}, ${end}, ${step}))`,
    columns: [{ name: "id", type: BIGINT, nullable: false, origins: NO_ORIGINS }],
    influences: NO_ORIGINS,
    volatile: false,
    plain: false,
  };
}
