import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ingot } from "../e2e/cli.js";

const DAMAGED = fileURLToPath(new URL("fixtures/half-written-checkpoint", import.meta.url));

it("tells a damaged checkpoint that was passed by (V42)", async () => {
  const { code, stdout, stderr } = await ingot(["query", `SELECT count(*) AS n FROM delta.\`${DAMAGED}\``, "--json"], {
    cwd: "/",
  });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { rows: [{ n: expect.stringMatching(/^\d+$/) }] }]);
  expect(stderr).toMatch(/^WARN: .*checkpoint/);
});
