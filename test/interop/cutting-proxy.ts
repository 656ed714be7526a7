import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Passes bytes on to a port of this machine, and may cut what is open. */
export interface CuttingProxy {
  readonly port: number;
  /** Connections that were cut. */
  readonly cuts: number;
  close(): void;
}

/**
 * A way to a server that breaks: each of the first `cuts` connections is cut when so many bytes of answers have passed.
 */
export async function startCuttingProxy(target: number, bytes: number, cuts: number): Promise<CuttingProxy> {
  let cut = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    let passed = 0;
    const end = () => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
    };
    open.add(client);
    upstream.on("data", (chunk: Buffer) => {
      passed += chunk.length;
      if (cut < cuts && passed > bytes) {
        cut++;
        return end();
      }
      client.write(chunk);
    });
    client.on("data", (chunk: Buffer) => upstream.write(chunk));
    for (const side of [client, upstream]) side.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cut;
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
