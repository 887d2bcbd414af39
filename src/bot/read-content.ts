import { z } from "zod";

/** What a message holds besides its words. */
export interface ContentAttachment {
  kind: "image" | "file";
  key: string;
  name?: string;
}

const textContent = z.object({ text: z.string() });
const imageContent = z.object({ image_key: z.string() });
const fileContent = z.object({ file_key: z.string(), file_name: z.string().optional() });
const postPart = z.object({
  tag: z.string(),
  text: z.string().optional(),
  href: z.string().optional(),
  language: z.string().optional(),
  user_id: z.string().optional(),
  user_name: z.string().optional(),
  image_key: z.string().optional(),
  file_key: z.string().optional(),
  emoji_type: z.string().optional(),
});
type PostPart = z.infer<typeof postPart>;
const postContent = z.object({ title: z.string().optional(), content: z.array(z.array(postPart)) });

/**
 * The words and the files of a message, by Feishu's "content of received messages". What it does not name, or what is not
 * in the form it names, is empty. Mentions stay as their keys where the message lists them.
 */
export function readContent(
  type: string,
  content: string,
  mentions: readonly { key: string }[] = [],
): { text: string; attachments: readonly ContentAttachment[] } {
  const nothing = { text: "", attachments: [] };
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return nothing;
  }
  switch (type) {
    case "text":
      return { text: textContent.safeParse(parsed).data?.text ?? "", attachments: [] };
    case "image": {
      const image = imageContent.safeParse(parsed).data;
      return image === undefined ? nothing : { text: "", attachments: [{ kind: "image", key: image.image_key }] };
    }
    case "file":
    case "audio":
    case "media": {
      const file = fileContent.safeParse(parsed).data;
      if (file === undefined) return nothing;
      const name = file.file_name ?? (type === "audio" ? "audio.opus" : undefined);
      return { text: "", attachments: [{ kind: "file", key: file.file_key, ...(name && { name }) }] };
    }
    case "post":
      return readPost(parsed, new Set(mentions.map(({ key }) => key)));
    default:
      return nothing;
  }
}

function readPost(
  parsed: unknown,
  keys: ReadonlySet<string>,
): { text: string; attachments: readonly ContentAttachment[] } {
  const post = postContent.safeParse(parsed).data;
  if (post === undefined) return { text: "", attachments: [] };
  const lines = post.content.map((line) => line.map((part) => partText(part, keys)).join(""));
  const attachments = post.content.flat().flatMap(({ tag, image_key, file_key }): ContentAttachment[] => {
    if (tag === "img" && image_key) return [{ kind: "image", key: image_key }];
    return tag === "media" && file_key ? [{ kind: "file", key: file_key }] : [];
  });
  return { text: [...(post.title ? [post.title] : []), ...lines].join("\n"), attachments };
}

function partText(part: PostPart, keys: ReadonlySet<string>): string {
  switch (part.tag) {
    case "at":
      return part.user_id !== undefined && keys.has(part.user_id) ? part.user_id : `@${part.user_name ?? ""}`;
    case "a":
      return part.href && part.href !== part.text ? `[${part.text ?? part.href}](${part.href})` : (part.text ?? "");
    case "code_block":
      return `\`\`\`${part.language?.toLowerCase() ?? ""}\n${(part.text ?? "").replace(/\n$/, "")}\n\`\`\``;
    case "emotion":
      return part.emoji_type ? `[${part.emoji_type}]` : "";
    case "hr":
      return "---";
    default:
      return part.text ?? "";
  }
}
