/** A line that begins with a slash: the command's name without it, and the rest. */
export interface CommandLine {
  name: string;
  rest: string;
}

/** Reads `/done 3`; also the full-width slash that Chinese keyboards type. undefined = no command. */
export function readCommandLine(text: string): CommandLine | undefined {
  const found = /^[/／]([a-z]+)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  if (found?.[1] === undefined) return undefined;
  return { name: found[1].toLowerCase(), rest: (found[2] ?? "").trim() };
}
