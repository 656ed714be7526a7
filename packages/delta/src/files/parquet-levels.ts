import type { SchemaTree } from "hyparquet";
import { isMapLike } from "hyparquet/src/schema.js";

/** The slots of a leaf: one for each row, or for each entry of a list or a map. */
export interface Slots {
  /** Undefined where a slot is not defined to the end. */
  readonly values: unknown[];
  readonly definitionLevels: number[];
  readonly repetitionLevels: number[];
  readonly maxDefinitionLevel: number;
  /** 0 for a leaf within no list and no map. */
  readonly maxRepetitionLevel: number;
}

/** From a value of the schema's tree to one below it. */
interface Step {
  readonly to: "field" | "items" | "keys" | "values";
  /** Of a field. */
  readonly name: string;
  /** Of what may repeat: how many repeat around its entries. */
  readonly repetition: number;
}

/**
 * What a leaf holds in each row, as Parquet counts it (Dremel). hyparquet-writer has its own way; it calls a function for
 * each level of each row and looks at the schema anew there, which takes most of the time for a checkpoint, where most
 * columns are null.
 *
 * @param path from the root of the schema to the leaf; all is OPTIONAL but the parts of lists and the keys of maps
 * @param rows the values of the top-level column: structs and maps as objects, lists as arrays
 */
export function slotsOf(path: readonly SchemaTree[], rows: readonly unknown[]): Slots {
  const steps = stepsOf(path);
  const isRequired = path.at(-1)?.element.repetition_type === "REQUIRED";
  const slots = { values: [] as unknown[], definitionLevels: [] as number[], repetitionLevels: [] as number[] };
  const put = (value: unknown, definition: number, repetition: number): void => {
    slots.values.push(value);
    slots.definitionLevels.push(definition);
    slots.repetitionLevels.push(repetition);
  };
  const descend = (start: unknown, from: number, above: number, repetition: number): void => {
    let [value, level] = [start, above];
    for (let at = from; ; at++) {
      const step = steps[at];
      if (value === null || value === undefined || step === undefined) break;
      level += 1;
      if (step.to === "field") {
        value = (value as Readonly<Record<string, unknown>>)[step.name];
        continue;
      }
      const entries = entriesOf(value, step);
      value = undefined;
      if (entries.length === 0) break;
      for (const [i, entry] of entries.entries())
        descend(entry, at + 1, level + 1, i === 0 ? repetition : step.repetition);
      return;
    }
    put(value, isRequired || value === null || value === undefined ? level : level + 1, repetition);
  };
  for (const row of rows) descend(row, 0, 0, 0);
  const repeats = steps.filter(({ to }) => to !== "field").length;
  const maxDefinitionLevel = steps.length + repeats + (isRequired ? 0 : 1);
  return { ...slots, maxDefinitionLevel, maxRepetitionLevel: repeats };
}

function stepsOf(path: readonly SchemaTree[]): Step[] {
  const steps: Step[] = [];
  let repetition = 0;
  for (let at = 1; at + 1 < path.length; at++) {
    const [node, child, below] = [path[at], path[at + 1], path[at + 2]];
    if (child?.element.repetition_type !== "REPEATED") {
      steps.push({ to: "field", name: child?.element.name ?? "", repetition });
      continue;
    }
    repetition += 1;
    const entry = below === node?.children[0]?.children[0] ? "keys" : "values";
    steps.push({ to: node !== undefined && isMapLike(node) ? entry : "items", name: "", repetition });
    at += 1;
  }
  return steps;
}

function entriesOf(value: unknown, { to }: Step): readonly unknown[] {
  if (to === "items") return value as readonly unknown[];
  return to === "keys" ? Object.keys(value as object) : Object.values(value as object);
}
