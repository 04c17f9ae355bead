import { ProviderError } from '../core/errors.ts'
import { failureWords } from './failure-body.ts'

/** How a service says that a request does not fit its context window. */
interface ContextRefusal {
  readonly service: string
  /** Matches its words or codes. */
  readonly words: RegExp
  readonly source: string
}

const issue = (path: string): string => `https://github.com/${path}`

/** The words of services, compared with their pages and with reports of their users in November 2026. */
export const contextRefusals: readonly ContextRefusal[] = [
  {
    service: 'OpenAI, DeepSeek, OpenRouter, vLLM',
    words:
      /context_length_exceeded|string_above_max_length|maximum (?:context|prompt|input|model) (?:length|tokens)|reduce the length/i,
    source: 'https://platform.openai.com/docs/guides/error-codes',
  },
  {
    service: 'vLLM',
    words: /max_tokens must be at least 1, got -/i,
    source: issue('vllm-project/vllm/issues/4667'),
  },
  {
    service: 'llama.cpp',
    words: /exceed_context_size|(?:input|prompt) is too (?:large to process|big compared to)/i,
    source: issue('ggml-org/llama.cpp/issues/11105'),
  },
  {
    service: 'Anthropic',
    words: /prompt is too long|exceed context limit/i,
    source: 'https://platform.claude.com/docs/en/build-with-claude/context-windows',
  },
  { service: 'Gemini', words: /input token count/i, source: issue('google-gemini/gemini-cli/issues/12098') },
  {
    service: 'Bedrock',
    words: /input is too long|too many (?:input )?tokens|expected maxlength: \d+, actual: \d/i,
    source: issue('aws-samples/bedrock-chat/issues/95'),
  },
  {
    service: 'GitHub Copilot',
    words: /model_max_prompt_tokens_exceeded|prompt token count of/i,
    source: issue('jjleng/copilot-more/issues/35'),
  },
  {
    service: 'GitHub Models',
    words: /tokens_limit_reached|max size: [\d,.]+ tokens/i,
    source: issue('Aider-AI/aider/issues/2296'),
  },
  {
    service: 'DashScope',
    words: /range of input length/i,
    source: 'https://help.aliyun.com/zh/model-studio/error-code',
  },
  {
    service: 'SiliconFlow',
    words:
      /(?:input|inputs|prompt_tokens|prompt)\W{0,2}(?:length )?(?:\([^)]{0,80}\) )?(?:must (?:be|have) less than|exceeds the maximum|has exceeded)|max_prompt_tokens/i,
    source: issue('leookun/cursor-byok/issues/129'),
  },
  {
    service: 'Text Generation Inference, Together',
    words: /max_new_tokens/i,
    source: issue('barun-saha/slide-deck-ai/issues/44'),
  },
  {
    service: 'Moonshot',
    words: /model token limit|model max length exceeded/i,
    source: issue('MoonshotAI/kimi-cli/issues/2011'),
  },
  {
    service: 'Volcengine Ark',
    words: /max message tokens/i,
    source: 'https://www.volcengine.com/docs/82379/1299023',
  },
  {
    service: 'Zhipu, Ollama',
    words: /prompt exceeds max length|input tokens? exceed|exceeded max context length/i,
    source: 'https://docs.bigmodel.cn/cn/api/api-code',
  },
  {
    service: 'TabbyAPI, SambaNova',
    words: /max_seq_len|maximum supported sequence length/i,
    source: issue('SillyTavern/SillyTavern/issues/3543'),
  },
  {
    service: 'LM Studio',
    words: /tokens to keep from the initial prompt|context the overflows|n_keep \(\d+\) >= n_ctx/i,
    source: issue('lmstudio-ai/lmstudio-bug-tracker/issues/546'),
  },
  {
    service: 'watsonx',
    words: /cannot exceed the total tokens limit/i,
    source: 'https://www.ibm.com/docs/en/watsonx/saas?topic=solutions-foundation-model-parameters',
  },
  {
    service: 'TensorRT-LLM',
    words: /max_input_len|max_num_tokens/i,
    source: issue('NVIDIA/TensorRT-LLM/issues/9277'),
  },
  {
    service: 'Chinese services',
    words:
      /(?:超出|超过|大于)[^，。;]{0,12}(?:长度|上下文|token)|(?:长度|上下文|tokens?)[^，。;]{0,12}(?:超出|超过|过长)|超长/i,
    source: 'https://docs.bigmodel.cn/cn/api/api-code',
  },
]

