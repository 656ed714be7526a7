import type { Dataset, Flow } from "../../model/definition.js";
import type { NameDefaults } from "../../model/name.js";

/** What one statement of a pipeline file says. */
export type Statement =
  | { readonly kind: "declare"; readonly datasets: readonly Dataset[]; readonly flows: readonly Flow[] }
  | { readonly kind: "set"; readonly key: string; readonly value: string }
  | { readonly kind: "use"; readonly defaults: NameDefaults };
