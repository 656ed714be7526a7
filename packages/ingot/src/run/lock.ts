import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { syncFolder } from "../engine/durable-files.js";
import { IngotError } from "../model/error.js";
import { createFile, isErrno, readIfThere, replaceFile } from "./atomic-file.js";

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
 * @param other what holds it where it is held
 * @throws IngotError RUN_LOCKED with who holds it
 */
export async function takeLock(storage: string, run: string, other = "Another run of this pipeline"): Promise<Lock> {
  const path = join(storage, "_lock");
  const mine: Holder = {
    pid: process.pid,
    ...startOf(process.pid),
    host: hostname(),
    run,
    since: new Date().toISOString(),
  };
  const dead = await take(path, `${JSON.stringify(mine)}\n`, other);
  // A cache or an event log may have made the storage just now, and a power cut must not take the checkpoints with it.
  // Who may not list the folder around it cannot sync it.
  await syncFolder(dirname(storage)).catch(() => undefined);
  const touch = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // The lock only looks old then; the run goes on.
    }
  }, TOUCH_MS);
  touch.unref();
  return {
    ...(dead === undefined ? {} : { recovered: describe(dead) }),
    release() {
      clearInterval(touch);
      if (holderOf(path)?.run === run) rmSync(path, { force: true });
    },
  };
}

/**
 * Puts a lock file in place, by the link that only one can make, or over the file of a dead holder, which it gives.
 *
 * Of several that find one dead lock only the holder of a claim may replace it. The claim is a lock like any other,
 * `<path>.<digest of the dead lock>`, so one whose holder died is taken over in the same way. Under the claim the dead
 * lock cannot change, and once replaced it never comes back: who comes late with a claim for it finds another text.
 *
 * @throws IngotError RUN_LOCKED where a living process holds the lock, or is taking it over
 */
async function take(path: string, mine: string, other: string): Promise<Holder | undefined> {
  for (;;) {
    if (await createFile(path, mine)) return undefined;
    const found = await readIfThere(path);
    if (found === undefined) continue;
    refuseLiving(found, path, other);
    const claim = `${path}.${createHash("sha256").update(found).digest("hex").slice(0, 16)}`;
    await take(claim, mine, other);
    try {
      if ((await readIfThere(path)) !== found) continue;
      // A holder on another machine may have given a sign of life since.
      refuseLiving(found, path, other);
      await replaceFile(path, mine);
      return parseHolder(found);
    } finally {
      rmSync(claim, { force: true });
    }
  }
}

function refuseLiving(text: string, path: string, other: string): void {
  const holder = parseHolder(text);
  if (holder !== undefined && !isGone(holder, path)) throw locked(holder, path, other);
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

function describe({ run, pid, host, since }: Holder): string {
  return `the lock of run ${run} (process ${pid} on ${host}, since ${since}), which is gone`;
}

function locked(holder: Holder, path: string, other: string): IngotError {
  return new IngotError(
    "RUN_LOCKED",
    `${other} is under way: process ${holder.pid} on ${holder.host}, since ${holder.since}`,
    {
      object: path,
      hint:
        holder.host === hostname()
          ? "Wait for it, or stop it with Ctrl-C where it runs."
          : `Wait for it. If that machine is gone, the lock frees itself ${STALE_MS / 1000} s after its last sign of life.`,
    },
  );
}
