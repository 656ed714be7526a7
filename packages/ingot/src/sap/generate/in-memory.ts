import { faultRates } from "./faults/rates.js";
import { type Generated, generate } from "./generate.js";
import { GENERATE_DEFAULTS, type GenerateOptions, type Sink } from "./options.js";

/** What is generated; all have defaults, as those of `ingot sap generate`. */
export interface SapDataOptions extends Partial<Omit<GenerateOptions, "faults">> {
  /** `none`, `default`, or kinds with their share of rows: `late=0.05,duplicate`. */
  readonly faults?: string;
}

export interface SapData extends Generated {
  /** Files that are no text in UTF-8, by their paths: those of the fault `foreign_encoding`, which `files` has not. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  /** The text of each file, by its path: `initial/VBAK.csv`, `cdc/VBAK/00001.csv`, `truth/VBAK.csv`, `faults.jsonl`. */
  readonly files: ReadonlyMap<string, string>;
}

/** Generates into memory. @throws IngotError SAP_TABLE_NOT_FOUND, USAGE */
export async function generateInMemory({ faults = "none", ...options }: SapDataOptions = {}): Promise<SapData> {
  const texts = new Map<string, string[]>();
  const foreign = new Set<string>();
  const append: Sink["append"] = (path, text, encoding) => {
    const known = texts.get(path);
    if (known === undefined) texts.set(path, [text]);
    else known.push(text);
    if (encoding !== undefined) foreign.add(path);
  };
  const made = await generate({ ...GENERATE_DEFAULTS, ...options, faults: faultRates(faults) }, { append });
  const whole = [...texts].map(([path, parts]) => [path, parts.join("")] as const);
  return {
    ...made,
    files: new Map(whole.filter(([path]) => !foreign.has(path))),
    bytes: new Map(whole.flatMap(([path, text]) => (foreign.has(path) ? [[path, Buffer.from(text, "latin1")]] : []))),
  };
}
