const LOOKS_LIKE_AN_ORDER =
  /^\s*(?:system|系统|developer|assistant)\s*[:：]|close_goal_ids|proactivity_(?:read|select)|tracking_manage|<\/?(?:system|document|data|tool)[ >]|\[(?:item|source):\d+\]|ignore (?:all |any )?(?:the )?(?:previous|above|prior) (?:instructions|rules)|disregard (?:all |the )?(?:previous|above)|忽略(?:以上|之前|上面|前面)(?:的)?(?:所有)?(?:指令|规则|要求)|你现在是|you are now (?:a|an|the)\b|new instructions\s*:/imu;

/**
 * Does a line of the history read like an order to the program? It is shown to workers all the same, marked, because
 * hiding it would hide what a person really wrote. Nothing is decided by this: orders in the history have no effect anyway.
 */
export function looksLikeInstruction(text: string): boolean {
  return LOOKS_LIKE_AN_ORDER.test(text);
}
