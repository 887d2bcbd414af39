import type { server as zh } from "../zh/server.ts";

/** The server itself: checks, backups. */
export const server: typeof zh = {
  summary: {
    doctor: "checks every part and says what to mend, and how",
    backup: "saves the data as it is into one file",
  },
  notHere: "That cannot be done here. Use npx herald doctor or npx herald backup on the machine Herald runs on.",
  noAnswer: "No result came. Please try it on the machine Herald runs on.",
};
