import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    // Vitest leaves a core of two idle; many tests wait for programs of their own.
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
