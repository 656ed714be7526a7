import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { installOnce } from "../../scripts/peers.mjs";

const PEERS = new URL("../../scripts/peers.mjs", import.meta.url).href;

describe("installOnce", () => {
  let cache: string;
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), "ingot-cache-"));
    vi.stubEnv("INGOT_CACHE", cache);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(cache, { recursive: true, force: true });
  });

  const write = (text: string) => (draft: string) => writeFile(join(draft, "made"), text);

  it("installs a recipe once, and again when the recipe changes", async () => {
    const folder = await installOnce("tool", "v1", write("first"));
    expect(await installOnce("tool", "v1", write("second"))).toBe(folder);
    expect(await readFile(join(folder, "made"), "utf8")).toBe("first");
    expect(await installOnce("tool", "v2", write("new"))).not.toBe(folder);
  });

  it("gives two installs at once one whole folder", async () => {
    const folders = await Promise.all([installOnce("tool", "v1", write("a")), installOnce("tool", "v1", write("b"))]);
    expect(new Set(folders).size).toBe(1);
    expect(await readdir(cache)).toHaveLength(1);
  });

  it("leaves nothing but a log after a failure", async () => {
    const fail = async () => {
      throw Object.assign(new Error("pip failed (1)"), { output: "no space left" });
    };
    await expect(installOnce("tool", "v1", fail)).rejects.toThrow(
      /pip failed \(1\)\nno space left\nAll of it: .*\.log/,
    );
    expect(await readdir(cache)).toEqual([expect.stringMatching(/^tool-\w+\.log$/)]);
  });

  it("does not take a killed install for a finished one", async () => {
    const script = `import { installOnce } from ${JSON.stringify(PEERS)};
      import { writeFileSync } from "node:fs";
      await installOnce("tool", "v1", (draft) => {
        writeFileSync(draft + "/made", "half");
        process.kill(process.pid, "SIGKILL");
      });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);

    const folder = await installOnce("tool", "v1", write("whole"));
    expect(await readFile(join(folder, "made"), "utf8")).toBe("whole");
  });
});
