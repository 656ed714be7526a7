import { copyNumber } from "./json-number.js";
import { type Json, printJson } from "./json-value.js";

/** Each element of an array. */
const EACH = Symbol("each");
/** A step of a path: a field's name, an element's place, or each element. */
export type JsonStep = string | number | typeof EACH;

/** `$.a.b[0]['c'].x[*]`; undefined for no path of Spark, and for one with a star for a field, which finds nothing. */
export function readPath(path: string): readonly JsonStep[] | undefined {
  if (!path.startsWith("$")) return undefined;
  const steps: JsonStep[] = [];
  for (let rest = path.slice(1); rest !== ""; ) {
    const [whole, name, index, quoted, each] =
      /^(?:\.([^.[*][^.[]*)|\[([0-9]+)\]|\['([^'?*]+)'\]|(\[\*\]))/.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    if (each !== undefined) steps.push(EACH);
    else steps.push(index === undefined ? (name ?? quoted ?? "") : Number(index));
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** The text at a path; undefined where there is none. */
export function followPath(value: Json, steps: readonly JsonStep[]): string | undefined {
  const { written, found } = walk(value, steps, "raw");
  return found ? written.join("") : undefined;
}

/** How a value is written: a text bare, each value as JSON, or the elements of arrays without their arrays. */
type Style = "raw" | "quoted" | "flat";

interface Walk {
  readonly written: readonly string[];
  readonly found: boolean;
}
const NOTHING: Walk = { written: [], found: false };

/** Where arrays meet, as Hive has it (`GetJsonObjectEvaluator`). */
function walk(value: Json, steps: readonly JsonStep[], style: Style): Walk {
  const [step, ...rest] = steps;
  if (step === undefined) return write(value, style);
  if (typeof step === "number") {
    const item = value.kind === "array" ? value.items[step] : undefined;
    return item === undefined ? NOTHING : walk(item, rest, rest[0] === EACH ? "quoted" : style);
  }
  if (step === EACH) return value.kind === "array" ? walkElements(value.items, rest, style) : NOTHING;
  return value.kind === "object" ? walkFields(value.fields, step, rest, style) : NOTHING;
}

/** The first field that gives something. */
function walkFields(
  fields: readonly (readonly [string, Json])[],
  step: string,
  rest: readonly JsonStep[],
  style: Style,
): Walk {
  for (const [name, field] of fields) {
    if (name !== step || field.kind === "null") continue;
    const result = walk(field, rest, style);
    if (result.found) return result;
  }
  return NOTHING;
}

function walkElements(items: readonly Json[], rest: readonly JsonStep[], style: Style): Walk {
  const isDouble = rest[0] === EACH;
  const own = isDouble || style === "flat" ? "flat" : "quoted";
  const results = items.map((item) => walk(item, isDouble ? rest.slice(1) : rest, own));
  const all = results.flatMap((r) => r.written).join(",");
  const count = results.filter((r) => r.found).length;
  if (isDouble || style === "quoted") return { written: [`[${all}]`], found: count > 0 };
  // One alone stands without its array.
  return { written: count === 0 ? [] : [count === 1 ? all : `[${all}]`], found: count > 0 };
}

function write(value: Json, style: Style): Walk {
  if (style === "raw" && value.kind === "string") return { written: [value.text], found: true };
  if (style !== "flat" || value.kind !== "array") return { written: [printJson(value, copyNumber)], found: true };
  const results = value.items.map((item) => write(item, style));
  return { written: results.flatMap((r) => r.written), found: results.some((r) => r.found) };
}
