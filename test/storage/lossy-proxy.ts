import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface LossyProxy {
  readonly address: string;
  /** How many requests reached the server though their answer was lost. */
  lost(): number;
}

/** Passes requests on, and loses answers: the server did what it was asked, the client sees its connection break. */
export async function lossyProxy(target: string, loses: (request: IncomingMessage) => boolean): Promise<LossyProxy> {
  let lost = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const onward = request(new URL(target), { method, headers, path: url }, (answer) => {
      if (!loses(incoming)) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      lost += 1;
      answer.resume().on("end", () => incoming.socket.destroy());
    });
    onward.on("error", () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost: () => lost };
}
