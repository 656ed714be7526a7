import type { ColumnDefinition, Dataset } from "../../model/definition.js";
import { IngotError } from "../../model/error.js";
import { nearest } from "../../model/nearest.js";
import { type SqlText, sqlText } from "../../model/position.js";
import type { Property } from "./properties.js";

/** Takes the properties `ingot.<option>` into a dataset. @throws IngotError UNKNOWN_OPTION, BAD_OPTION */
export function applyIngotProperties(dataset: Dataset, properties: readonly Property[]): Dataset {
  const result = properties.reduce(applyProperty, dataset);
  const at = properties.find((p) => p.key.startsWith("ingot.backfill."))?.at ?? dataset.at;
  const { source, chunkBy } = result.backfill ?? { source: sqlText("1"), chunkBy: "1" };
  if (source.text !== "" && chunkBy !== "") return result;
  throw new IngotError("BAD_OPTION", "A backfill needs its source and a column", {
    at,
    hint: "Give both: 'ingot.backfill.source' = 'history', 'ingot.backfill.chunkBy' = 'year'.",
  });
}

/** The options of a dataset that have no clause, as properties `ingot.<option>`. */
export function writeIngotProperties(dataset: Dataset): Record<string, string> {
  return Object.fromEntries(
    OPTIONS.flatMap(({ key, write }) =>
      Object.entries(write(dataset)).flatMap(([part, value]) =>
        value === undefined ? [] : [[key.replace("{}", () => part), String(value)]],
      ),
    ),
  );
}

interface Option {
  /** `{}` stands for a name: of an expectation, a column, a kind of drift. */
  readonly key: string;
  /** The names that there are. */
  readonly parts?: (dataset: Dataset) => readonly string[];
  /** The dataset with the value, or what the option takes when that is none. */
  readonly read: (dataset: Dataset, value: string, part: string, property: Property) => Dataset | string;
  /** The value by part; the part is "" for a key without one. */
  readonly write: (dataset: Dataset) => Readonly<Record<string, string | number | undefined>>;
}

const DRIFT_KINDS = ["added", "removed", "renamed", "widened", "narrowed", "retyped", "keyChanged"];
const DRIFT_ACTIONS = ["ignore", "notify", "add", "quarantine", "stop"];

const OPTIONS: readonly Option[] = [
  {
    key: "ingot.quarantine",
    read: (d, value) => (value.trim() === "" ? "It is a table's name." : { ...d, quarantine: value }),
    write: (d) => ({ "": d.quarantine }),
  },
  {
    key: "ingot.gate.maxFailedShare",
    read: (d, value) => {
      const share = toNumber(value);
      return share <= 1 ? { ...d, gate: { ...d.gate, maxFailedShare: share } } : "It is a share, from 0 to 1.";
    },
    write: (d) => ({ "": d.gate?.maxFailedShare }),
  },
  {
    key: "ingot.gate.maxFailedRows",
    read: (d, value) => {
      const rows = toNumber(value);
      return Number.isSafeInteger(rows) ? { ...d, gate: { ...d.gate, maxFailedRows: rows } } : "It is a whole number.";
    },
    write: (d) => ({ "": d.gate?.maxFailedRows }),
  },
  {
    key: "ingot.drift",
    read: (d, value) => {
      if (typeof d.drift === "object") return "It stands for all kinds: leave out ingot.drift.<kind>.";
      return DRIFT_ACTIONS.includes(value) ? { ...d, drift: value } : `It is ${DRIFT_ACTIONS.join(", ")}.`;
    },
    write: (d) => (typeof d.drift === "string" ? { "": d.drift } : {}),
  },
  {
    key: "ingot.drift.{}",
    parts: () => DRIFT_KINDS,
    read: (d, value, kind) => {
      if (typeof d.drift === "string") return "Leave out ingot.drift, which stands for all kinds.";
      const drift = { ...d.drift, [kind]: value };
      return DRIFT_ACTIONS.includes(value) ? { ...d, drift } : `It is ${DRIFT_ACTIONS.join(", ")}.`;
    },
    write: (d) => (typeof d.drift === "object" ? d.drift : {}),
  },
  {
    key: "ingot.tags",
    read: (d, value) => {
      const tags = readTags(value);
      return tags === undefined ? "It is a list: 'a, b', or a JSON array of strings." : { ...d, tags };
    },
    write: (d) => ({ "": d.tags && writeTags(d.tags) }),
  },
  {
    key: "ingot.backfill.source",
    read: (d, value, _, { at }) => {
      const source: SqlText = { text: value, segments: [{ start: 0, ...at }] };
      return value.trim() === "" ? "It is a relation." : { ...d, backfill: { chunkBy: "", ...d.backfill, source } };
    },
    write: (d) => ({ "": d.backfill?.source.text }),
  },
  {
    key: "ingot.backfill.chunkBy",
    read: (d, value) => ({ ...d, backfill: { source: sqlText(""), ...d.backfill, chunkBy: value } }),
    write: (d) => ({ "": d.backfill?.chunkBy }),
  },
  {
    key: "ingot.dialect",
    read: (d, value) => (value === "duckdb" ? { ...d, dialect: value } : "It is duckdb; without it, Spark SQL."),
    write: (d) => ({ "": d.dialect }),
  },
  expectationOption("status"),
  expectationOption("comment"),
  {
    key: "ingot.column.{}.sensitive",
    parts: (d) => (d.columns ?? []).map((c) => c.name),
    read: (d, value, name) => {
      if (value !== "true" && value !== "false") return "It is true or false.";
      const mark = (c: ColumnDefinition) => (c.name === name ? { ...c, sensitive: value === "true" } : c);
      return { ...d, columns: (d.columns ?? []).map(mark) };
    },
    write: (d) =>
      Object.fromEntries(
        (d.columns ?? []).flatMap((c) => (c.sensitive === undefined ? [] : [[c.name, String(c.sensitive)]])),
      ),
  },
];

