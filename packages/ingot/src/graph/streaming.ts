import type { Dataset, Flow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import { positionAt } from "../model/position.js";
import type { Relation } from "../model/query.js";
import { mainQuery } from "./flow-query.js";
import { kindName, readsWhole } from "./graph.js";

/** Spark's rule: each kind of dataset takes streaming or batch queries, never both. */
export function checkFlowKind(dataset: Dataset, flow: Flow, streaming: boolean): IngotError | undefined {
  const name = formatName(dataset.name);
  const fail = (fault: FlowFault, message: string, hint: string) =>
    new IngotError(`INVALID_FLOW_QUERY_TYPE.${fault}`, message, {
      at: positionAt(mainQuery(flow), 0),
      object: name,
      hint,
    });
  if (dataset.kind === "streaming-table") {
    if (readsWhole(flow)) {
      if (!streaming) return undefined;
      return fail(
        "STREAMING_RELATION_FOR_SNAPSHOT_FLOW",
        `The flow ${flow.name} reads a stream, and it takes its whole source each time`,
        "Leave STREAM out: what is compared or computed anew is read as a whole.",
      );
    }
    if (flow.once === true) {
      // A change flow that runs one time may take what a stream has by then: the documented start of a replica.
      if (!streaming || flow.kind === "auto-cdc") return undefined;
      return fail(
        "STREAMING_RELATION_FOR_ONCE_FLOW",
        `The once flow ${flow.name} reads a stream`,
        "Leave STREAM out: a once flow runs a batch query one time.",
      );
    }
    if (streaming) return undefined;
    return fail(
      "BATCH_RELATION_FOR_STREAMING_TABLE",
      `The streaming table ${name} is filled by a batch query`,
      "Write FROM STREAM source, so that each row is read once; or declare a MATERIALIZED VIEW.",
    );
  }
  if (!streaming || dataset.kind === "temporary-view") return undefined;
  return dataset.kind === "view"
    ? fail(
        "STREAMING_RELATION_FOR_PERSISTED_VIEW",
        `The view ${name} reads a stream`,
        "Leave STREAM out, or make it a TEMPORARY VIEW.",
      )
    : fail(
        "STREAMING_RELATION_FOR_MATERIALIZED_VIEW",
        `The materialized view ${name} reads a stream`,
        "Leave STREAM out: it is computed from the whole input; or declare a STREAMING TABLE.",
      );
}

type FlowFault =
  | "BATCH_RELATION_FOR_STREAMING_TABLE"
  | "STREAMING_RELATION_FOR_MATERIALIZED_VIEW"
  | "STREAMING_RELATION_FOR_ONCE_FLOW"
  | "STREAMING_RELATION_FOR_PERSISTED_VIEW"
  | "STREAMING_RELATION_FOR_SNAPSHOT_FLOW";

/** A read must fit what is read: streams from tables that only grow, and from views over streams. */
export function checkRead(relation: Relation, source: Dataset, sourceStreaming: boolean): IngotError | undefined {
  const name = formatName(source.name);
  if (relation.stream) {
    const isFeed = relation.kind !== "files" && relation.options?.changeFeed === true;
    if (source.kind === "streaming-table" || sourceStreaming) return undefined;
    if (isFeed && source.kind === "materialized-view") return undefined;
    return new IngotError(
      "INCOMPATIBLE_STREAMING_VIEW_READ",
      `${name} is read with STREAM, and it is a ${kindName(source)} that is not streaming`,
      {
        at: relation.at,
        object: name,
        hint:
          source.kind === "materialized-view"
            ? "Leave STREAM out, read its change feed WITH (readChangeFeed = true), or the streaming table behind it."
            : "Leave STREAM out, or read the streaming table behind it.",
      },
    );
  }
  if (!sourceStreaming) return undefined;
  return new IngotError("INCOMPATIBLE_BATCH_VIEW_READ", `${name} is a streaming view, and it is read without STREAM`, {
    at: relation.at,
    object: name,
    hint: `Write FROM STREAM ${source.name.table}.`,
  });
}

/** A persisted view outlives the run; a temporary one does not. */
export function checkTemporary(
  relation: Relation,
  source: Dataset,
  reader: Dataset | undefined,
): IngotError | undefined {
  if (reader?.kind !== "view" || source.kind !== "temporary-view") return undefined;
  return new IngotError(
    "INVALID_TEMP_OBJ_REFERENCE",
    `The view ${formatName(reader.name)} reads the temporary view ${source.name.table}`,
    {
      at: relation.at,
      object: formatName(reader.name),
      hint: "Make the reader a TEMPORARY VIEW too, or the source a VIEW.",
    },
  );
}
