import { flag } from "../command.ts";
import { MEANINGS } from "./variables.ts";

export const jsonFlag = () => flag("--json", MEANINGS.json);
