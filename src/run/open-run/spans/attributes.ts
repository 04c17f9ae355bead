import type { Attributes } from '@opentelemetry/api'
import type { CallUsage } from '../../../../logs/event-parts.ts'
import type { EventBody } from '../../../../logs/events.ts'
import { optionsText } from '../../../core/arm.ts'
import type { Termination } from '../../../core/termination.ts'
import type { PlannedAttempt } from '../../plan/plan.ts'

/** The names of providers in the GenAI conventions, where they differ from those of --model. */
const conventionalNames: Readonly<Record<string, string>> = {
  'google-genai': 'gcp.gemini',
  'google-vertexai': 'gcp.vertex_ai',
  mistralai: 'mistral_ai',
  xai: 'x_ai',
  bedrock: 'aws.bedrock',
}

/**
 * Returns provider and name of a model by the conventions.
 *
 * @param recordName `PROVIDER:NAME`, or a single word
 */
export function listModelAttributes(recordName: string): Attributes & { 'gen_ai.request.model': string } {
  const colon = recordName.indexOf(':')
  const provider = colon < 0 ? recordName : recordName.slice(0, colon)
  return {
    'gen_ai.provider.name': conventionalNames[provider] ?? provider,
    'gen_ai.request.model': recordName.slice(colon + 1),
  }
}

/** The attributes of an attempt: task, setting, options, trial, caps. */
export function listAttemptAttributes(
  planned: PlannedAttempt,
  caps: Readonly<Record<string, number>>,
): Attributes {
  const { taskId, benchmark, domain, language } = planned.task.question
  const named = Object.entries(caps).map(([kind, cap]) => [`tablehunt.cap.${writeSnakeCase(kind)}`, cap])
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': planned.setting,
    ...listModelAttributes(planned.model),
    'tablehunt.attempt.id': planned.attemptId,
    'tablehunt.task.id': taskId,
    'tablehunt.benchmark': benchmark,
    'tablehunt.domain': domain,
    'tablehunt.language': language,
    'tablehunt.setting': planned.setting,
    'tablehunt.options': optionsText(planned.options),
    'tablehunt.trial': planned.trial,
    'tablehunt.seed': planned.seed,
    ...Object.fromEntries(named),
  }
}

/** The attributes of a termination. */
export function listTerminationAttributes(termination: Termination): Attributes {
  return {
    'tablehunt.termination.cause': termination.cause,
    'tablehunt.termination.reason': termination.reason,
    'tablehunt.termination.answer_produced': termination.answerProduced,
    'tablehunt.termination.forced_final': termination.forcedFinal,
  }
}

/** The attributes of an answer: its shape, never its text. */
export function answerAttributes(body: Extract<EventBody, { type: 'answer-parsed' }>): Attributes {
  return {
    'tablehunt.answer.parse_status': body.parseStatus,
    ...(body.rows === null ? {} : { 'tablehunt.answer.rows': body.rows }),
    ...(body.columns === null ? {} : { 'tablehunt.answer.columns': body.columns.length }),
  }
}

/** A kind of tokens that a call is billed for. */
export type TokenKind = Exclude<keyof CallUsage, 'uncertain'>

const tokenNames = {
  inputTokens: 'gen_ai.usage.input_tokens',
  cachedInputTokens: 'gen_ai.usage.cache_read.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
} as const satisfies Record<TokenKind, string>

/** The attributes of billed tokens. Unknown counts are left out. */
export function listTokenAttributes(usage: Partial<CallUsage> | null): Attributes {
  const attributes = Object.entries(tokenNames).flatMap(([kind, name]) => {
    const tokens = usage?.[kind as TokenKind] ?? null
    return tokens === null ? [] : [[name, tokens] as const]
  })
  return Object.fromEntries(attributes)
}

/** The attributes of charges by kind: searches, fetches, US dollars. */
export function listSpentAttributes(spent: ReadonlyMap<string, number>): Attributes {
  return Object.fromEntries(
    [...spent].map(([kind, total]) => [`tablehunt.spent.${writeSnakeCase(kind)}`, total]),
  )
}

function writeSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
