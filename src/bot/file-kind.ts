/** The kind of a file, and its name with the ending that goes with it. */
export interface FileKind {
  name: string;
  mime: string;
}

/** First bytes → kind. */
const SIGNS: readonly { mime: string; end: string; test: (bytes: Buffer) => boolean }[] = [
  { mime: "image/png", end: "png", test: (b) => b.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")) },
  { mime: "image/jpeg", end: "jpg", test: (b) => b.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex")) },
  { mime: "image/gif", end: "gif", test: (b) => /^GIF8[79]a/.test(b.subarray(0, 6).toString("latin1")) },
  { mime: "image/webp", end: "webp", test: (b) => /^RIFF.{4}WEBP/s.test(b.subarray(0, 12).toString("latin1")) },
  { mime: "image/bmp", end: "bmp", test: (b) => b.subarray(0, 2).toString("latin1") === "BM" },
  {
    mime: "image/heic",
    end: "heic",
    test: (b) => /^.{4}ftyp(heic|heix|mif1)/s.test(b.subarray(0, 12).toString("latin1")),
  },
  { mime: "image/tiff", end: "tiff", test: (b) => /^(II\*\0|MM\0\*)/.test(b.subarray(0, 4).toString("latin1")) },
];

const ENDINGS: Readonly<Record<string, string>> = {
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
  html: "text/html",
  pdf: "application/pdf",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  zip: "application/zip",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  opus: "audio/opus",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
  mp4: "video/mp4",
  mov: "video/quicktime",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
};

/** By its first bytes where they say it, else by its name's ending. */
export function fileKind(name: string, bytes: Buffer): FileKind {
  const sign = SIGNS.find(({ test }) => test(bytes));
  const end = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase();
  if (sign) return { name: end === undefined ? `${name}.${sign.end}` : name, mime: sign.mime };
  return { name, mime: (end === undefined ? undefined : ENDINGS[end]) ?? "application/octet-stream" };
}

const PROGRAM_ENDINGS = /\.(?:exe|msi|bat|cmd|com|scr|pif|lnk|vbs|vbe|jse|wsf|ps1|dmg|pkg|app|apk|jar|dll|so|dylib)$/i;

/** Programs of any system: nothing a chat needs, and nothing that should lie on the server. */
export function isProgram(name: string, bytes: Buffer): boolean {
  if (PROGRAM_ENDINGS.test(name)) return true;
  const head = bytes.subarray(0, 4);
  const hex = head.toString("hex");
  return (
    head.subarray(0, 2).toString("latin1") === "MZ" || hex === "7f454c46" || /^(?:feedfac[ef]|c[ef]faedfe)/.test(hex)
  );
}
