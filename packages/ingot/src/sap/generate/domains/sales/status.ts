/** A not yet, B partly, C completely; blank: not relevant. */
export type Status = "" | "A" | "B" | "C";

/** How far a quantity has come. */
export function statusOf(done: number, of: number): Status {
  if (done <= 0) return "A";
  return done < of ? "B" : "C";
}

/** The status of a document from those of its items. */
export function overall(items: readonly Status[]): Status {
  const relevant = items.filter((status) => status !== "");
  const [first] = relevant;
  if (first === undefined) return "";
  return relevant.every((status) => status === first) ? first : "B";
}
