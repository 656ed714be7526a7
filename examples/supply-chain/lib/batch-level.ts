import { config } from "ingot";

const LEVELS = ["material", "plant", "client"];
const level = config("batch_level");
if (!LEVELS.includes(level)) throw new Error(`batch_level is ${level}: write ${LEVELS.join(", ")}`);

/** The extract that batches are of: their numbers are unique within a material, within the client, or within a plant alone. */
export const BATCHES = level === "plant" ? "MCHA" : "MCH1";
