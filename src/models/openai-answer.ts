import { z } from 'zod'
import { ProviderError } from '../core/errors.ts'

const toolCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown().optional() }),
})
const message = z.looseObject({
  role: z.string().nullish(),
  content: z.unknown().optional(),
  refusal: z.string().nullish(),
  reasoning: z.unknown().optional(),
  reasoning_content: z.unknown().optional(),
  tool_calls: z.array(toolCall).nullish(),
})
const usage = z.looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.number().nullish() }).nullish(),
})
const completion = z.looseObject({
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish(), message })).min(1),
  usage: usage.nullish(),
})

/** What LangChain's converter drops of a completion and we keep. */
export interface CompletionFacts {
  refusal: string | null
  reasoning: string | null
  finishReason: string | null
  usage: z.infer<typeof usage> | null
}

/**
 * Reads the first choice of a chat completion, mends in place what servers get wrong and LangChain stumbles over (no
 * role, arguments as an object or empty, calls without an id or with the same one, content in parts), and gives what
 * the converter would lose. Throws ProviderError (bad-response, content-filter) where there is no usable answer.
 */
export function readCompletion(name: string, body: unknown): CompletionFacts {
  const parsed = completion.safeParse(body)
  if (!parsed.success) {
    throw new ProviderError('bad-response', `${name}: HTTP 200 that holds no chat completion`, {
      retryable: false,
      cause: parsed.error,
    })
  }
  const choice = (body as z.infer<typeof completion>).choices[0]!
  mend(choice.message)
  const facts = {
    refusal: nonEmpty(choice.message.refusal),
    reasoning: nonEmpty(choice.message.reasoning_content) ?? nonEmpty(choice.message.reasoning),
    finishReason: choice.finish_reason ?? null,
    usage: parsed.data.usage ?? null,
  }
  if (facts.finishReason === 'content_filter') {
    throw new ProviderError('content-filter', `${name}: the provider's content filter stopped the answer`, {
      retryable: false,
    })
  }
  return facts
}

function mend(answer: z.infer<typeof message>): void {
  answer.role = 'assistant'
  if (Array.isArray(answer.content)) answer.content = answer.content.map(partText).join('')
  if (answer.content !== null && typeof answer.content === 'object') {
    answer.content = JSON.stringify(answer.content)
  }
  const seen = new Set<string>()
  for (const [index, call] of (answer.tool_calls ?? []).entries()) {
    if (typeof call.id !== 'string' || call.id === '' || seen.has(call.id))
      call.id = `call_${index}_${seen.size}`
    seen.add(call.id)
    call.type = 'function'
    const given = call.function.arguments
    call.function.name ??= ''
    call.function.arguments =
      typeof given === 'string' ? (given.trim() === '' ? '{}' : given) : JSON.stringify(given ?? {})
  }
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const text = part !== null && typeof part === 'object' ? Reflect.get(part, 'text') : null
  return typeof text === 'string' ? text : ''
}

function nonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
