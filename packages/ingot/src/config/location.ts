import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { IngotError } from "../model/error.js";
import type { Position } from "../model/position.js";

/**
 * The folder that a location of the spec means: a path beside the spec, an absolute path or a `file:` URI.
 *
 * @throws IngotError PIPELINE_STORAGE_ROOT_INVALID for an empty text or another scheme
 */
export function resolveLocation(text: string, root: string, key: string, at?: Position): string {
  const place = at === undefined ? {} : { at };
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "file") {
    const unusable = (cause?: unknown) =>
      new IngotError("PIPELINE_STORAGE_ROOT_INVALID", `\`${key}\` is no usable file URI: ${text}`, {
        hint: "Write it as file:///absolute/path, or as a path beside the spec.",
        cause,
        ...place,
      });
    // A URI has no folder to start from: `file:data` would silently become /data.
    if (!/^file:\//i.test(text)) throw unusable();
    try {
      return resolve(fileURLToPath(text));
    } catch (cause) {
      throw unusable(cause);
    }
  }
  if (scheme !== undefined) {
    throw new IngotError(
      "PIPELINE_STORAGE_ROOT_INVALID",
      `\`${key}\` uses ${scheme}:, and only local folders work now`,
      {
        hint: "Use a path beside the spec, an absolute path or file:///….",
        ...place,
      },
    );
  }
  if (text.trim() === "") {
    throw new IngotError("PIPELINE_STORAGE_ROOT_INVALID", `\`${key}\` is empty`, {
      hint: "Write a path beside the spec, such as `storage`.",
      ...place,
    });
  }
  return isAbsolute(text) ? resolve(text) : resolve(root, text);
}
