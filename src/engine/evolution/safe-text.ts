import { maskSecrets } from "../mask-secrets.ts";
import { looksLikeInstruction } from "../proactive/flag-instructions.ts";

/** Why a text may not become a lesson. */
export const textProblems = ["secret", "weakens_safety", "instruction", "raw_fragment", "too_long", "empty"] as const;
export type TextProblem = (typeof textProblems)[number];

/** Text that makes the agent ask less, check less, show more: nobody's evidence can ask for that. */
const WEAKENS =
  /(?:无需|不用|不必|不需要|免去?|跳过|取消|关闭|禁用|绕过|忽略|停止)(?:[^。；;\n]{0,16})(?:确认|审批|批准|授权|许可|验证|检查|安全|沙箱|权限|审核|询问|过问|限制|校验|拦截)|(?:确认|审批|批准|授权|权限|安全检查|沙箱)[^。；;\n]{0,10}(?:都?(?:不用|无需|不必|可以?省|自动通过|默认通过|一律通过|跳过|关闭|关掉))|(?:自动|默认|一律|直接)(?:批准|同意|通过|允许|授权)|(?:without|skip(?:ping)?|bypass(?:ing)?|disabl(?:e|ing)|turn(?:ing)?\s+off|ignor(?:e|ing)|avoid(?:ing)?|no\s+need\s+(?:for|to)|don'?t\s+(?:need|ask|require|wait\s+for)|never\s+(?:ask|confirm|require)|stop\s+asking)\s.{0,40}\b(?:confirm(?:ation|ing)?|approv\w+|permission|safety|security|sandbox|review|verif\w+|check(?:s|ing)?|guard\w*|polic\w+|auth\w*|tls|ssl|certificate)|auto[- ]?approv|always\s+(?:allow|approve)|--yolo|--dangerously|--no-verify|--insecure|NODE_TLS_REJECT|StrictHostKeyChecking\s*=?\s*no|chmod\s+-?R?\s*0?777|(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|rm\s+-rf\s+[/~]|(?:把|将|send|post|upload|forward|exfiltrat\w*)[^。\n]{0,40}(?:密码|密钥|令牌|凭证|password|secret|api[ _-]?key|token|credential|\.env|\.ssh)/i;

const ORDERS =
  /(?:^|[\s。；;])(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|system|other)\b|you\s+(?:must|are\s+now)\s+(?:obey|act\s+as|pretend|a\b)|system\s+prompt|开发者模式|越狱|jailbreak|忽略(?:以上|之前|先前|前面|所有)|无视(?:以上|之前|所有)|你现在是|从现在起你是|<\/?(?:system|assistant|tool|script|iframe)\b|\[(?:SYSTEM|INST)\]/i;

/** A line for a shell or a program, not for a reader. */
const SHELL =
  /^\s*(?:[$#>]\s+\S|(?:sudo|npm|npx|pip3?|git|cd|ls|cat|rm|mv|cp|curl|wget|docker|kubectl|python3?|node|bash|sh|grep|find|sed|awk|chmod|export|echo)\s+[-./~\w"'$]|import\s+\w+|from\s+\w+\s+import|(?:const|let|var|def|function|class)\s+\w+|SELECT\s.+\sFROM\s|[{[<].*[}\]>]\s*$|at\s+\S+\s+\(.*:\d+|Traceback\b|\w*Error:)/i;
/** Words a sentence does not end with. */
const DANGLING =
  /(?:[,，、:：;；(（\-–—…]|\b(?:and|or|but|because|the|a|an|to|of|with|for|if|that|when|then|which|is|are|was)|的|和|或|因为|如果|但是|而且|以及|然后|并且|对于|关于|当|在)\s*$/i;

/** What speaks against a text that would be read by the agent. */
export function textProblem(text: string, most: number): TextProblem | undefined {
  if (text.trim() === "") return "empty";
  if (text.length > most) return "too_long";
  if (maskSecrets(text, { personal: true }) !== text) return "secret";
  const folded = text.normalize("NFKC").replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]/g, "");
  if (WEAKENS.test(folded)) return "weakens_safety";
  return ORDERS.test(folded) || looksLikeInstruction(folded) ? "instruction" : undefined;
}

/** The same for a lesson, which besides must be a whole sentence: no shell line, no half of something. */
export function lessonProblem(text: string, most: number): TextProblem | undefined {
  const problem = textProblem(text, most);
  if (problem !== undefined) return problem;
  const plain = text.trim();
  const words = plain.match(/\p{Script=Han}|[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
  if (words < 4 || SHELL.test(plain) || DANGLING.test(plain)) return "raw_fragment";
  return /^[a-z]/.test(plain) && /\b(?:continued|cont\.)\b/.test(plain) ? "raw_fragment" : undefined;
}

/** Names of skills as Hermes takes them, and no way out of a folder. */
export function isSkillName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !name.includes("..") && !/^(?:con|prn|aux|nul)$/.test(name);
}

/** A supporting file of a skill: in one of Hermes' four folders, without hidden or upward parts. */
export function isSkillFile(path: string): boolean {
  return (
    /^(?:references|templates|scripts|assets)(?:\/[A-Za-z0-9][\w.-]{0,63}){1,3}$/.test(path) && !path.includes("..")
  );
}
