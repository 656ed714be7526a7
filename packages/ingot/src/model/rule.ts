import type { Field } from "./data-type.js";
import type { Dataset, ExpectationAction } from "./definition.js";
import type { TableFact } from "./table-fact.js";

/** Stands for a value that no message shows. */
export const MASK = "***";

/** An expectation, typed and lowered. A row for which it is FALSE or NULL fails it. */
export interface RowRule {
  readonly name: string;
  readonly action: ExpectationAction;
  /** DuckDB's text, in which a column stands under its own quoted name; "" where there are `keys`. */
  readonly condition: string;
  /** The same in Spark SQL; absent where there are `keys`. */
  readonly spark?: string;
  /** A row fails where another one of the table, as it is after the step, has the same values of these columns. */
  readonly keys?: readonly string[];
  /** A row fails where `condition` holds with no row of another table, and none of `columns` is NULL. */
  readonly reference?: RuleReference;
  /** What a quarantined row is marked with: the declared status code, else the rule's name. */
  readonly status: string;
  /** Of the condition: another text with the same meaning keeps it. */
  readonly version: string;
}

/** Another table that a rule looks at. */
export interface RuleReference {
  /** Among the inputs of the query. */
  readonly input: string;
  readonly columns: readonly string[];
  /** Its columns, and the names under which they stand in the condition. */
  readonly others: readonly { readonly column: string; readonly as: string }[];
}

/** The rules of one dataset, as they act on the rows of one query. */
export interface RowRules {
  /** The complete name of the dataset that declares them. */
  readonly dataset: string;
  /** In the order of their declaration. */
  readonly rules: readonly RowRule[];
  /** About the table as a whole; where there are none, there is a rule. */
  readonly facts?: readonly TableFact[];
  /** Columns of the dataset that the query lacks: NULL in each of its rows. */
  readonly absent: readonly Field[];
  /** Columns whose values no message shows. */
  readonly sensitive: readonly string[];
  readonly gate?: NonNullable<Dataset["gate"]>;
  /** Where rows of `quarantine` rules go; present where there is such a rule. */
  readonly quarantine?: { readonly name: string; readonly location: string };
}
