import { SourceMap, type SourceMapPayload } from "node:module";
import { resolve } from "node:path";
import type { Position } from "../model/position.js";
import { withoutPrefix } from "./bundle.js";
import { type Frame, framesAbove, parseStack } from "./call-site.js";
import type { Callee, Places, TemplatePlaces } from "./scope.js";
import { createSourceText, type SourceText } from "./source-text.js";

/** Places in the files of a bundle, found through its source map. */
export interface BundlePlaces extends Places {
  /** Where an error was thrown: the innermost place in a file of the project. */
  thrownAt(error: unknown): Position | undefined;
  /** The file whose top level runs, innermost first, as the stack tells. */
  topLevel(callee: Callee): string | undefined;
}

/**
 * @param path where the bundle lies while it is imported
 * @param sources texts of the bundled files by absolute path
 */
export function createBundlePlaces(
  bundle: { readonly path: string; readonly map: string },
  root: string,
  sources: ReadonlyMap<string, string>,
): BundlePlaces {
  const map = new SourceMap(JSON.parse(bundle.map) as SourceMapPayload);
  const origins = new Map<string, Position | undefined>();
  const texts = new Map<string, SourceText>();
  const templates = new WeakMap<TemplateStringsArray, TemplatePlaces>();
  const unknown: Position = { file: root, line: 1, column: 1 };

  const origin = (frame: Frame): Position | undefined => {
    if (frame.file !== bundle.path) return undefined;
    const key = `${frame.line}:${frame.column}`;
    if (!origins.has(key)) origins.set(key, findOrigin(frame));
    return origins.get(key);
  };
  const findOrigin = ({ line, column }: Frame): Position | undefined => {
    const entry = map.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry)) return undefined;
    const file = resolve(root, entry.originalSource);
    const text = sources.get(file);
    if (text === undefined) return undefined;
    return withoutPrefix({ file, line: entry.originalLine + 1, column: entry.originalColumn + 1 }, text);
  };
  const firstOrigin = (frames: readonly Frame[]): Position | undefined => {
    for (const frame of frames) {
      const at = origin(frame);
      if (at !== undefined) return at;
    }
    return undefined;
  };
  const textOf = (file: string): SourceText => {
    const text = texts.get(file) ?? createSourceText(file, sources.get(file) ?? "");
    texts.set(file, text);
    return text;
  };

  const callSite = (callee: Callee): Position => firstOrigin(framesAbove(callee)) ?? unknown;
  return {
    callSite,
    template(strings, callee) {
      const known = templates.get(strings);
      if (known !== undefined) return known;
      const at = callSite(callee);
      const places = textOf(at.file).templateAt(at, strings.raw) ?? {
        chunks: strings.raw.map(() => at),
        values: strings.raw.slice(1).map(() => at),
      };
      templates.set(strings, places);
      return places;
    },
    literal: (text, call) => textOf(call.file).literalAt(call, text) ?? call,
    thrownAt: (error) => firstOrigin(parseStack((error as { readonly stack?: unknown } | undefined)?.stack)),
    topLevel(callee) {
      for (const { file, caller } of framesAbove(callee)) {
        // esbuild names the function that runs a file's top level by the file's path.
        const path = resolve(root, caller);
        if (file === bundle.path && caller !== "" && sources.has(path)) return path;
      }
      return undefined;
    },
  };
}
