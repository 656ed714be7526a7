import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { IngotError } from "../model/error.js";
import { createFile, isErrno, readIfThere } from "./atomic-file.js";

interface Holder {
  readonly pid: number;
  /** Start of the process in clock ticks, where the system tells: a pid alone may be given again. */
  readonly started?: string;
  readonly host: string;
  readonly run: string;
  readonly since: string;
}

/** A holder on another machine is taken for dead when its lock was not touched for this long. */
const STALE_MS = 60_000;
const TOUCH_MS = 10_000;

export interface Lock {
  release(): void;
  /** What was cleaned up, for the event log. */
  readonly recovered?: string;
}

/**
 * One run at a time a pipeline: `<storage>/_lock`. A lock whose process is gone is taken over.
 *
 * @throws IngotError RUN_LOCKED with who holds it
 */
export async function takeLock(storage: string, run: string): Promise<Lock> {
  mkdirSync(storage, { recursive: true });
  const path = join(storage, "_lock");
  const mine: Holder = {
    pid: process.pid,
    ...startOf(process.pid),
    host: hostname(),
    run,
    since: new Date().toISOString(),
  };
  let recovered: string | undefined;
  for (;;) {
    if (await createFile(path, `${JSON.stringify(mine)}\n`)) break;
    const text = await readIfThere(path);
    if (text === undefined) continue;
    const holder = parseHolder(text);
    if (holder !== undefined && !isGone(holder, path)) throw locked(holder, path);
    if (holder !== undefined)
      recovered = `the lock of run ${holder.run} (process ${holder.pid} on ${holder.host}, since ${holder.since}), which is gone`;
    takeAside(path, holder);
  }
  const touch = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The lock only looks old then; the run goes on.
    }
  }, TOUCH_MS);
  touch.unref();
  return {
    ...(recovered === undefined ? {} : { recovered }),
    release() {
      clearInterval(touch);
      if (holderOf(path)?.run === run) rmSync(path, { force: true });
    },
  };
}

/** Removes a dead lock and never a living one: another run may have put its own there since we looked. */
function takeAside(path: string, dead: Holder | undefined): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    if (holderOf(aside)?.run !== dead?.run) linkSync(aside, path);
  } catch (error) {
    if (!isErrno(error, "ENOENT") && !isErrno(error, "EEXIST")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isGone(holder: Holder, path: string): boolean {
  if (holder.host !== hostname()) {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined || Date.now() - stats.mtimeMs > STALE_MS;
  }
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
  const started = startOf(holder.pid).started;
  return started !== undefined && holder.started !== undefined && started !== holder.started;
}

/** Field 22 of /proc/PID/stat; the command in field 2 may hold blanks, so count from its closing bracket. */
function startOf(pid: number): { started?: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return started === undefined ? {} : { started };
  } catch {
    return {};
  }
}

/** Who holds a lock; undefined where it is gone or says nothing. */
function holderOf(path: string): Holder | undefined {
  try {
    return parseHolder(readFileSync(path, "utf8"));
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    return typeof holder.pid === "number" && typeof holder.host === "string" ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

function locked(holder: Holder, path: string): IngotError {
  return new IngotError(
    "RUN_LOCKED",
    `Another run of this pipeline is under way: process ${holder.pid} on ${holder.host}, since ${holder.since}`,
    {
      object: path,
      hint:
        holder.host === hostname()
          ? "Wait for it, or stop it with Ctrl-C where it runs."
          : `Wait for it. If that machine is gone, the lock frees itself ${STALE_MS / 1000} s after its last sign of life.`,
    },
  );
}
