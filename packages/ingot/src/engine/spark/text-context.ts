import type { Store } from "@ingot/delta";
import { quoteIdentifier } from "../../model/name.js";
import type { BoundQuery } from "../engine.js";
import type { Relation } from "./connect/relations.js";

/** A statement for Spark, and the relations that it names. */
export interface SparkText {
  readonly text: string;
  readonly names: Readonly<Record<string, Relation>>;
}

/** What the text of queries needs: where logs lie, and a place for relations that have no SQL. */
export class TextContext {
  readonly store: Store;
  readonly names: Record<string, Relation>;
  /** SQL of the rows that a table keeps beside those of a query, for its rules; undefined for none. */
  readonly existing: string | undefined;

  /** Queries whose rows are counted under their rules while they pass, each with the name of the observation. */
  readonly observed: ReadonlyMap<BoundQuery, string>;

  constructor(
    store: Store,
    existing?: string,
    names: Record<string, Relation> = {},
    observed: ReadonlyMap<BoundQuery, string> = new Map(),
  ) {
    this.store = store;
    this.existing = existing;
    this.names = names;
    this.observed = observed;
  }

  /** Of the views that the query reads, beside whose rows the table keeps none. */
  below(): TextContext {
    return new TextContext(this.store, undefined, this.names, this.observed);
  }

  /** For a text that is evaluated once, in which rows are counted. */
  observing(observed: ReadonlyMap<BoundQuery, string>): TextContext {
    return new TextContext(this.store, this.existing, this.names, observed);
  }

  /** SQL of a relation that is given beside the text. */
  name(relation: Relation): string {
    const name = `__ingot_rows_${Object.keys(this.names).length}`;
    this.names[name] = relation;
    return quoteIdentifier(name);
  }
}
