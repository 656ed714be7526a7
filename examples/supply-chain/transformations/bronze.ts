import { materializedView, notice, readFiles, sql } from "ingot";
import { optionalColumns } from "../lib/extract";
import { EXTRACTS } from "../lib/fields";
import { pathOf, settings, stateOf } from "../lib/settings";

for (const name of settings.bronze_tables) {
  const state = await stateOf(name);
  const table = `bronze.${name.toLowerCase()}`;
  if (state === "loaded") notice(`${pathOf(name)} is missing: ${table} stays as it was loaded last`, "WARN");
  else if (state === "absent") notice(`${pathOf(name)} is missing: ${table} is left out`, "WARN");
  if (state !== "loaded") bronze(name);
}

/** A full extract takes the place of the one before. */
function bronze(name: string): void {
  const extract = EXTRACTS[name];
  const file = readFiles(pathOf(name), {
    format: "csv",
    header: true,
    cleanColumnNames: true,
    onMissing: "skip",
    options: { multiLine: "true" }, // texts of SAP have line breaks
    ...(extract === undefined ? {} : { schemaHints: optionalColumns(extract) }),
  });
  materializedView(`bronze.${name.toLowerCase()}`, {
    tableProperties: { quality: "bronze" },
    query: sql`
      SELECT *, _metadata.file_modification_time AS dw_load_ts, _metadata.row_number AS _file_row,
        _metadata.file_name AS _file_name
      FROM ${file}`,
  });
}
