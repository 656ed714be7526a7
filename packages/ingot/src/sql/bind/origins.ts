import { type DataType, type Field, sameType } from "../../model/data-type.js";
import type { ColumnSource, Lineage, LineageKind, SourceColumn } from "../../model/lineage.js";

/** A column of a relation that a value comes from, or that decides about it without being a part of it. */
interface Origin {
  readonly source: SourceColumn;
  /** Equal for equal sources. */
  readonly key: string;
  readonly how: LineageKind | "influence";
}

/** Where a value comes from. */
export interface Origins {
  readonly all: readonly Origin[];
  /** The value is an amount in its true value, or made of one. */
  readonly trueAmount?: true;
  /** Of a struct that the query made, and of arrays of such: each field's own, by lower-case name. */
  readonly fields?: ReadonlyMap<string, Origins>;
}

/** Of constants, clocks and the like. */
export const NO_ORIGINS: Origins = { all: [] };

/** Of a column that is read as it is. */
export function originsOf(relation: string, { name, trueAmount }: Field): Origins {
  const all = [{ source: { relation, column: name }, key: JSON.stringify([relation, name]), how: "copied" as const }];
  return trueAmount === true ? { all, trueAmount } : { all };
}

/** Of a value that is an amount in its true value. */
export function trueAmountOrigins({ all }: Origins): Origins {
  return { all, trueAmount: true };
}

/** Of a value that is made of others: at least `how` from each of their columns. */
export function combineOrigins(
  parts: readonly { readonly origins: Origins; readonly type: DataType }[],
  type: DataType,
  how: LineageKind = "computed",
): Origins {
  const filled = parts.filter(({ origins }) => origins.all.length > 0);
  const made = ofTrueAmounts(parts, type);
  if (filled.length === 0) return made === undefined ? NO_ORIGINS : { all: [], ...made };
  const all = merge(
    filled.map((part) => part.origins.all),
    how,
  );
  // A struct that goes through as it is (`max_by`, `coalesce`, CASE) keeps what each of its fields is made of.
  const through = filled.filter((part) => part.origins.fields !== undefined && sameType(rowOf(part.type), rowOf(type)));
  if (through.length === 0) return { all, ...made };
  const others = filled.filter((part) => !through.includes(part)).map((part) => part.origins);
  const names = new Set(through.flatMap(({ origins }) => [...(origins.fields?.keys() ?? [])]));
  const fieldOf = (name: string): Origins => {
    const own = through.map(({ origins }) => fieldOrigins(origins, { name }));
    return {
      all: merge(
        [...own, ...others].map((o) => o.all),
        how,
      ),
      ...(own.some((o) => o.trueAmount === true) ? { trueAmount: true as const } : {}),
    };
  };
  return { all, fields: new Map([...names].map((name) => [name, fieldOf(name)])) };
}

/** What is made of an amount is one where it can be: neither a test of it nor a count of such. */
function ofTrueAmounts(
  parts: readonly { readonly origins: Origins }[],
  type: DataType,
): Pick<Origins, "trueAmount"> | undefined {
  return holdsAmounts(type) && parts.some(({ origins }) => origins.trueAmount === true)
    ? { trueAmount: true }
    : undefined;
}

function holdsAmounts(type: DataType): boolean {
  if (type.kind === "array") return holdsAmounts(type.element);
  if (type.kind === "map") return holdsAmounts(type.value);
  return type.kind === "decimal" || type.kind === "double" || type.kind === "float" || type.kind === "string";
}

/** Of a struct made of values with these names. */
export function structOrigins(names: readonly string[], values: readonly { readonly origins: Origins }[]): Origins {
  const fields = values.map(({ origins }, i) => [(names[i] ?? "").toLowerCase(), origins] as const);
  return {
    all: merge(
      values.map((v) => v.origins.all),
      "computed",
    ),
    fields: new Map(fields),
  };
}

/** Of a field of a struct. */
export function fieldOrigins(origins: Origins, { name, trueAmount }: Pick<Field, "name" | "trueAmount">): Origins {
  const own = origins.fields?.get(name.toLowerCase());
  if (own !== undefined) return own;
  const within = ({ source, key, how }: Origin): Origin => {
    const fields = [...(source.fields ?? []), name];
    return { source: { ...source, fields }, key: key + JSON.stringify(name), how };
  };
  const all = origins.all.map((origin) => (origin.how === "copied" ? within(origin) : origin));
  return trueAmount === true ? { all, trueAmount } : { all };
}

/** What a column of such values is noted with. */
export function markOf({ trueAmount }: Origins): Pick<Field, "trueAmount"> {
  return trueAmount === true ? { trueAmount } : {};
}

/** Of what only decides about a value or about rows. */
export function asInfluence({ all }: Origins): Origins {
  return { all: merge([all], "influence") };
}

/** Of what decides about rows, from all of these. */
export function mergeInfluences(parts: readonly (Origins | undefined)[]): Origins {
  const lists = parts.flatMap((part) => (part === undefined || part.all.length === 0 ? [] : [part.all]));
  return lists.length === 0 ? NO_ORIGINS : { all: merge(lists, "influence") };
}

/** The lineage of a result; `influences` decide about its rows. */
export function toLineage(columns: readonly Origins[], influences: Origins): Lineage {
  const deciding = merge(
    [influences.all, ...columns.map((c) => c.all.filter((o) => o.how === "influence"))],
    "influence",
  );
  const made = columns.flatMap(({ fields }, i) => {
    if (fields === undefined) return [];
    return [[i, Object.fromEntries([...fields].map(([name, origins]) => [name, sourcesOf(origins)]))] as const];
  });
  return {
    columns: columns.map(sourcesOf),
    ...(made.length === 0 ? {} : { fields: Object.fromEntries(made) }),
    influences: deciding.map(({ source }) => source),
  };
}

function sourcesOf({ all }: Origins): ColumnSource[] {
  return all.flatMap(({ source, how }) => (how === "influence" ? [] : [{ ...source, how }]));
}

const STRENGTH = ["influence", "copied", "computed", "aggregated"] as const;

/** Each column once as a part, in the strongest way, and once as what decides. */
function merge(lists: readonly (readonly Origin[])[], least: Origin["how"]): readonly Origin[] {
  const [only, second] = lists;
  if (only !== undefined && second === undefined && only.every((o) => howOf(o, least) === o.how)) return only;
  const parts = new Map<string, Origin>();
  const deciding = new Map<string, Origin>();
  for (const list of lists) {
    for (const origin of list) {
      const how = howOf(origin, least);
      const found = how === "influence" ? deciding : parts;
      const known = found.get(origin.key);
      if (known === undefined || stronger(known.how, how) !== known.how)
        found.set(origin.key, how === origin.how ? origin : { ...origin, how });
    }
  }
  return [...parts.values(), ...deciding.values()];
}

function howOf({ how }: Origin, least: Origin["how"]): Origin["how"] {
  return least === "influence" || how === "influence" ? "influence" : stronger(how, least);
}

function stronger<T extends Origin["how"]>(a: T, b: T): T {
  return STRENGTH.indexOf(a) > STRENGTH.indexOf(b) ? a : b;
}

/** A struct, also within arrays. */
function rowOf(type: DataType): DataType {
  return type.kind === "array" ? rowOf(type.element) : type;
}
