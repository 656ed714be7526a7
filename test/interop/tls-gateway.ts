import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { connect, createSecureServer, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { sparkJars } from "../../scripts/peers.mjs";

/** A gateway before a server on this machine, as clouds have one: TLS in front, plain HTTP/2 behind. */
export interface TlsGateway {
  readonly port: number;
  /** File of its certificate, which nobody else has signed. */
  readonly certificate: string;
  /** Headers of the requests that came. */
  readonly seen: readonly IncomingHttpHeaders[];
  close(): void;
}

export async function startTlsGateway(target: number, folder: string): Promise<TlsGateway> {
  const { pfx, passphrase, certificate } = await makeCertificate(folder);
  const seen: IncomingHttpHeaders[] = [];
  const upstream = connect(`http://127.0.0.1:${target}`);
  const server = createSecureServer({ pfx, passphrase });
  server.on("stream", (stream, headers) => {
    seen.push(headers);
    const { ":authority": _authority, ":scheme": _scheme, ...passed } = headers;
    const request = upstream.request(passed);
    stream.pipe(request);
    request.on("response", (answer) => {
      stream.respond(answer, { waitForTrailers: true });
      request.pipe(stream);
    });
    let trailers: IncomingHttpHeaders = {};
    request.on("trailers", (told) => {
      trailers = told;
    });
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    for (const side of [stream, request]) side.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    certificate,
    seen,
    close() {
      server.close();
      upstream.destroy();
    },
  };
}

/** By the JDK's own tool, which stands beside `java`. */
async function makeCertificate(folder: string) {
  const jars = await sparkJars();
  if ("missing" in jars) throw new Error(jars.missing);
  const [store, certificate, passphrase] = [join(folder, "gateway.p12"), join(folder, "gateway.pem"), "gateway"];
  const keytool = (...args: string[]) =>
    promisify(execFile)(join(dirname(jars.java), "keytool"), [...args, "-keystore", store, "-storepass", passphrase]);
  const name = ["-dname", "CN=gateway", "-ext", "san=ip:127.0.0.1"];
  await keytool("-genkeypair", "-alias", "gateway", "-keyalg", "EC", "-storetype", "PKCS12", ...name);
  await keytool("-exportcert", "-alias", "gateway", "-rfc", "-file", certificate);
  return { pfx: await readFile(store), passphrase, certificate };
}
