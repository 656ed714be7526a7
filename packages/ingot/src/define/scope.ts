import type * as model from "../model/definition.js";
import type { IngotError } from "../model/error.js";
import type { NameDefaults } from "../model/name.js";
import type { Position } from "../model/position.js";

/** What the functions of the API work for: a load of a project, or nothing ("outside"). */
export interface Scope {
  /** Catalog and schema that complete shorter names. */
  readonly defaults: NameDefaults;
  readonly places: Places;
  /** The project's settings and files; outside a load there are none. */
  readonly project?: ProjectInputs;
  /** Raises an error: thrown at once, or kept, so that a load tells all of its errors together. */
  report(error: IngotError): void;
  /** Takes what a call declares. */
  declare<K extends keyof model.Definitions>(kind: K, declared: model.Definitions[K][number]): void;
  /** Runs `declare` and gives what it declared, which nobody else gets. */
  collect(declare: () => void): model.Definitions;
}

/** A function of the API, whose caller's place is asked for. */
export type Callee = (...args: never[]) => unknown;

/** Where the user's code stands. */
export interface Places {
  callSite(callee: Callee): Position;
  template(strings: TemplateStringsArray, callee: Callee): TemplatePlaces;
  /** Where a literal of exactly this text stands within the call at `call`; the call itself when it cannot be told. */
  literal(text: string, call: Position): Position;
}

export interface TemplatePlaces {
  /** The first character of each piece of text; one more than there are values. */
  readonly chunks: readonly Position[];
  /** The first character of the expression in each `${}`. */
  readonly values: readonly Position[];
}

export interface ProjectInputs {
  readonly configuration: Readonly<Record<string, string>>;
  /** Remembers that a key was asked for, and gives its value. */
  readKey(key: string): string | undefined;
  /** `at` is the call that asks, for errors. */
  readText(path: string, at: Position): Promise<string>;
  exists(path: string, at: Position): Promise<boolean>;
  /** Paths relative to the spec's folder, sorted, with `/`. */
  list(glob: string, at: Position): Promise<readonly string[]>;
}
