import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { AlertTarget } from "../../config/alerts.js";
import { postJson } from "../delivery/post-json.js";

/** The world that messages go into. */
export interface SendContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: () => Date;
}

/**
 * Tells one receiver one message.
 *
 * @throws Error that says why it could not be told, and names neither address nor key
 */
export async function sendAlert(
  target: AlertTarget,
  body: string,
  context: SendContext,
  signal: AbortSignal,
): Promise<void> {
  switch (target.kind) {
    case "webhook":
      return post(target, body, context, signal);
    case "command":
      return runCommand(target, body, signal);
    case "file":
      await mkdir(dirname(target.path), { recursive: true });
      return appendFile(target.path, `${body}\n`);
  }
}

/**
 * The signature of a message: HMAC SHA-256 of the timestamp, a dot and the body, as hex. A receiver computes the same and
 * refuses what is old, so that nobody can send it again.
 *
 * @param timestamp seconds since 1970
 */
export function sign(secret: string, timestamp: number, body: string): string {
  return `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

function post(
  { url, secret }: AlertTarget & { readonly kind: "webhook" },
  body: string,
  { env, clock }: SendContext,
  signal: AbortSignal,
): Promise<void> {
  const timestamp = Math.floor(clock().getTime() / 1000);
  const signature = sign(env[secret] ?? "", timestamp, body);
  return postJson(url, body, { "ingot-timestamp": String(timestamp), "ingot-signature": signature }, signal);
}

/** The message comes on its standard input. */
function runCommand(
  { command, folder }: AlertTarget & { readonly kind: "command" },
  body: string,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd: folder, stdio: ["pipe", "ignore", "ignore"], detached: true });
    const stop = (): void => {
      // The shell's children too: the group has the shell's id.
      if (child.pid !== undefined) killGroup(child.pid);
      reject(new Error("no end in time"));
    };
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", (error) => reject(new Error("code" in error ? String(error.code) : "cannot be started")));
    child.on("close", (code) => {
      signal.removeEventListener("abort", stop);
      if (code === 0) resolve();
      else reject(new Error(`exit code ${code}`));
    });
    // A command that reads nothing closes its input early.
    child.stdin.on("error", () => {});
    child.stdin.end(body);
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
