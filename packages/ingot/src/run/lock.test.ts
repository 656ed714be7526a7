import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { watchSyncs } from "../engine/test-syncs.js";
import { rejected } from "../graph/test-builders.js";
import { takeLock } from "./lock.js";

const SINCE = "2026-10-01T00:00:00.000Z";

/** A storage whose lock another run holds. */
function heldBy(holder: object, ageMs = 0): string {
  const storage = writeProject({ _lock: JSON.stringify({ run: "other", since: SINCE, ...holder }) });
  const then = new Date(Date.now() - ageMs);
  utimesSync(join(storage, "_lock"), then, then);
  return storage;
}

/** Of a process that has ended. */
const deadPid = () => Number(execFileSync(process.execPath, ["-e", "console.log(process.pid)"], { encoding: "utf8" }));

describe("takeLock", () => {
  it("lets one of many takers win; the others learn who holds it", async () => {
    const storage = writeProject({});
    const takers = ["a", "b", "c", "d"].map((run) => takeLock(storage, run));
    const results = await Promise.allSettled(takers);
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "fulfilled") continue;
      expect(result.reason).toMatchObject({ code: "RUN_LOCKED", exitCode: 7, object: join(storage, "_lock") });
      expect(result.reason.message).toContain(`process ${process.pid} on ${hostname()}, since 20`);
    }
  });

  it("is free again after its release", async () => {
    const storage = writeProject({});
    (await takeLock(storage, "a")).release();
    expect(existsSync(join(storage, "_lock"))).toBe(false);
    const again = await takeLock(storage, "b");
    expect(again.recovered).toBeUndefined();
    again.release();
  });

  it("makes the storage where it is not there", async () => {
    const storage = join(writeProject({}), "deep/state");
    (await takeLock(storage, "a")).release();
    expect(existsSync(storage)).toBe(true);
  });

  it("makes the name of the storage outlive a power cut, though someone else made the folder", async () => {
    const root = writeProject({ "storage/_events/x": "" });
    const wasSynced = await watchSyncs();
    (await takeLock(join(root, "storage"), "a")).release();
    expect(wasSynced(root)).toBe(true);
  });

  it("takes over the lock of a process that is gone, and says so", async () => {
    const pid = deadPid();
    const lock = await takeLock(heldBy({ pid, host: hostname() }), "a");
    expect(lock.recovered).toBe(
      `the lock of run other (process ${pid} on ${hostname()}, since ${SINCE}), which is gone`,
    );
    lock.release();
  });

  it.runIf(existsSync("/proc/self/stat"))(
    "takes over a lock whose process id was given to another process",
    async () => {
      const lock = await takeLock(heldBy({ pid: process.pid, started: "1", host: hostname() }), "a");
      expect(lock.recovered).toContain("run other");
      lock.release();
    },
  );

  it("respects another machine while it shows signs of life", async () => {
    const error = await rejected(takeLock(heldBy({ pid: 1, host: "elsewhere" }, 30_000), "a"));
    expect(error).toMatchObject({ code: "RUN_LOCKED" });
    expect(error.hint).toContain("60 s after its last sign of life");
  });

  it("takes over from a machine that shows none for a minute", async () => {
    const lock = await takeLock(heldBy({ pid: process.pid, host: "elsewhere" }, 61_000), "a");
    expect(lock.recovered).toContain("on elsewhere");
    lock.release();
  });

  it.each(["", "{", "null", "[]"])("takes over a lock that names nobody: %j", async (text) => {
    (await takeLock(writeProject({ _lock: text }), "a")).release();
  });

  /** A dead lock that another run has begun to take over. */
  function claimedBy(holder: object): string {
    const storage = heldBy({ pid: deadPid(), host: hostname() });
    const lock = join(storage, "_lock");
    const digest = createHash("sha256").update(readFileSync(lock)).digest("hex").slice(0, 16);
    writeFileSync(`${lock}.${digest}`, JSON.stringify({ run: "third", since: SINCE, ...holder }));
    return storage;
  }

  it("leaves a dead lock to the living process that is taking it over", async () => {
    const error = await rejected(takeLock(claimedBy({ pid: process.pid, host: hostname() }), "a"));
    expect(error).toMatchObject({ code: "RUN_LOCKED" });
  });

  it("takes over a dead lock also where the one before died while it did so", async () => {
    const storage = claimedBy({ pid: deadPid(), host: hostname() });
    const lock = await takeLock(storage, "a");
    expect(lock.recovered).toContain("run other");
    expect(readdirSync(storage)).toEqual(["_lock"]);
    lock.release();
  });

  it("releases only its own", async () => {
    const storage = writeProject({});
    const lock = await takeLock(storage, "a");
    const theirs = JSON.stringify({ pid: 1, host: "elsewhere", run: "b", since: SINCE });
    writeFileSync(join(storage, "_lock"), theirs);
    lock.release();
    expect(readFileSync(join(storage, "_lock"), "utf8")).toBe(theirs);
  });

  it("does not mind when someone took its file away", async () => {
    const storage = writeProject({});
    const lock = await takeLock(storage, "a");
    rmSync(join(storage, "_lock"));
    expect(() => lock.release()).not.toThrow();
  });
});
