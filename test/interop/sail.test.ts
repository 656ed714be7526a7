import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { sail } from "../../scripts/peers.mjs";
import { LANDING, projectMaker, refusal, storedFiles } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { freePort, untilOpen } from "./spark-server.js";

const describeSail = await describeWith("sail");

describeSail("Sail, which speaks Spark Connect and writes Delta tables", () => {
  const project = projectMaker();

  it("is refused when the session is opened, and nothing is written", async () => {
    const peer = await sail();
    if ("missing" in peer) throw new Error(peer.missing);
    const port = await freePort();
    const options = ["-m", "pysail", "spark", "server", "--ip", "127.0.0.1", "--port", String(port)];
    const server = spawn(peer.python, options, { stdio: ["ignore", "ignore", "pipe"] });
    try {
      await untilOpen(server, port);
      const folder = project({
        "transformations/a.sql": `CREATE STREAMING TABLE t AS SELECT * FROM STREAM ${LANDING};`,
        "landing/1.csv": "id,v\n1,a\n",
      });
      const { errors } = await refusal(folder, "run", "--engine", "spark", "--remote", `sc://127.0.0.1:${port}`);
      expect(errors[0]).toMatchObject({
        code: "SPARK_WITHOUT_DELTA",
        message: `The server at 127.0.0.1:${port} does not know Delta's DESCRIBE HISTORY.`,
      });
      expect(storedFiles(folder).filter((file) => file.startsWith("warehouse/"))).toEqual([]);
    } finally {
      server.kill();
    }
  }, 120_000);
});
