export const root: string;
export function bundle(entry: string): Promise<string>;
export function run(entry: string): Promise<void>;