/** A refusal in words of no service in the list names what was too long, that it was, and a unit of length. */
const subject =
  /\b(?:prompts?|inputs?|contexts?|messages|conversation|sequence|history|request|quer(?:y|ies))\b/i
const excess =
  /\bexceed\w*|\btoo (?:long|large|many|big)\b|\b(?:longer|greater|larger|more|higher|bigger) than\b|\boverflow\w*|\bat most\b|\bno more than\b|\bup to\b|\bmax(?:imum)?\b|\blimit\w*|\b(?:not|n't) fit\b|\boutside\b|\bbeyond\b|\bover\b/i
const unit =
  /\btokens?\b|\bcontext[ _](?:length|window|size|limit)\b|\blength\b|max_\w*(?:len|tokens?)|\bn_ctx\b/i
/** A refusal of the output limit, which has nothing to do with the length of the request. */
const output = /\bmax_(?:completion_|output_)?tokens\b|\b(?:completion|output|generated|new) tokens\b/i
const inputWords = /\b(?:prompts?|inputs?|context|messages|conversation)\b/i

/** Returns whether the words of a refusal say that the request is too long for the model. */
export function saysTooLong(words: string): boolean {
  if (contextRefusals.some(refusal => refusal.words.test(words))) return true
  return words.split(/(?<=[.;。；])\s/).some(sentence => {
    const isAboutLength = [subject, excess, unit].every(pattern => pattern.test(sentence))
    return isAboutLength && (!output.test(sentence) || inputWords.test(sentence))
  })
}

/** The local count of tokens may be this many times the count of the provider, or the other way around. */
const countTolerance = 1.6
/** Smaller numbers are statuses or codes. */
const smallestLimit = 600

/**
 * Returns whether the numbers in a refusal say that the request is too long: one of them is about as large as the request
 * and another one, the limit, is smaller; or the only limit in tokens is below what was sent.
 *
 * @param sentTokens - the length of the request by the local count
 */
function numbersSayTooLong(words: string, sentTokens: number): boolean {
  if (output.test(words) && !inputWords.test(words)) return false
  const text = words.replace(/code\W{1,4}\d+/gi, '')
  const numbers = [...text.matchAll(/(?<![\w.-])\d{1,3}(?:,\d{3})+(?!\d)|(?<![\w.-])\d{3,9}(?![\w-])/g)]
    .map(([digits]) => Number(digits.replaceAll(',', '')))
    .filter(number => number >= smallestLimit)
  const isSent = (number: number): boolean =>
    number >= sentTokens / countTolerance && number <= sentTokens * countTolerance
  const isPair = numbers.some(sent => isSent(sent) && numbers.some(limit => limit < sent))
  const limits = [...text.matchAll(/(?<![\w.-])(\d[\d,]{2,11}) tokens?\b/gi)].map(([, digits = '']) =>
    Number(digits.replaceAll(',', '')),
  )
  const [limit] = limits
  const isBelow = limits.length === 1 && limit! >= smallestLimit && limit! * countTolerance < sentTokens
  return (isPair && unit.test(words)) || isBelow
}

/** Statuses with which servers refuse a request because of what it contains. */
const refusedStatuses: ReadonlySet<number | null> = new Set([400, 413, 422])

/** Whether a server refused a request for a reason that is not known, which may be its length. */
export function isUnknownRefusal(error: unknown): boolean {
  if (!(error instanceof ProviderError) || error.reason !== 'bad-response') return false
  return refusedStatuses.has(error.status) && error.fatalService === null
}

/**
 * Returns the error of a full context window when the numbers in a failure say so; otherwise the failure as it is.
 *
 * @param sentTokens - the length of the request by the local count
 */
export function judgeByNumbers(error: unknown, sentTokens: number): unknown {
  const isRefused = isUnknownRefusal(error) || (error instanceof ProviderError && error.status === 500)
  if (!isRefused || !(error instanceof ProviderError)) return error
  const words = error.message.replace(/^.*?HTTP \d{3}: /s, '')
  if (!numbersSayTooLong(failureWords(words), sentTokens)) return error
  const { answer, status } = error
  return new ProviderError('context-window', error.message, {
    retryable: false,
    answer,
    status,
    cause: error,
  })
}
