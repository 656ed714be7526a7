import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OpenLineageSpec } from "../../config/openlineage.js";
import type { Graph } from "../../graph/graph.js";
import { IngotError } from "../../model/error.js";
import type { EventLevel, RunEvent } from "../../model/event.js";
import { Courier, type Patience } from "../delivery/courier.js";
import { postJson } from "../delivery/post-json.js";
import { lineageEvents } from "./lineage-events.js";

const RECEIVER = "openlineage";

/** A listener of a run that tells it in the form of OpenLineage. */
export interface LineageListener {
  begin(tell: (level: EventLevel, message: string) => void): void;
  readonly listen: (event: RunEvent) => void;
  close(): Promise<void>;
}

/**
 * Tells a run to a file, one event a line, or to a server; what that does not take waits in `<storage>/_openlineage` for
 * the next run.
 *
 * @throws IngotError CONFIG_MISSING for a token that the environment lacks
 */
export function openLineage(
  { namespace, target }: OpenLineageSpec,
  project: { readonly graph: Graph; readonly root: string; readonly storage: string },
  env: Readonly<Record<string, string | undefined>>,
  patience?: Patience,
): LineageListener {
  const toLineage = lineageEvents({ ...project, namespace });
  if (target.kind === "file") {
    mkdirSync(dirname(target.path), { recursive: true });
    return {
      begin() {},
      listen(event) {
        const lineage = toLineage(event);
        if (lineage !== undefined) appendFileSync(target.path, `${JSON.stringify(lineage)}\n`);
      },
      close: () => Promise.resolve(),
    };
  }
  const headers = authorization(target.token, env);
  const courier = new Courier(
    new Map([[RECEIVER, ({ body }, signal) => postJson(target.url, body, headers, signal)]]),
    join(project.storage, "_openlineage"),
    patience,
  );
  return {
    begin: (tell) =>
      courier.begin({
        delivered() {},
        left: (_, messages, why) =>
          tell("WARN", `OpenLineage could not be told: ${why}; ${messages} events wait for the next run.`),
      }),
    listen(event) {
      const lineage = toLineage(event);
      const { id, timestamp } = event;
      if (lineage !== undefined) courier.send(RECEIVER, { id, timestamp, body: JSON.stringify(lineage) });
    },
    close: () => courier.close(),
  };
}

function authorization(
  variable: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  if (variable === undefined) return {};
  const token = env[variable] ?? "";
  if (token !== "") return { authorization: `Bearer ${token}` };
  throw new IngotError("CONFIG_MISSING", `\`openlineage\` needs the environment variable ${variable}`, {
    object: variable,
    hint: "Set it to the token of the server.",
  });
}
