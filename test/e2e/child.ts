import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome } from "./cli.js";

/** The built command line (`npm run build`). */
export const BIN = fileURLToPath(new URL("../../packages/ingot/bin/ingot.js", import.meta.url));

export interface Child {
  /** Resolves when the process has written the text to stderr; rejects when it ends without. */
  says(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** `signal`: what killed the process, where it did not end by itself. */
  readonly done: Promise<Outcome & { readonly signal: NodeJS.Signals | null }>;
}

/** Starts a program, with its streams caught. */
export function start(program: string, args: readonly string[], cwd: string): Child {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  const waiting = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const look of waiting) look();
  });
  const done: Child["done"] = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: code ?? -1, signal, stdout, stderr }));
  });
  return {
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!stderr.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        done.then(() => reject(new Error(`the process ended without saying "${text}": ${stderr}`)), reject);
      }),
    kill: (signal) => {
      child.kill(signal);
    },
    done,
  };
}

/** Starts the command line in a process of its own. */
export function startIngot(args: readonly string[], cwd: string, nodeOptions: readonly string[] = []): Child {
  return start(process.execPath, [...nodeOptions, BIN, ...args], cwd);
}
