import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ExtractSpec } from "../../config/extracts.js";
import { findSpec } from "../../config/find-spec.js";
import { readSpec, type Spec } from "../../config/spec.js";
import { eventLog } from "../../listen/event-log.js";
import { IngotError, throwAll } from "../../model/error.js";
import type { RunEvent } from "../../model/event.js";
import { nearest } from "../../model/nearest.js";
import { createEmitter, type Emitter } from "../../run/emitter.js";
import { type Extracted, type ExtractInput, type ExtractOptions, extract } from "../../run/extract/extract.js";
import type { KeyColumns } from "../../run/extract/row-key.js";
import { toIngotError } from "../../run/failure.js";
import { openDictionary } from "../../sap/dictionary/dictionary.js";
import { clientOf, keyOf } from "../../sap/dictionary/table.js";
import { openLogin } from "../../sources/odata/login.js";
import { loadDictionary } from "../../sources/sap/load-source.js";
import type { Io, ProjectOptions } from "../io.js";
import { findSource, findTable } from "./sap-dictionary.js";

export interface ExtractCommandOptions extends ProjectOptions, ExtractOptions {}

/** `ingot extract [NAME…]`: lands the rows of OData services as files, one extract after the other. */
export async function extractCommand(
  names: readonly string[],
  { full, restart, fromToken, ...options }: ExtractCommandOptions,
  io: Io,
): Promise<number> {
  const spec = await readSpec(findSpec({ ...options, cwd: io.cwd }), options.set);
  const chosen = chosenExtracts(spec, names);
  const given: ExtractOptions = {
    ...(full === undefined ? {} : { full }),
    ...(restart === undefined ? {} : { restart }),
    ...(fromToken === undefined ? {} : { fromToken }),
  };
  if (fromToken !== undefined && chosen.length !== 1)
    throw new IngotError("USAGE", "A token is of one extract", {
      hint: "Name it: ingot extract orders --from-token …",
    });
  const runId = randomUUID();
  const inputs = await Promise.all(chosen.map((one) => openInput(spec, one, runId, io)));
  const stop = new AbortController();
  const listening = io.onInterrupt(() => stop.abort());
  const emitter = createEmitter(spec.name, runId, io.clock, [screen(io), eventLog(spec.storage, runId, io.clock())]);
  emitter.started("extract", io.user);
  const [done, errors]: [Extracted[], IngotError[]] = [[], []];
  try {
    for (const input of inputs) {
      const result = await extractOne(input, given, { emitter, signal: stop.signal, io });
      if (result instanceof IngotError) errors.push(result);
      else {
        done.push(result);
        if (options.json !== true) io.stdout.write(resultLine(result));
      }
      if (stop.signal.aborted) break;
    }
  } finally {
    listening();
  }
  const [first] = errors;
  emitter.run(
    first === undefined ? "COMPLETED" : stop.signal.aborted ? "CANCELED" : "FAILED",
    first === undefined ? {} : { error: first },
  );
  if (options.json === true && errors.length === 0) io.stdout.write(`${JSON.stringify({ extracts: done })}\n`);
  throwAll(errors);
  return 0;
}

/** Those that are named; else all. @throws IngotError UNKNOWN_EXTRACT */
function chosenExtracts({ extracts, file }: Spec, names: readonly string[]): readonly ExtractSpec[] {
  const known = extracts.map(({ name }) => name);
  if (extracts.length === 0)
    throw new IngotError("UNKNOWN_EXTRACT", `${file} declares no extract`, {
      hint: "Declare one in the spec, under `extracts`.",
    });
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    throw new IngotError("UNKNOWN_EXTRACT", `The spec declares no extract ${unknown}`, {
      object: unknown,
      hint: near === undefined ? `It declares ${known.join(", ")}.` : `Did you mean ${near}?`,
    });
  }
  return names.length === 0 ? extracts : extracts.filter(({ name }) => names.includes(name));
}

/** @throws IngotError CONFIG_MISSING, SAP_SOURCE_NOT_FOUND, SAP_TABLE_NOT_FOUND */
async function openInput(spec: Spec, one: ExtractSpec, runId: string, io: Io): Promise<ExtractInput> {
  const { root, storage } = spec;
  return { spec: one, key: await keyOfExtract(spec, one), login: openLogin(one, io.env, fetch), root, storage, runId };
}

async function keyOfExtract(spec: Spec, { key, source }: ExtractSpec): Promise<KeyColumns> {
  if ("columns" in key) return key;
  const found = findSource(spec, source);
  const dictionary = found === undefined ? await openDictionary("ecc") : await loadDictionary(found);
  const table = findTable(dictionary, key.table);
  const client = clientOf(table);
  return { columns: keyOf(table), ...(client === undefined ? {} : { client }) };
}

interface Around {
  readonly emitter: Emitter;
  readonly signal: AbortSignal;
  readonly io: Io;
}

/** An extract that fails does not stop the others. */
async function extractOne(
  input: ExtractInput,
  options: ExtractOptions,
  { emitter, signal, io }: Around,
): Promise<Extracted | IngotError> {
  try {
    const result = await extract(input, options, {
      fetch,
      sleep: (ms, until) => sleep(ms, undefined, { signal: until }),
      random: Math.random,
      clock: io.clock,
      signal,
      tell: emitter.notice,
    });
    const { name, rows, gone, token } = result;
    const behind = token === undefined ? "" : `; goes on at ${token}`;
    emitter.notice("INFO", `${name}: ${rows + gone} rows have landed${behind}.`, { extract: name, ...result });
    return result;
  } catch (error) {
    const known = toIngotError(error);
    emitter.notice("ERROR", `${input.spec.name}: ${known.message}`, { extract: input.spec.name, code: known.code });
    return known;
  }
}

/** Warnings, and what was given by hand; results and errors are told by themselves. */
function screen(io: Io): (event: RunEvent) => void {
  return ({ event_type: type, level, message, details }) => {
    const isResult = "notice" in details && "rows" in details.notice;
    if (type !== "notice" || level === "ERROR" || isResult) return;
    io.stderr.write(`${level === "WARN" ? "warning: " : ""}${message}\n`);
  };
}

function resultLine({
  name,
  kind,
  rows,
  gone,
  pages,
  requests,
  retries,
  bytes,
  seconds,
  token,
  files,
}: Extracted): string {
  const landed = kind === "load" ? "loaded" : rows === 0 ? "nothing new" : "changes";
  const counts = [
    counted(rows, "row"),
    ...(gone === 0 ? [] : [`${counted(gone, "key")} gone`]),
    counted(pages, "page"),
    counted(requests, "request"),
    ...(retries === 0 ? [] : [counted(retries, "retry", "retries")]),
    `${(bytes / 1e6).toFixed(1)} MB`,
    `${seconds.toFixed(1)} s`,
    counted(files.length, "file"),
  ];
  return `${name}: ${landed}: ${counts.join(", ")}${token === undefined ? "" : `; token ${token}`}\n`;
}

function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
