// Installs the dependencies when they are missing or older than the lock file. Everything else of the repository's
// scripts may import packages; this file and its callers may not, since it runs before there are any.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Ingot needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

export function ensureInstalled() {
  const installed = `${root}node_modules/.package-lock.json`;
  const lock = `${root}package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  console.error("Installing dependencies (npm ci) …");
  run("npm", ["ci"], { stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
}

/** Runs a program to its end; its failure is this process's. */
export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: "inherit", ...options });
  if (error !== undefined) console.error(`${program} cannot be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
