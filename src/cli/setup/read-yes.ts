/** Yes or no as people of both languages type it; undefined when it is neither. */
export function readYes(answer: string): boolean | undefined {
  if (/^(?:y|yes|是|好|对)$/i.test(answer)) return true;
  return /^(?:n|no|否|不|不要)$/i.test(answer) ? false : undefined;
}
