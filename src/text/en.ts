import { backup } from "./en/backup.ts";
import { card } from "./en/card.ts";
import { chat } from "./en/chat.ts";
import { cli } from "./en/cli.ts";
import { command } from "./en/command.ts";
import { config } from "./en/config.ts";
import { doctor } from "./en/doctor.ts";
import { engine } from "./en/engine.ts";
import { error } from "./en/error.ts";
import { evolution } from "./en/evolution.ts";
import { gateway } from "./en/gateway.ts";
import { goal } from "./en/goal.ts";
import { hermes } from "./en/hermes.ts";
import { hermesCron } from "./en/hermes-cron.ts";
import { people } from "./en/people.ts";
import { queues } from "./en/queues.ts";
import { server } from "./en/server.ts";
import { settings } from "./en/settings.ts";
import { setup } from "./en/setup.ts";
import { time } from "./en/time.ts";
import { toast } from "./en/toast.ts";
import type { Texts } from "./zh.ts";

/** Every string a user can see, in English. */
export const en: Texts = {
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
