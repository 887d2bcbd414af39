import { backup } from "./zh/backup.ts";
import { card } from "./zh/card.ts";
import { chat } from "./zh/chat.ts";
import { cli } from "./zh/cli.ts";
import { command } from "./zh/command.ts";
import { config } from "./zh/config.ts";
import { doctor } from "./zh/doctor.ts";
import { engine } from "./zh/engine.ts";
import { error } from "./zh/error.ts";
import { evolution } from "./zh/evolution.ts";
import { gateway } from "./zh/gateway.ts";
import { goal } from "./zh/goal.ts";
import { hermes } from "./zh/hermes.ts";
import { hermesCron } from "./zh/hermes-cron.ts";
import { people } from "./zh/people.ts";
import { queues } from "./zh/queues.ts";
import { server } from "./zh/server.ts";
import { settings } from "./zh/settings.ts";
import { setup } from "./zh/setup.ts";
import { time } from "./zh/time.ts";
import { toast } from "./zh/toast.ts";

/** Every string a user can see, in Chinese. One file per section under `zh/`; the English side mirrors it key by key. */
export const zh = {
  backup,
  card,
  chat,
  cli,
  command,
  config,
  doctor,
  engine,
  error,
  gateway,
  evolution,
  goal,
  hermes,
  hermesCron,
  people,
  queues,
  server,
  settings,
  setup,
  time,
  toast,
};

/** The shape both languages share; a key missing in English does not compile. */
export type Texts = typeof zh;
