import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, open, rename, rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";

/** The first line of every backup, so that a person can tell what it is with `zcat FILE | head -1`. */
export const backupHeaderSchema = z.object({
  herald: z.literal("backup"),
  /** of this format */
  format: z.literal(1),
  version: z.string(),
  provider: z.enum(["sqlite", "postgresql"]),
  createdAt: z.string(),
  /** names of the migrations the database was at */
  migrations: z.array(z.string()),
  /** what must be found again when it is brought back */
  counts: z.record(z.string(), z.number()),
  /** of the database that follows */
  bytes: z.number(),
  sha256: z.string(),
  /** the secret that Hermes' plugin knows Herald by */
  bridgeToken: z.string().optional(),
});

export type BackupHeader = z.infer<typeof backupHeaderSchema>;

/** Why a file is no backup that can be brought back. */
export type BackupProblem = "no_file" | "not_a_backup" | "damaged";

export class BackupRefused extends Error {
  readonly problem: BackupProblem;

  constructor(problem: BackupProblem, file: string, options?: { cause?: unknown }) {
    super(`${problem}: ${file}`, options);
    this.name = "BackupRefused";
    this.problem = problem;
  }
}

/** SHA-256 in hex and length of a file, read in pieces. */
export async function digestFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** Packs header and database into one compressed file that only its owner can read. Appears whole or not at all. */
export async function writeBackupFile(target: string, header: BackupHeader, database: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { force: true });
  async function* content(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${JSON.stringify(header)}\n`);
    yield* createReadStream(database) as AsyncIterable<Buffer>;
  }
  try {
    await pipeline(Readable.from(content()), createGzip(), createWriteStream(unfinished, { mode: 0o600, flags: "wx" }));
    const handle = await open(unfinished, "r+");
    await handle.sync();
    await handle.close();
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * Unpacks a backup: its header, and the database into `database` (made anew, readable by its owner only), checked against
 * length and hash.
 * @throws BackupRefused; `database` is gone then
 */
export async function readBackupFile(source: string, database: string): Promise<BackupHeader> {
  const header = new HeaderLine();
  const hash = createHash("sha256");
  let bytes = 0;
  const count = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      bytes += piece.length;
      done(null, piece);
    },
  });
  try {
    await pipeline(
      createReadStream(source),
      createGunzip(),
      header,
      count,
      createWriteStream(database, { mode: 0o600, flags: "w" }),
    );
    await chmod(database, 0o600);
    const found = header.header();
    if (found === undefined) throw new BackupRefused("not_a_backup", source);
    if (bytes !== found.bytes || hash.digest("hex") !== found.sha256) throw new BackupRefused("damaged", source);
    return found;
  } catch (error) {
    await rm(database, { force: true });
    throw asRefused(error, source, header);
  }
}

function asRefused(error: unknown, source: string, header: HeaderLine): unknown {
  if (error instanceof BackupRefused) return error;
  const { code } = error as { code?: unknown };
  if (code === "ENOENT" || code === "EISDIR" || code === "EACCES") {
    return new BackupRefused("no_file", source, { cause: error });
  }
  // A file cut short or altered ends the decompression.
  if (typeof code === "string" && /^Z_|^ERR_ZLIB/.test(code)) {
    return new BackupRefused(header.header() === undefined ? "not_a_backup" : "damaged", source, { cause: error });
  }
  return error;
}

const NEWLINE = 10;
const MOST_HEADER_BYTES = 64 * 1024;

/** Takes the first line off a stream and lets the rest through. */
class HeaderLine extends Transform {
  #line: Buffer | undefined;
  #pieces: Buffer[] = [];
  #length = 0;

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error | null, data?: Buffer) => void) {
    if (this.#line !== undefined) return done(null, piece);
    const end = piece.indexOf(NEWLINE);
    this.#pieces.push(end === -1 ? piece : piece.subarray(0, end));
    this.#length += this.#pieces.at(-1)?.length ?? 0;
    if (this.#length > MOST_HEADER_BYTES) return done(new BackupRefused("not_a_backup", "header"));
    if (end === -1) return done();
    this.#line = Buffer.concat(this.#pieces);
    done(null, piece.subarray(end + 1));
  }

  /** What the line said; undefined when it is none of ours. */
  header(): BackupHeader | undefined {
    if (this.#line === undefined) return undefined;
    try {
      return backupHeaderSchema.safeParse(JSON.parse(this.#line.toString("utf8"))).data;
    } catch {
      return undefined;
    }
  }
}
