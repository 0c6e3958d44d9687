/** Texts of the upstream must not steer a terminal, nor turn the rest of a line around. */
export const harmless = (text: string) =>
  text.replaceAll(/\s/g, " ").replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "");
