import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** Linux's magic numbers of file systems on which SQLite's locks and shared memory are known to fail. */
const RISKY: Readonly<Record<number, string>> = {
  26985: "nfs",
  20859: "smb",
  4283649346: "cifs",
  4266872130: "smb2",
  16914839: "9p",
  1702057286: "fuse or virtiofs",
  2020557398: "vboxsf",
  3133910204: "vmhgfs",
  1397113167: "afs",
};

/**
 * The name of the network or virtual-machine file system a path lies on, undefined for local ones. SQLite's write-ahead
 * log needs shared memory that these do not give: readers may see stale rows, and the file may break.
 */
export async function riskyFileSystem(path: string): Promise<string | undefined> {
  try {
    return RISKY[(await statfs(dirname(path))).type >>> 0];
  } catch {
    return undefined;
  }
}
