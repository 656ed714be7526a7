import type { ArrayType, DataType, IntervalType } from "../../model/data-type.js";
import { DAY, micros, monthsOf } from "../bind/bind-interval.js";
import { coerce, describe } from "../bind/bind-place.js";
import { anyNullable, type Bound } from "../bind/bound.js";
import { BIGINT, commonTypeOf, isDatetime, isInteger, isMonths } from "../bind/type-rules.js";
import { castTo, raise } from "../lower/lower-text.js";
import { arg, type Functions, type Lowered, scalar, type Use, unsupportedForm } from "./function.js";

export const SEQUENCES: Functions = { sequence: scalar(2, 3, sequence) };

/** From the first to the last value: whole numbers by a number, dates and moments by an interval. */
function sequence(use: Use): Lowered {
  const [start, stop, step] = [arg(use, 0), arg(use, 1), use.args[2]];
  const element = commonTypeOf(
    isDatetime(start.type) || isDatetime(stop.type) ? [start.type, stop.type] : use.args.map((a) => a.type),
  );
  if (element !== undefined && isInteger(element)) return ofNumbers(use, element);
  const by: DataType = step?.type ?? { kind: "interval", from: "day", to: "day" };
  const isTimed = by.kind === "interval" && !isMonths(by) && (by.from !== "day" || by.to !== "day");
  if (element === undefined || !isDatetime(element) || by.kind !== "interval" || (isTimed && element.kind === "date"))
    throw unsupportedForm(
      use,
      `sequence of ${use.args.map((a) => describe(a.type)).join(", ")}`,
      "Take whole numbers; dates by days or months; moments by any interval.",
    );
  return ofMoments(use, element, by, step);
}

function ofNumbers(use: Use, element: DataType): Lowered {
  const [from, to, given] = use.args.map((a) => castTo(coerce(use.place, a, element).sql, BIGINT));
  const step = given ?? `CASE WHEN ${from} <= ${to} THEN 1 ELSE -1 END`;
  return result(use, element, `spark_sequence(${from}, ${to}, ${step})`);
}

/** The step is added to the first value, so many times: months keep its day where they have one (`TemporalSequenceImpl`). */
function ofMoments(use: Use, element: DataType, by: IntervalType, step: Bound | undefined): Lowered {
  const [start, stop] = [arg(use, 0), arg(use, 1)].map((side) => coerce(use.place, side, element).sql);
  const clock = (sql: string | undefined) => `epoch_us(${sql})`;
  const distance = `(${clock(stop)} - ${clock(start)})`;
  const months = isMonths(by);
  const size =
    step === undefined
      ? `CASE WHEN ${distance} < 0 THEN -${DAY} ELSE ${DAY} END`
      : months
        ? monthsOf(step.sql)
        : micros(step.sql);
  const shift = months
    ? "to_months(CAST(i * s AS INTEGER))"
    : `(to_days(CAST(i * (s // ${DAY}) AS INTEGER)) + to_microseconds(i * (s % ${DAY})))`;
  // One more than there can be: no month has less than 28 days, a day of the clock 23 hours at least.
  const least = months ? String(28n * DAY) : "CAST(0.95 AS DOUBLE)";
  const count = `abs(${distance}) // (abs(s) * ${least}) + 2`;
  const values = `list_transform(range(0, CAST(${count} AS BIGINT)), lambda i: ${castTo(`${start} + ${shift}`, element)})`;
  const kept = `list_filter(${values}, lambda t: CASE WHEN s > 0 THEN t <= ${stop} ELSE t >= ${stop} END)`;
  const error = raise("ILLEGAL_SEQUENCE_BOUNDARIES", "The boundaries of the sequence do not fit its step.");
  const type: ArrayType = { kind: "array", element, containsNull: false };
  const wrong = `(s = 0 AND ${distance} <> 0) OR (s > 0 AND ${distance} < 0) OR (s < 0 AND ${distance} > 0)`;
  const whens = [
    `WHEN s IS NULL OR ${distance} IS NULL THEN NULL`,
    `WHEN ${wrong} THEN ${castTo(error, type)}`,
    `WHEN s = 0 THEN [${start}]`,
  ];
  return result(
    use,
    element,
    `(list_transform([${castTo(size, BIGINT)}], lambda s: CASE ${whens.join(" ")} ELSE ${kept} END))[1]`,
  );
}

function result(use: Use, element: DataType, sql: string): Lowered {
  const type: ArrayType = { kind: "array", element, containsNull: false };
  return { sql: castTo(sql, type), type, nullable: anyNullable(use.args), throws: true };
}
