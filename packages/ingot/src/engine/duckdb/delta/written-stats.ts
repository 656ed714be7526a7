import type { ColumnStats } from "@ingot/delta";

/** A MAP value as node-api gives it. */
export type Entries<V> = readonly { readonly key: string; readonly value: V }[];

/** The statistics of a file's columns by quoted path, from what DuckDB's RETURN_STATS tells. */
export function toColumnStats(statistics: unknown): Map<string, ColumnStats> {
  const columns = (statistics ?? []) as Entries<Entries<string>>;
  return new Map(
    columns.map(({ key, value }) => {
      const facts = new Map(value.map((fact) => [fact.key, fact.value]));
      const [min, max, nulls] = [facts.get("min"), facts.get("max"), facts.get("null_count")];
      return [
        key,
        {
          ...(min === undefined ? {} : { min }),
          ...(max === undefined ? {} : { max }),
          ...(nulls === undefined ? {} : { nullCount: Number(nulls) }),
          hasNan: facts.get("has_nan") === "true",
        },
      ];
    }),
  );
}
