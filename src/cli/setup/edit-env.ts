import { parse } from "dotenv";

/** One assignment as dotenv reads it, a quoted value over several lines included. */
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\r\n]*)[^\r\n]*/gm;

/**
 * The text of a `.env` with some values changed. Every other line, comments included, stays as it is; a value that is new
 * goes below its commented-out example when the file has one, else to the end. An empty value takes the line away.
 * @throws Error when the result would not be read back as meant, or another value would change: then nothing may be written
 */
export function editEnv(before: string, changes: Readonly<Record<string, string>>): string {
  let text = before;
  for (const [name, value] of Object.entries(changes)) text = put(text, name, value);
  const was = parse(before);
  const is = parse(text);
  for (const name of new Set([...Object.keys(was), ...Object.keys(is), ...Object.keys(changes)])) {
    const wanted = (Object.hasOwn(changes, name) ? changes[name] : was[name]) || undefined;
    if ((is[name] || undefined) !== wanted) throw new Error(`.env: ${name} could not be changed safely`);
  }
  return text;
}

function put(text: string, name: string, value: string): string {
  const found = [...text.matchAll(ASSIGNMENT)].filter((match) => match[1] === name);
  const line = value === "" ? undefined : `${name}=${quoted(value)}`;
  const last = found.at(-1);
  if (last === undefined) return line === undefined ? text : added(text, name, line);
  let result = text;
  // From the end on, so that earlier places keep their numbers. Of several only the last one counts.
  for (const match of found.reverse()) {
    const start = match.index;
    const end = start + match[0].length;
    const keep = match === last ? line : undefined;
    result =
      keep === undefined
        ? result.slice(0, start) + result.slice(end).replace(/^\r?\n/, "")
        : result.slice(0, start) + keep + result.slice(end);
  }
  return result;
}

function added(text: string, name: string, line: string): string {
  const example = new RegExp(`^[ \\t]*#[ \\t]*${name.replace(/[.-]/g, "\\$&")}[ \\t]*=[^\\r\\n]*`, "m").exec(text);
  if (example !== null) {
    const end = example.index + example[0].length;
    return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
  }
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}

function quoted(value: string): string {
  if (/^[\w./:@,+=-]+$/.test(value)) return value;
  // dotenv knows no escapes but \n and \r in double quotes, so the quote is one the value does not hold.
  const quote = ["'", "`", '"'].find((mark) => !value.includes(mark));
  return quote === undefined ? value : `${quote}${value}${quote}`;
}
