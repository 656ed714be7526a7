import { memoryStore } from "./memory-store.js";
import { describeStore } from "./store-contract.js";

describeStore("memoryStore", async () => ({ store: memoryStore(), root: "/table" }), { manyFiles: 2_000 });
