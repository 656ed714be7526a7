import type { Snapshot } from "@ingot/delta";

/** What the newest commit of a table says of itself in numbers, by name: 0 for what it does not say. */
export function commitFigures({ commitInfo }: Snapshot): (name: string) => number {
  const metrics = commitInfo?.["operationMetrics"];
  return (name) =>
    typeof metrics === "object" && metrics !== null && name in metrics
      ? Number((metrics as Readonly<Record<string, unknown>>)[name])
      : 0;
}
