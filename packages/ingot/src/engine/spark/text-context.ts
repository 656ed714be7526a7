import type { Store } from "@ingot/delta";
import { quoteIdentifier } from "../../model/name.js";
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

  constructor(store: Store, existing?: string, names: Record<string, Relation> = {}) {
    this.store = store;
    this.existing = existing;
    this.names = names;
  }

  /** Of the views that the query reads, beside whose rows the table keeps none. */
  below(): TextContext {
    return new TextContext(this.store, undefined, this.names);
  }

  /** SQL of a relation that is given beside the text. */
  name(relation: Relation): string {
    const name = `__ingot_rows_${Object.keys(this.names).length}`;
    this.names[name] = relation;
    return quoteIdentifier(name);
  }
}
