export function postgresSchema(source: string): string;
export function schemaStamp(schema: string): string;
