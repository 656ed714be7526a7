import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open, readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { localStore } from "../store/local-store.js";
import { describeStore } from "../testing/store-contract.js";
import { temporaryFolder } from "../testing/test-log.js";
import { buildProgram, runCommand } from "../testing/test-process.js";

describeStore("localStore", async () => ({ store: localStore, root: await temporaryFolder() }), { manyFiles: 300 });

describe("list", () => {
  it("tells files from folders, and is empty for a folder that is not there", async () => {
    const folder = await temporaryFolder();
    await localStore.putIfAbsent(`${folder}/a/b.txt`, "ä");
    expect(await localStore.list(folder)).toEqual([
      { name: "a", kind: "folder", size: 0, modified: expect.any(Number) },
    ]);
    expect(await localStore.list(`${folder}/a`)).toMatchObject([{ name: "b.txt", kind: "file", size: 2 }]);
    expect(await localStore.list(`${folder}/absent`)).toEqual([]);
    await expect(localStore.list(`${folder}/a/b.txt`)).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});

describe("putIfAbsent", () => {
  it("creates the file whole, once, and leaves nothing else", async () => {
    const folder = `${await temporaryFolder()}/x/y`;
    expect(await localStore.putIfAbsent(`${folder}/f`, "first")).toBe(true);
    expect(await localStore.putIfAbsent(`${folder}/f`, "second")).toBe(false);
    expect(await readFile(`${folder}/f`, "utf8")).toBe("first");
    expect(await readdir(folder)).toEqual(["f"]);
  });

  it("lets exactly one of many win", async () => {
    const folder = await temporaryFolder();
    const contents = Array.from({ length: 20 }, (_, index) => `${index}`);
    const won = await Promise.all(contents.map((content) => localStore.putIfAbsent(`${folder}/f`, content)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await readFile(`${folder}/f`, "utf8")).toBe(contents[won.indexOf(true)]);
    expect(await readdir(folder)).toEqual(["f"]);
  });

  it("has succeeded once the file has its name, though the folder cannot be synced then", async () => {
    const folder = await temporaryFolder();
    const handle = await open(folder);
    await handle.close();
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    const sync = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
      if ((await this.stat()).isDirectory()) throw Object.assign(new Error("EIO"), { code: "EIO" });
    });
    onTestFinished(() => sync.mockRestore());
    expect(await localStore.putIfAbsent(`${folder}/f`, "x")).toBe(true);
    expect(sync).toHaveBeenCalledTimes(2);
    expect(await readdir(folder)).toEqual(["f"]);
  });

  it("fails where the folder cannot be made", async () => {
    const folder = await temporaryFolder();
    await writeFile(`${folder}/file`, "");
    await expect(localStore.putIfAbsent(`${folder}/file/f`, "x")).rejects.toThrow();
  });

  it.skipIf(!canMount())("leaves nothing behind on a full disk", async () => {
    const folder = await temporaryFolder();
    const program = await buildProgram(
      folder,
      `import { readdirSync } from "node:fs";
       import { localStore } from "../store/local-store.js";
       const disk = process.argv[2];
       const error = await localStore.putIfAbsent(disk + "/log/f", "x".repeat(1_000_000)).catch((e) => e.code);
       const small = await localStore.putIfAbsent(disk + "/log/f", "x");
       console.log(JSON.stringify([error, small, readdirSync(disk + "/log")]));`,
    );
    const script = 'mount -t tmpfs -o size=64k none "$1" && exec "$2" "$3" "$1"';
    const disk = await temporaryFolder();
    const output = await runCommand("unshare", ["-rm", "sh", "-c", script, "sh", disk, process.execPath, program]);
    expect(JSON.parse(output)).toEqual(["ENOSPC", true, ["f"]]);
  });
});

describe("a process that is killed while it writes", () => {
  it("leaves each file as it was before or after, and stands in nobody's way", async () => {
    const folder = await temporaryFolder();
    // Every content is 400,000 times one letter; `new-…` files are created, `same` is replaced.
    const program = await buildProgram(
      folder,
      `import { localStore } from "../store/local-store.js";
       const [, , folder, round] = process.argv;
       console.log("ready");
       for (let turn = 0; ; turn++) {
         const content = String.fromCharCode(97 + (turn % 26)).repeat(400_000);
         await Promise.all([
           localStore.put(folder + "/same", content),
           localStore.putIfAbsent(folder + "/new-" + round + "-" + turn, content),
         ]);
       }`,
    );
    const table = `${folder}/table`;
    await localStore.put(`${table}/same`, "z".repeat(400_000));
    for (let round = 0; round < 8; round++) {
      const child = spawn(process.execPath, [program, table, `${round}`], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, 5 + round * 4));
      child.kill("SIGKILL");
      await once(child, "exit");
      for (const name of await readdir(table)) {
        if (name.endsWith(".tmp")) continue;
        const content = await readFile(`${table}/${name}`, "latin1");
        expect([name, content.length, new Set(content).size]).toEqual([name, 400_000, 1]);
      }
    }
    const names = await readdir(table);
    expect(names.filter((name) => name.startsWith("new-")).length).toBeGreaterThan(0);
    await localStore.put(`${table}/same`, "next");
    expect(await readFile(`${table}/same`, "utf8")).toBe("next");
  });
});

/** A small disk of its own needs user namespaces, which not every machine allows. */
function canMount(): boolean {
  try {
    execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
