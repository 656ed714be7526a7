import { describe } from "vitest";
import { deltalake, sail, sparkJars } from "../../scripts/peers.mjs";

const PEERS = { deltalake, sail, spark: sparkJars };

type Describe = (title: string, body: () => void) => void;

/**
 * `describe` for tests that need these peers, installing them if need be. Where one is missing the tests are skipped and
 * the title says why; on CI (`CI` is set) that is an error, so that no gate passes by skipping.
 */
export async function describeWith(...names: (keyof typeof PEERS)[]): Promise<Describe> {
  for (const name of names) {
    const peer = await PEERS[name]();
    if (!("missing" in peer)) continue;
    if (process.env["CI"]) throw new Error(`CI needs the peer ${name}: ${peer.missing}`);
    return (title, body) => {
      describe.skip(`${title} [no ${name}: ${peer.missing}]`, body);
    };
  }
  return describe;
}
