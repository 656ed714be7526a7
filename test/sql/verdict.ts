import { doubleText } from "./canonical.js";
import type { Answer, Case, Failure, Rows } from "./corpus.js";
import type { Outcome } from "./embedded.js";

export type Verdict =
  | { readonly kind: "exact" }
  /** Nothing was given: a limit of ours, by name. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "wrong"; readonly why: string };

const EXACT: Verdict = { kind: "exact" };

/**
 * Holds an outcome against Spark's answer: names, types and values of the columns, or the condition of the error. Where
 * Spark refuses a query before it runs, any refusal before the run is the same; a limit that shows only in a value is a
 * refusal, too, since it has a name and no row is given.
 */
export function judge(test: Case, answer: Answer, outcome: Outcome): Verdict {
  if (outcome.kind === "crashed") return { kind: "wrong", why: `no answer: ${outcome.message}` };
  if ("condition" in answer) return judgeFailure(answer, outcome);
  switch (outcome.kind) {
    case "rows": {
      const difference = compare(test, answer, outcome.rows, outcome.types);
      return difference === undefined ? EXACT : { kind: "wrong", why: difference };
    }
    case "refused":
      return { kind: "refused", why: `${outcome.condition}: ${outcome.message}` };
    case "raised":
      return {
        kind: outcome.condition === "NOT_SUPPORTED" ? "refused" : "wrong",
        why: `expected ${answer.rows.length} rows, seen while it ran: ${outcome.message}`,
      };
  }
}

function judgeFailure({ condition, phase }: Failure, outcome: Exclude<Outcome, { kind: "crashed" }>): Verdict {
  const expected = condition ?? "an error of Java's";
  if (outcome.kind === "rows")
    return { kind: "wrong", why: `expected ${expected}, seen rows ${shorten(JSON.stringify(outcome.rows.rows))}` };
  // Conditions are known without their subclass.
  const isSame = outcome.condition?.split(".")[0] === condition?.split(".")[0];
  const why = `expected ${expected}, seen ${outcome.condition ?? "no condition"}: ${outcome.message}`;
  if (outcome.kind === "refused") return isSame || phase === "analysis" ? EXACT : { kind: "refused", why };
  // An error of Java's, or one that Spark has no lasting name for.
  if (isSame || condition === null || condition.startsWith("_LEGACY")) return EXACT;
  return { kind: outcome.condition === "NOT_SUPPORTED" ? "refused" : "wrong", why };
}

/** The first difference, or undefined. */
function compare(test: Case, answer: Rows, seen: Rows, types: readonly string[]): string | undefined {
  const list = (rows: Rows, key: "name" | "type") => rows.columns.map((c) => c[key]);
  const names = differ("names", list(answer, "name"), list(seen, "name"));
  const typed = differ("types", list(answer, "type"), list(seen, "type"));
  // DuckDB has one type of interval, and gives a column of bare NULLs a type of its own.
  const stored = list(answer, "type").map(storedType);
  const reported = types.map((t, i) => (stored[i]?.includes("void") === true ? stored[i] : storedType(t)));
  const found = names ?? typed ?? differ("DuckDB's types", stored, reported);
  if (found !== undefined) return found;
  const floats = answer.columns.map((c) => /^(double|float)$/.test(c.type));
  const [expected, given] = [numbers(answer.rows, floats), numbers(seen.rows, floats)];
  const open = test.open === undefined ? [] : openColumns(expected, given);
  const lines = (rows: Rows["rows"]) => {
    const texts = rows.map((row) => JSON.stringify(row.map((value, i) => (open.includes(i) ? "open" : value))));
    return test.ordered ? texts : texts.sort();
  };
  return differ("rows", lines(expected), lines(given));
}

function storedType(type: string): string {
  return type.replace(/interval [a-z ]+/g, "interval");
}

/** Doubles in one writing, whoever wrote them. */
function numbers(rows: Rows["rows"], floats: readonly boolean[]): Rows["rows"] {
  return rows.map((row) =>
    row.map((value, i) => (floats[i] === true && value !== null ? doubleText(Number(value)) : value)),
  );
}

/** Columns whose values, put in order, are not the same. */
function openColumns(expected: Rows["rows"], seen: Rows["rows"]): number[] {
  const values = (rows: Rows["rows"], i: number) =>
    rows
      .map((row) => JSON.stringify(row[i]))
      .sort()
      .join();
  return (expected[0] ?? []).flatMap((_, i) => (values(expected, i) === values(seen, i) ? [] : [i]));
}

function differ(what: string, expected: readonly string[], seen: readonly string[]): string | undefined {
  const at = expected.findIndex((text, i) => text !== seen[i]);
  if (at === -1 && expected.length === seen.length) return undefined;
  const count = expected.length === seen.length ? "" : ` (${expected.length} expected, ${seen.length} seen)`;
  const place = at === -1 ? expected.length : at;
  const show = (text: string | undefined) => (text === undefined ? "nothing" : shorten(text));
  return `${what}${count}, number ${place + 1}: expected ${show(expected[place])}, seen ${show(seen[place])}`;
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
