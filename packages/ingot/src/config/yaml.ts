import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";
import { IngotError, throwAll } from "../model/error.js";
import { nearest } from "../model/nearest.js";
import type { Position } from "../model/position.js";

/** A map of a spec: values by key, each with its place in the file. */
export interface YamlMap {
  at(key?: string): Position;
  refuseUnknown(known: readonly string[]): void;
  text(key: string): string | undefined;
  /** One of some words. */
  oneOf<const T extends string>(key: string, allowed: readonly T[]): T | undefined;
  /** A whole number. */
  whole(key: string): number | undefined;
  /** A map of texts. */
  texts(key: string): Record<string, string> | undefined;
  /** A map of its own. */
  map(key: string): YamlMap | undefined;
  /** A map of maps. */
  maps(key: string): Readonly<Record<string, YamlMap>> | undefined;
  /** A list whose items the caller reads. */
  items(key: string): readonly { readonly value: unknown; readonly at: Position }[] | undefined;
}

/**
 * Parses a spec's text.
 *
 * @throws IngotError PIPELINE_SPEC_INVALID_YAML with line and column
 */
export function parseYaml(file: string, text: string): YamlMap {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    throw new IngotError("PIPELINE_SPEC_INVALID_YAML", `The spec is not YAML: ${firstLine(error.message)}`, {
      at: place(error.pos[0]),
      hint: "Keys stand at the start of a line, `key: value`; indent with spaces.",
      cause: error,
    });
  }
  if (!isMap(document.contents)) {
    throw new IngotError("PIPELINE_SPEC_INVALID_YAML", "The spec must be a map of keys", {
      at: place(0),
      hint: "Begin with `name: my_pipeline` and `storage: storage`.",
    });
  }
  return yamlMap(document.contents, place, "", 0);
}

/** @param path keys around the map, for messages, each with a dot behind it */
function yamlMap(map: YAMLMap, place: (offset: number) => Position, path: string, start: number): YamlMap {
  const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;
  const keyNode = (key: string) => map.items.find((item) => isScalar(item.key) && item.key.value === key)?.key;
  const at = (key?: string): Position => place(key === undefined ? start : startOf(keyNode(key)));
  const wrong = (key: string, wanted: string) =>
    new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`${path}${key}\` must be ${wanted}`, {
      at: at(key),
      object: `${path}${key}`,
    });
  const text = (key: string): string | undefined => {
    const value = map.get(key);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string") throw wrong(key, "a text (put quotes around numbers and booleans)");
    return value;
  };
  return {
    at,
    text,
    refuseUnknown(known) {
      const unknown = map.items.flatMap((item) => {
        const key = String(isScalar(item.key) ? item.key.value : item.key);
        if (known.includes(key)) return [];
        const near = nearest(key, known);
        return new IngotError("PIPELINE_SPEC_UNEXPECTED_FIELD", `The spec has an unknown key \`${path}${key}\``, {
          at: place(startOf(item.key)),
          object: `${path}${key}`,
          hint: near === undefined ? `Known keys: ${known.join(", ")}.` : `Did you mean \`${near}\`?`,
        });
      });
      throwAll(unknown);
    },
    oneOf(key, allowed) {
      const value = text(key);
      const found = allowed.find((word) => word === value);
      if (value === undefined || found !== undefined) return found;
      const near = nearest(value, allowed);
      throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`${path}${key}\` is ${value}`, {
        at: at(key),
        object: `${path}${key}`,
        hint: near === undefined ? `Write ${allowed.join(" or ")}.` : `Did you mean ${near}?`,
      });
    },
    whole(key) {
      const value = map.get(key);
      if (value === undefined || value === null) return undefined;
      if (!Number.isSafeInteger(value)) throw wrong(key, "a whole number");
      return value as number;
    },
    texts(key) {
      const value = map.get(key);
      if (value === undefined || value === null) return undefined;
      if (!isMap(value)) throw wrong(key, "a map of `key: text`");
      return Object.fromEntries(
        value.items.map((item) => {
          const name = isScalar(item.key) ? String(item.key.value) : String(item.key);
          const text = isScalar(item.value) ? item.value.value : undefined;
          if (typeof text === "string") return [name, text];
          throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`${key}.${name}\` must be a text`, {
            at: place(startOf(item.key)),
            object: `${key}.${name}`,
            hint: text === undefined ? "Write one value." : `Put quotes around it: "${String(text)}".`,
          });
        }),
      );
    },
    map(key) {
      const value = map.get(key);
      if (value === undefined || value === null) return undefined;
      if (!isMap(value)) throw wrong(key, "a map of keys");
      return yamlMap(value, place, `${path}${key}.`, startOf(keyNode(key)));
    },
    maps(key) {
      const value = map.get(key);
      if (value === undefined || value === null) return undefined;
      if (!isMap(value)) throw wrong(key, "a map of maps");
      return Object.fromEntries(
        value.items.map((item) => {
          const name = String(isScalar(item.key) ? item.key.value : item.key);
          const own = `${path}${key}.${name}`;
          if (isMap(item.value)) return [name, yamlMap(item.value, place, `${own}.`, startOf(item.key))];
          throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`${own}\` must be a map of keys`, {
            at: place(startOf(item.key)),
            object: own,
          });
        }),
      );
    },
    items(key) {
      const value = map.get(key);
      if (value === undefined || value === null) return undefined;
      if (!isSeq(value)) throw wrong(key, "a list");
      return value.items.map((item) => ({
        value: (item as Node).toJSON() as unknown,
        at: place(startOf(item)),
      }));
    },
  };
}

function firstLine(message: string): string {
  return (message.split("\n")[0] ?? message).replace(/ at line \d+, column \d+:?$/, "");
}
