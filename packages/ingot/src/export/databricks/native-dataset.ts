import type { Dataset, Expectation } from "../../model/definition.js";
import type { Gap } from "./gap.js";

type Option = keyof Dataset & ("quarantine" | "gate" | "drift" | "backfill" | "location");

const OPTIONS: Readonly<Record<Option, string>> = {
  quarantine: "Rows that fail are kept in no other table.",
  gate: "However many rows fail, the dataset is published.",
  drift: "Changes of columns in its sources are neither told nor stopped.",
  backfill: "Its history is not loaded in chunks.",
  location: "The catalog says where the table lies.",
};

/** A dataset as a pipeline of Databricks can declare it, and what that leaves out. */
export function nativeDataset(dataset: Dataset): {
  readonly dataset: Dataset;
  readonly gaps: readonly Omit<Gap, "object">[];
} {
  const { quarantine: _q, gate: _g, drift: _d, backfill: _b, location: _l, columns, ...kept } = dataset;
  const options = (Object.keys(OPTIONS) as Option[]).filter((option) => dataset[option] !== undefined);
  const marked = columns?.filter(({ sensitive }) => sensitive === true) ?? [];
  const rules = dataset.expectations.filter(({ wholeTable }) => wholeTable !== true);
  const whole = dataset.expectations.filter(({ wholeTable }) => wholeTable === true);
  const lost = rules.filter(({ action }) => action === "quarantine").map(({ name }) => name);
  return {
    dataset: {
      ...kept,
      expectations: rules.map(nativeExpectation),
      ...(columns === undefined ? {} : { columns: columns.map(({ sensitive: _, ...column }) => column) }),
    },
    gaps: [
      ...options.map((option) => ({ construct: option, meaning: OPTIONS[option], at: dataset.at })),
      ...marked.map(({ name }) => ({
        construct: `sensitive column ${name}`,
        meaning: "Its values may stand in messages; mask it in the catalog.",
        at: dataset.at,
      })),
      ...whole.map(({ name, condition, at }) => ({
        construct: `expectation ${name}: ${condition.text}`,
        meaning: "It looks at the whole table, and is not checked there.",
        at,
      })),
      ...(lost.length === 0
        ? []
        : [
            {
              construct: `ON VIOLATION QUARANTINE ROW of ${lost.join(", ")}`,
              meaning: "DROP ROW stands in its place: such rows are lost.",
              at: dataset.at,
            },
          ]),
    ],
  };
}

function nativeExpectation({ name, condition, at, action }: Expectation): Expectation {
  return { name, condition, at, action: action === "quarantine" ? "drop" : action };
}
