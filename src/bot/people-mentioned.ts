/** The people a message mentions, in its order; the bot itself is none of them, and neither is "everybody". */
export function peopleMentioned(
  mentions: readonly { openId?: string | undefined; name: string }[],
  bot: string | undefined,
): { openId: string; name?: string }[] {
  return mentions.flatMap(({ openId, name }) =>
    openId === undefined || openId === bot ? [] : [{ openId, ...(name && { name }) }],
  );
}
