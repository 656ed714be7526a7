import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { findSpec } from "../../config/find-spec.js";
import { readSpec } from "../../config/spec.js";
import { eventFolder, startOf } from "../../listen/event-log.js";
import { IngotError } from "../../model/error.js";
import type { EventLevel, RunEvent } from "../../model/event.js";
import { coloursFor } from "../colour.js";
import type { Io, ProjectOptions } from "../io.js";
import { formatEvent } from "../reporters/plain-lines.js";

export interface EventsOptions extends ProjectOptions {
  readonly level?: string;
  /** Last part of its name, or the whole. */
  readonly dataset?: string;
  /** The id of a run, or what it begins with; absent: the newest one. */
  readonly run?: string;
  readonly all?: boolean;
  readonly follow?: boolean;
}

const LEVELS: readonly EventLevel[] = ["INFO", "WARN", "ERROR"];
const LOOK_MS = 200;

/** `ingot events`: what happened in a run, or what is happening; as lines, or with `--json` one event a line. */
export async function events(options: EventsOptions, io: Io): Promise<number> {
  const spec = await readSpec(findSpec({ ...options, cwd: io.cwd }), options.set);
  const folder = eventFolder(spec.storage);
  const level = levelOf(options.level);
  const wanted = (event: RunEvent): boolean =>
    LEVELS.indexOf(event.level) >= LEVELS.indexOf(level) &&
    (options.dataset === undefined || isOf(event.origin.dataset_name, options.dataset));
  const colours = coloursFor(io.stdout, io.env);
  const print = (event: RunEvent): void => {
    if (wanted(event))
      io.stdout.write(options.json === true ? `${JSON.stringify(event)}\n` : `${formatEvent(event, colours)}\n`);
  };
  const files = await eventFiles(folder);
  const told = options.all === true ? files : filesOf(files, options.run);
  if (told.length === 0 && options.follow !== true)
    throw new IngotError(
      "UNKNOWN_SELECTION",
      options.run === undefined ? "No run has told anything yet" : `No run is called ${options.run}`,
      {
        hint:
          files.length === 0
            ? "Run the project first: ingot run"
            : "ingot events --all tells the events of all runs, with their ids by --json.",
      },
    );
  const places = new Map<string, number>();
  for (const file of told) await read(folder, file, places, print);
  if (options.follow !== true) return 0;
  const stopped = new AbortController();
  const unlisten = io.onInterrupt(() => stopped.abort());
  // Those that were there and are not told are over.
  const over = new Set(files.filter((file) => !told.includes(file)));
  while (!stopped.signal.aborted) {
    for (const file of await eventFiles(folder)) if (!over.has(file)) await read(folder, file, places, print);
    await pause(stopped.signal);
  }
  unlisten();
  return 0;
}

function levelOf(text = "INFO"): EventLevel {
  const level = LEVELS.find((one) => one === text.toUpperCase());
  if (level !== undefined) return level;
  throw new IngotError("USAGE", `There is no level ${text}`, {
    hint: `Levels are ${LEVELS.join(", ")}: each with those behind it.`,
  });
}

function isOf(dataset: string | undefined, name: string): boolean {
  const known = dataset?.toLowerCase();
  return known === name.toLowerCase() || known?.endsWith(`.${name.toLowerCase()}`) === true;
}

/** In the order of the runs. */
async function eventFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => startOf(name) !== undefined).sort();
}

function filesOf(files: readonly string[], run: string | undefined): string[] {
  return run === undefined ? files.slice(-1) : files.filter((file) => file.slice(25).startsWith(run));
}

/** The events of a file behind those that were read before. */
async function read(
  folder: string,
  file: string,
  places: Map<string, number>,
  print: (event: RunEvent) => void,
): Promise<void> {
  const handle = await open(join(folder, file), "r");
  try {
    const from = places.get(file) ?? 0;
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    // A line without its end is still being written.
    const end = buffer.lastIndexOf("\n") + 1;
    for (const line of buffer.subarray(0, end).toString("utf8").split("\n")) if (line !== "") print(JSON.parse(line));
    places.set(file, from + end);
  } finally {
    await handle.close();
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LOOK_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