function expectationOption(field: "status" | "comment"): Option {
  return {
    key: `ingot.expectation.{}.${field}`,
    parts: (d) => d.expectations.map((e) => e.name),
    read: (d, value, name) => ({
      ...d,
      expectations: d.expectations.map((e) => (e.name === name ? { ...e, [field]: value } : e)),
    }),
    write: (d) => Object.fromEntries(d.expectations.map((e) => [e.name, e[field]])),
  };
}

function applyProperty(dataset: Dataset, property: Property): Dataset {
  const { key, value, at } = property;
  const found = OPTIONS.map((option) => ({ option, part: partOf(option, key) })).find((f) => f.part !== undefined);
  const part = found?.part ?? "";
  const parts = found?.option.parts?.(dataset);
  if (found === undefined || (parts !== undefined && !parts.includes(part))) {
    const near = nearest(parts === undefined ? key : part, parts ?? OPTIONS.map((o) => o.key.replace("{}", "<name>")));
    const known = parts === undefined ? "" : ` There is ${parts.join(", ") || "none declared"}.`;
    throw new IngotError("UNKNOWN_OPTION", `There is no option \`${key}\``, {
      at,
      object: key,
      hint: near === undefined ? `A key that begins with ingot. is an option.${known}` : `Did you mean ${near}?`,
    });
  }
  const result = found.option.read(dataset, value, part, property);
  if (typeof result !== "string") return result;
  throw new IngotError("BAD_OPTION", `The option \`${key}\` cannot be '${value}'`, { at, object: key, hint: result });
}

/** What stands for `{}` in a key of the option, "" for an option without; undefined for another option's key. */
function partOf({ key: pattern }: Option, key: string): string | undefined {
  const [before = "", after] = pattern.split("{}");
  if (after === undefined) return key === pattern ? "" : undefined;
  const fits = key.startsWith(before) && key.endsWith(after) && key.length > before.length + after.length;
  return fits ? key.slice(before.length, key.length - after.length) : undefined;
}

/** A number that is not negative, else NaN. */
function toNumber(text: string): number {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return number >= 0 ? number : Number.NaN;
}

/** `a, b`, or a JSON array where a tag has a comma or begins or ends with a space. */
function readTags(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith("[")) {
    const tags = text.split(",").map((tag) => tag.trim());
    if (tags.length === 1 && tags[0] === "") return [];
    return tags.includes("") ? undefined : tags;
  }
  try {
    const tags: unknown = JSON.parse(text);
    return Array.isArray(tags) && tags.every((tag) => typeof tag === "string") ? tags : undefined;
  } catch {
    return undefined;
  }
}

function writeTags(tags: readonly string[]): string {
  const plain = tags.every((tag) => tag !== "" && tag === tag.trim() && !tag.includes(",") && !tag.startsWith("["));
  return plain ? tags.join(", ") : JSON.stringify(tags);
}
