import { stringify } from "yaml";
import type { NameDefaults } from "../../model/name.js";
import { printStatements } from "../../sql/print-statements.js";
import type { Gap } from "./gap.js";
import type { NativeProject } from "./native-definitions.js";

export interface BundleOptions {
  /** Of the pipeline and of the bundle. */
  readonly name: string;
  /** Complete the names of the definitions. */
  readonly defaults: NameDefaults;
  /** Catalog on Databricks; a variable of the bundle. */
  readonly catalog: string;
}

/** The files of a bundle (Databricks Asset Bundles) with one pipeline, by path. */
export function bundleFiles({ parts, gaps }: NativeProject, options: BundleOptions): ReadonlyMap<string, string> {
  const files = new Map([["databricks.yml", bundleYaml(options)]]);
  for (const { dataset, flows } of parts) {
    const { schema, table } = dataset.name;
    const definitions = { datasets: [dataset], flows, externals: [], notices: [] };
    files.set(`transformations/${schema}/${table}.sql`, printStatements(definitions, options.defaults));
  }
  files.set("NOT-NATIVE.md", describeGaps(gaps));
  return files;
}

function bundleYaml({ name, defaults, catalog }: BundleOptions): string {
  const key = name.replace(/[^A-Za-z0-9_]+/g, "_");
  return stringify({
    bundle: { name },
    variables: { catalog: { description: "Unity Catalog that holds the tables", default: catalog } },
    resources: {
      pipelines: {
        [key]: {
          name,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the bundle
          catalog: "${var.catalog}",
          schema: defaults.schema,
          serverless: true,
          libraries: [{ glob: { include: "transformations/**" } }],
        },
      },
    },
    targets: { dev: { mode: "development", default: true } },
  });
}

function describeGaps(gaps: readonly Gap[]): string {
  const lines = gaps.map(({ object, construct, meaning, at }) =>
    [`\`${object}\``, `\`${construct}\``, meaning, `${at.file}:${at.line}`].map(cell).join(" | "),
  );
  const table =
    lines.length === 0
      ? ["Every construct of the project has a native form."]
      : ["| object | construct | without it | place |", "|---|---|---|---|", ...lines.map((line) => `| ${line} |`)];
  return `${[...PREFACE, ...table].join("\n")}\n`;
}

const PREFACE = [
  "# What has no native form",
  "",
  "This bundle was checked against the grammar of Lakeflow pipelines as Ingot knows it. It was not run on Databricks.",
  "",
  "Of all flows: a file whose content came before under another name is loaded again; of events of AUTO CDC with one key",
  "and one sequence any may win; rows are not balanced against the records of their files.",
  "",
];

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s+/g, " ");
}
