// Loaded into a measured process by `--import`: writes what the process has used into the file INGOT_BENCH_USAGE.
import { readFileSync, writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const io = readFileSync("/proc/self/io", "utf8");
  const bytes = (name) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(io)?.[1] ?? 0);
  writeFileSync(
    process.env.INGOT_BENCH_USAGE,
    JSON.stringify({
      cpu_s: (userCPUTime + systemCPUTime) / 1e6,
      peak_mb: maxRSS / 1024,
      read_mb: bytes("rchar") / 2 ** 20,
      written_mb: bytes("wchar") / 2 ** 20,
    }),
  );
});
