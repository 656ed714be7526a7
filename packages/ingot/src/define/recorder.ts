import type * as model from "../model/definition.js";
import type { Scope } from "./scope.js";

type Lists = { -readonly [K in keyof model.Definitions]: model.Definitions[K][number][] };

/** Keeps what is declared: for the scope as a whole, or for a `collect` that is under way. */
export interface Recorder extends Pick<Scope, "collect"> {
  readonly recorded: model.Definitions;
  readonly isCollecting: () => boolean;
  add<K extends keyof model.Definitions>(kind: K, declared: model.Definitions[K][number]): void;
}

export function createRecorder(): Recorder {
  const recorded = emptyLists();
  const collections: Lists[] = [];
  return {
    recorded,
    isCollecting: () => collections.length > 0,
    add(kind, declared) {
      const list: unknown[] = (collections.at(-1) ?? recorded)[kind];
      list.push(declared);
    },
    collect(declare) {
      const lists = emptyLists();
      collections.push(lists);
      try {
        declare();
      } finally {
        collections.pop();
      }
      return lists;
    },
  };
}

function emptyLists(): Lists {
  return { datasets: [], flows: [], externals: [], notices: [] };
}
