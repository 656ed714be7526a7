import type { ChangeFormatName } from "../changes/formats.js";
import type { Release } from "../conventions.js";
import type { FaultRates } from "./faults/kinds.js";
import type { TextFormatName } from "./text-format.js";
import type { ScaleName } from "./volumes.js";

/** What is generated. The same options give the same bytes everywhere. */
export interface GenerateOptions {
  readonly seed: string;
  /** A name, or about how many lines of accounting documents there are. */
  readonly scale: ScaleName | number;
  readonly release: Release;
  /** Of the same document numbers and other content; all but the first have a tenth of the volume. */
  readonly clients: readonly [string, ...string[]];
  /** The first day of the changes, YYYY-MM-DD. */
  readonly start: string;
  /** Days of history before it; default: by the scale. */
  readonly history?: number;
  /** Rows that change in a day, in all tables together, written or not; default: by the scale. */
  readonly changesPerDay?: number;
  readonly days: number;
  /** Deliveries of changes in all. */
  readonly batches: number;
  /** Tables that are written; default: all. */
  readonly tables?: readonly string[];
  readonly changes: ChangeFormatName;
  /** Whether ODQ and 0RECORDMODE rows bear the producer's sequence. */
  readonly sequence: boolean;
  readonly format: TextFormatName;
  readonly faults: FaultRates;
}

/** One day in 24 deliveries. */
export const GENERATE_DEFAULTS = {
  seed: "1",
  scale: "tiny",
  release: "ecc",
  clients: ["100"],
  start: "2025-01-01",
  days: 1,
  batches: 24,
  changes: "odq",
  sequence: true,
  format: "csv",
  faults: new Map(),
} as const satisfies GenerateOptions;

/** Where files go: texts of a file come in order, those of several files mixed. */
export interface Sink {
  /** @param encoding of the text; default: UTF-8 */
  append(path: string, text: string, encoding?: "windows-1252"): void;
}
