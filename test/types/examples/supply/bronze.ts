import { config, fileExists, materializedView, notice, readFiles, readJson, sql } from "ingot";

interface Settings {
  bronze_tables: string[];
  bronze_source_relative_path: string;
}
const settings = await readJson<Settings>(config("config_path"));

for (const name of settings.bronze_tables) {
  const path = `${settings.bronze_source_relative_path}/${name}.csv`;
  if (await fileExists(path)) bronze(name, path);
  else notice(`${path} is missing: bronze.${name.toLowerCase()} is left out`, "WARN");
}

export function bronze(name: string, path: string) {
  // A full extract replaces the one before: a batch read. Files that pile up: table(…) and FROM STREAM.
  return materializedView(`bronze.${name.toLowerCase()}`, {
    tableProperties: { quality: "bronze" },
    query: sql`
      SELECT *, current_timestamp() AS dw_load_ts
      FROM ${readFiles(path, { format: "csv", header: true, cleanColumnNames: true })}`,
  });
}
