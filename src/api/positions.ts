/**
 * Roles and lanes. The id is the publisher's (`sort_id`, `road_sort_id` in the records); titles beside it are localised
 * text and never a key.
 */
export const ROLES = [
  { code: "tank", id: "1" },
  { code: "fighter", id: "2" },
  { code: "assassin", id: "3" },
  { code: "mage", id: "4" },
  { code: "marksman", id: "5" },
  { code: "support", id: "6" },
] as const;

export const LANES = [
  { code: "exp", id: "1" },
  { code: "mid", id: "2" },
  { code: "roam", id: "3" },
  { code: "jungle", id: "4" },
  { code: "gold", id: "5" },
] as const;

export const ROLE_CODES = ROLES.map((role) => role.code);
export const LANE_CODES = LANES.map((lane) => lane.code);
