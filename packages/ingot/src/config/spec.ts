import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { IngotError, throwAll } from "../model/error.js";
import { type AlertSpec, readAlerts } from "./alerts.js";
import { definitionFiles } from "./definition-files.js";
import { type ExtractSpec, readExtracts } from "./extracts.js";
import { resolveLocation } from "./location.js";
import { type OpenLineageSpec, readOpenLineage } from "./openlineage.js";
import { readSources, type SourceSpec } from "./sources.js";
import { parseYaml, type YamlMap } from "./yaml.js";

/** The spec of a project, checked and resolved. All paths are absolute. */
export interface Spec {
  readonly file: string;
  /** Folder of the spec: relative paths of definitions start here. */
  readonly root: string;
  readonly name: string;
  /** Identity of the pipeline as owner of its tables, where the spec fixes one; else it is made at the first run. */
  readonly id?: string;
  /** Checkpoints and state. */
  readonly storage: string;
  /** Tables of the default catalog, one folder a table: `<warehouse>/<schema>/<table>`. */
  readonly warehouse: string;
  readonly catalog: string;
  readonly schema: string;
  readonly configuration: Readonly<Record<string, string>>;
  /** Other catalogs by lower-case name, each with its warehouse. */
  readonly catalogs: Readonly<Record<string, string>>;
  /** The SAP systems that files and tables come from. */
  readonly sources: readonly SourceSpec[];
  /** The sets of OData services whose rows land as files. */
  readonly extracts: readonly ExtractSpec[];
  /** Who is told when something goes wrong. */
  readonly alerts: readonly AlertSpec[];
  /** Who is told of runs and lineage in the form of OpenLineage. */
  readonly openLineage?: OpenLineageSpec;
  /** Definitions files, `.sql` and `.ts`, sorted. */
  readonly definitionFiles: readonly string[];
}

/** Spark's own. */
const DEFAULT_CATALOG = "spark_catalog";

const SPARK_KEYS = ["name", "storage", "catalog", "database", "schema", "configuration", "libraries"];
const OUR_KEYS = [...SPARK_KEYS, "id", "warehouse", "catalogs", "sources", "extracts", "alerts", "openlineage"];

/**
 * Reads a spec. `ingot.yml` takes Spark's keys and ours; `spark-pipeline.yml` takes Spark's alone.
 *
 * @param overrides `--set key=value`: wins over `configuration`
 * @throws IngotError PIPELINE_SPEC_… with file, line and column; all faults of a file at once
 */
export async function readSpec(file: string, overrides: Readonly<Record<string, string>> = {}): Promise<Spec> {
  const root = dirname(file);
  const map = parseYaml(file, await readFile(file, "utf8"));
  const errors: IngotError[] = [];
  const guard = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof IngotError)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  guard(() => map.refuseUnknown(basename(file).startsWith("spark-") ? SPARK_KEYS : OUR_KEYS));
  const name = guard(() => notEmpty(map, "name", required(map, "name")));
  const storage = guard(() => location(map, "storage", root, required(map, "storage")));
  const warehouse = guard(() => location(map, "warehouse", root, map.text("warehouse")));
  const catalog = guard(() => notEmpty(map, "catalog", map.text("catalog")));
  const schema = guard(() => oneOf(map, "schema", "database"));
  const id = guard(() => notEmpty(map, "id", map.text("id")));
  const configuration = guard(() => map.texts("configuration"));
  const catalogs = guard(() => catalogFolders(map, root));
  const sources = guard(() => readSources(map, root));
  const extracts = guard(() => readExtracts(map, root));
  const alerts = guard(() => readAlerts(map, root));
  const openLineage = guard(() => readOpenLineage(map, root, name ?? ""));
  const files = guard(() => definitionFiles(map, root));
  throwAll(errors);
  if (name === undefined || storage === undefined) throw new Error("unreachable: checked above");
  return {
    file,
    root,
    name,
    ...(id === undefined ? {} : { id }),
    storage,
    warehouse: warehouse ?? join(storage, "warehouse"),
    catalog: catalog ?? DEFAULT_CATALOG,
    schema: schema ?? "default",
    configuration: { ...configuration, ...overrides },
    catalogs: catalogs ?? {},
    sources: sources ?? [],
    extracts: extracts ?? [],
    alerts: alerts ?? [],
    ...(openLineage === undefined ? {} : { openLineage }),
    definitionFiles: files ?? [],
  };
}

function required(map: YamlMap, key: string): string {
  const value = map.text(key);
  if (value !== undefined) return value;
  throw new IngotError("PIPELINE_SPEC_MISSING_REQUIRED_FIELD", `The spec lacks \`${key}\``, {
    at: map.at(),
    object: key,
    hint:
      key === "storage" ? "Add `storage: storage`: a folder for checkpoints, state and tables." : `Add \`${key}: …\`.`,
  });
}

function location(map: YamlMap, key: string, root: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : resolveLocation(text, root, key, map.at(key));
}

function oneOf(map: YamlMap, key: string, alias: string): string | undefined {
  const [value, other] = [map.text(key), map.text(alias)];
  if (value !== undefined && other !== undefined) {
    throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`${alias}\` is another word for \`${key}\`: give one`, {
      at: map.at(alias),
    });
  }
  return notEmpty(map, value === undefined ? alias : key, value ?? other);
}

function notEmpty(map: YamlMap, key: string, value: string | undefined): string | undefined {
  if (value !== "") return value;
  throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`${key}\` is empty`, {
    at: map.at(key),
    object: key,
    hint: "Write a name, or leave the key out.",
  });
}

function catalogFolders(map: YamlMap, root: string): Record<string, string> {
  const folders: Record<string, string> = {};
  for (const [name, text] of Object.entries(map.texts("catalogs") ?? {})) {
    const key = name.toLowerCase();
    const own = key === (map.text("catalog") ?? DEFAULT_CATALOG).toLowerCase();
    if (own || Object.hasOwn(folders, key)) {
      const why = own ? "is the catalog of the pipeline itself" : "is there twice (names are compared without case)";
      throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`catalogs.${name}\` ${why}`, {
        at: map.at("catalogs"),
        object: `catalogs.${name}`,
        hint: own ? "Its folder is `warehouse`: write it there." : "Keep one of them.",
      });
    }
    folders[key] = resolveLocation(text, root, `catalogs.${name}`, map.at("catalogs"));
  }
  return folders;
}
