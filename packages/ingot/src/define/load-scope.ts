import { relative } from "node:path";
import type * as model from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName, type NameDefaults, nameKey } from "../model/name.js";
import type { BundlePlaces } from "./bundle-places.js";
import { createRecorder } from "./recorder.js";
import type { ProjectInputs, Scope } from "./scope.js";

/** The scope of one load: it has a life, and what is declared after its end is refused. */
export interface LoadScope extends Scope {
  readonly errors: readonly IngotError[];
  /** The top level of a file begins and ends. */
  enter(file: string): void;
  leave(file: string): void;
  /** A definitions file is done, or has failed: none of its top levels runs any more. */
  leaveAll(): void;
  end(): model.Definitions;
}

export interface LoadScopeOptions {
  readonly root: string;
  readonly defaults: NameDefaults;
  readonly places: BundlePlaces;
  readonly project: ProjectInputs;
  /** Files that may declare. */
  readonly definitionFiles: ReadonlySet<string>;
}

export function createLoadScope({ root, defaults, places, project, definitionFiles }: LoadScopeOptions): LoadScope {
  const recorder = createRecorder();
  const errors: IngotError[] = [];
  const seen = new Set<string>();
  const running: string[] = [];
  let ended = false;

  const report = (error: IngotError): void => {
    if (ended) throw error;
    const { file, line, column } = error.at ?? { file: "", line: 0, column: 0 };
    const key = [error.code, file, line, column, error.message].join("\n");
    if (!seen.has(key)) errors.push(error);
    seen.add(key);
  };

  /** The file that declares: the one whose top level runs, by the stack where several are under way. */
  const declaringFile = (): string | undefined => {
    if (running.length < 2) return running[0];
    const file = places.topLevel(declare);
    return file !== undefined && running.includes(file) ? file : running.at(-1);
  };

  const declare: Scope["declare"] = (kind, declared) => {
    if (recorder.isCollecting()) {
      recorder.add(kind, declared);
      return;
    }
    const file = declaringFile();
    if (file === undefined) report(declaredLate(declared));
    else if ((kind === "datasets" || kind === "flows") && !definitionFiles.has(file)) {
      report(declaredOutside(declared, relative(root, file)));
    }
    recorder.add(kind, declared);
  };

  return {
    defaults,
    places,
    project,
    report,
    declare,
    collect: recorder.collect,
    errors,
    enter(file) {
      running.push(file);
    },
    leave(file) {
      const index = running.lastIndexOf(file);
      if (index !== -1) running.splice(index, 1);
    },
    leaveAll() {
      running.length = 0;
    },
    end() {
      ended = true;
      return { ...recorder.recorded, externals: distinctExternals(recorder.recorded.externals) };
    },
  };
}

type Declared = model.Definitions[keyof model.Definitions][number];

/** A dataset and its own query are told as one. */
function labelOf(declared: Declared): string {
  if (!("name" in declared)) return "A notice";
  if (!("target" in declared)) return formatName(declared.name);
  const { name, target } = declared;
  return name === target.table ? formatName(target) : `The flow ${name}`;
}

function declaredLate(declared: Declared): IngotError {
  return new IngotError("DECLARED_AFTER_LOAD", `${labelOf(declared)} is declared after the top level of its file`, {
    at: declared.at,
    hint: "Await whatever it waits for at the file's top level: `await` may stand there.",
  });
}

function declaredOutside(declared: Declared, file: string): IngotError {
  const label = labelOf(declared);
  return new IngotError("DECLARED_OUTSIDE_LIBRARIES", `${label} is declared by ${file}, which is no definitions file`, {
    at: declared.at,
    hint: "Export a function that declares it, and call that from a definitions file; or name the file under `libraries`.",
  });
}

/** Many files may name one table of another pipeline; saying the same twice is once. */
function distinctExternals(externals: readonly model.ExternalTable[]): model.ExternalTable[] {
  const distinct = new Map<string, model.ExternalTable>();
  for (const external of externals) {
    const key = JSON.stringify([nameKey(external.name), external.path, external.schema]);
    if (!distinct.has(key)) distinct.set(key, external);
  }
  return [...distinct.values()];
}
