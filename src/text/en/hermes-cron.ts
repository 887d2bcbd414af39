import type { hermesCron as zh } from "../zh/hermes-cron.ts";

export const hermesCron: typeof zh = {
  about: "let a job of Hermes' own cron wake it to judge the reminders: install, status or uninstall",
  every: "how often it looks, such as 15m or 1h",
  expected: (given) => `Unknown: ${given}. Expected install, status or uninstall, such as herald hermes cron install`,
  badEvery: (given) => `--every: expected a number with m, h or d, such as 15m; got ${given}`,
  noHome: (home) => `Hermes was not found: ${home} does not exist. Name its folder with --home`,
  pluginFirst: "Run herald hermes install first: the script learns from the plugin where Herald is",
  scriptPut: (folder) => `The script is in ${folder}`,
  scriptThere: "The script was there already",
  jobMade: (name, every) => `The job ${name} was made; it runs every ${every}`,
  jobThere: (name, schedule) => `The job ${name} was there already (${schedule})`,
  makeJob: (command) => `The hermes command could not be run. Please run it yourself:\n${command}`,
  removeJob: (command) => `The job could not be removed. Please run this yourself:\n${command}`,
  removed: "The job and its script are gone",
  script: { current: "Script: current", other: "Script: differs; run install again", none: "Script: none" },
  job: (schedule, last) => `Job: ${schedule}, last result ${last}`,
  jobPaused: "Job: paused",
  noJob: "Job: none",
  lastError: (error) => `Last error: ${error}`,
};
