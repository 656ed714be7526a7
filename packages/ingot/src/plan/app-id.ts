import { folderName } from "../graph/places.js";
import type { Flow } from "../model/definition.js";

/** What the `txn.appId` of all generations of a flow begins with. Names are compared without case, and hold slashes. */
export function appPrefix(flow: Flow): string {
  return `ingot/${folderName(flow.name)}/`;
}

/** The folder name of the flow whose batches a `txn.appId` counts; undefined for another writer's. */
export function flowOfApp(appId: string): string | undefined {
  return /^ingot\/([^/]+)\/[^/]+$/.exec(appId)?.[1];
}
