import type { gateway as zh } from "../zh/gateway.ts";

export const gateway: typeof zh = {
  origin: {
    said: "Sent by Hermes",
    cron: "Hermes scheduled job",
    turn: "Hermes carried on by itself",
    question: "Hermes asks",
  },
  part: (part, parts) => `Part ${part} of ${parts}`,
  broken: "Hermes went away in the middle of this; the rest did not arrive.",
  question: "This was not started here, so it cannot be answered here. Left alone, it lapses by itself after a while.",
};
