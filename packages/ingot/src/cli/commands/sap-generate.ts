import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { IngotError } from "../../model/error.js";
import { faultRates } from "../../sap/generate/faults/rates.js";
import { type Generated, generate } from "../../sap/generate/generate.js";
import type { GenerateOptions } from "../../sap/generate/options.js";
import { FileSink } from "../file-sink.js";
import type { Io } from "../io.js";
import { displayPath } from "../report-error.js";

export interface SapGenerateOptions extends Omit<GenerateOptions, "faults" | "format"> {
  readonly out: string;
  /** As {@link faultRates} reads it. */
  readonly faults: string;
  readonly format: GenerateOptions["format"] | "parquet";
  readonly json?: boolean;
}

/** `ingot sap generate`: synthetic data of an SAP system, into a new folder. Needs no project. */
export async function sapGenerate(
  { out, json, faults, format, ...options }: SapGenerateOptions,
  io: Io,
): Promise<number> {
  const folder = resolve(io.cwd, out);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new IngotError("FOLDER_NOT_EMPTY", `${folder} has files in it`, {
      object: folder,
      hint: "Name a new folder: what is generated would mix with them.",
    });
  const sink = new FileSink(folder);
  const text = format === "parquet" ? "json" : format;
  const made = await generate({ ...options, format: text, faults: faultRates(faults) }, sink);
  sink.flush();
  sink.setTimes(format === "parquet" ? await inParquet(folder, made.times) : made.times);
  if (json === true) {
    const [tables, told] = [Object.fromEntries(made.tables), Object.fromEntries(made.faults)];
    io.stdout.write(`${JSON.stringify({ folder, files: sink.files, tables, faults: told })}\n`);
  } else io.stdout.write(`${summary(made)}${sink.files} files in ${displayPath(folder, io.cwd)}\n`);
  return 0;
}

/** Writes the files anew; gives their times by their new paths. */
async function inParquet(folder: string, times: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
  const { linesToParquet } = await import("../../engine/duckdb/files/lines-to-parquet.js");
  await linesToParquet(folder, times.keys());
  return new Map([...times].map(([path, time]) => [path.replace(/json$/, "parquet"), time]));
}

function summary({ tables, faults }: Generated): string {
  const header = ["table", "initial", "insert", "update", "delete", "truth"] as const;
  const rows = [...tables].map(([name, c]) => [name, c.initial, c.insert, c.update, c.delete, c.truth].map(String));
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ")}\n`;
  const told = [...faults].sort().map(([kind, count]) => `fault ${kind}: ${count}\n`);
  return [...[header, ...rows].map(line), ...told].join("");
}
