import { config, fileExists, readJson } from "ingot";

interface Settings {
  readonly bronze_tables: readonly string[];
  /** The folder of the extracts, one `<TABLE>.csv` each. */
  readonly bronze_source_relative_path: string;
}

export const settings = await readJson<Settings>(config("config_path"));

export const pathOf = (name: string) => `${settings.bronze_source_relative_path}/${name}.csv`;

/**
 * `delivered`: its file is there. `loaded`: it is not, but what was loaded last is, and goes on to count. `absent`: there is
 * nothing, and never was.
 */
export async function stateOf(name: string): Promise<"delivered" | "loaded" | "absent"> {
  if (settings.bronze_tables.includes(name) && (await fileExists(pathOf(name)))) return "delivered";
  return (await fileExists(`${config("bronze_folder")}/${name.toLowerCase()}`)) ? "loaded" : "absent";
}

/** Whether there are rows of all these extracts. */
export async function areThere(names: readonly string[]): Promise<boolean> {
  const states = await Promise.all(names.map(stateOf));
  return !states.includes("absent");
}
