import { readFileSync, writeFileSync } from "node:fs";
import type { Answer } from "./corpus.js";

/** Writes the corpus of a file with other answers, by their place; whatever else the file says is kept. One case a line. */
export function writeCorpus(from: string, to: string, answers: readonly Answer[]): void {
  const { cases, ...head } = JSON.parse(readFileSync(from, "utf8")) as { cases: Record<string, unknown>[] };
  const lines = cases.map(({ schema: _, rows: __, error: ___, ...rest }, i) => {
    const answer = answers[i];
    if (answer === undefined || rest["usage"] === "parse-only") return JSON.stringify(cases[i]);
    return JSON.stringify(
      "condition" in answer ? { ...rest, error: answer } : { ...rest, schema: answer.columns, rows: answer.rows },
    );
  });
  const entries = Object.entries(head).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},\n`);
  writeFileSync(to, `{${entries.join("")}"cases":[\n${lines.join(",\n")}\n]}\n`);
}
