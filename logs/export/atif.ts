import { packageVersion } from '../../src/system/paths.ts'
import { isObject, withoutNull } from '../../src/text/json.ts'
import type { CallUsage } from '../event-parts.ts'
import {
  type AtifMetrics,
  type AtifResult,
  type AtifStep,
  type AtifTrajectory,
  atifVersion,
  extraNames,
} from '../import/atif-log.ts'
import type { ForeignCall, ForeignMessage } from '../import/foreign-log.ts'
import { originalKey } from '../original-record.ts'
import { answerBesideMessages, type ExportedLog } from './exported-log.ts'

/** Returns the members of an `extra`; null when there is none. */
function extraOrNull(fields: object): Record<string, unknown> | null {
  const present = withoutNull(fields)
  return Object.keys(present).length === 0 ? null : { ...present }
}

/** Makes the ATIF trajectory of an attempt. */
export function createTrajectory(log: ExportedLog): AtifTrajectory {
  const { run, attempt, original } = log
  const { attemptId, model, agent = 'unknown', usage, termination } = attempt
  const steps = createSteps(log)
  const { inputTokens, outputTokens, cachedInputTokens, usd, ...figures } = usage
  const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const otherMetrics = Object.entries(figures).map(([name, value]) => [snakeCase(name), value])
  return {
    schema_version: atifVersion,
    session_id: attemptId,
    trajectory_id: `${run}/${attemptId}`,
    agent: {
      name: agent,
      version: agent === 'tablehunt' ? packageVersion : 'unknown',
      model_name: model,
      extra: { setting: attempt.setting, options: attempt.options },
    },
    steps: steps.map((step, at) => ({ step_id: at + 1, ...withoutNull(step) })),
    final_metrics: withoutNull({
      total_prompt_tokens: inputTokens,
      total_completion_tokens: outputTokens,
      total_cached_tokens: cachedInputTokens,
      total_cost_usd: usd ?? usage.usdModel,
      total_steps: steps.length,
      extra: extraOrNull(Object.fromEntries(otherMetrics)),
    }),
    extra: {
      termination: `${termination.cause}/${termination.reason}`,
      ...(termination.detail !== null && { termination_detail: termination.detail }),
      scores: log.scores.map(({ scorer, judge, status, metrics }) => ({ scorer, judge, status, metrics })),
      [originalKey]: original,
    },
  }
}

type AgentStep = AtifStep & { observation: { results: AtifResult[] } | null }

function createSteps(log: ExportedLog): AtifStep[] {
  const steps: AtifStep[] = []
  let last: AgentStep | null = null
  for (const message of log.messages) {
    if (message.role === 'assistant') {
      last = createAgentStep(message)
      steps.push(last)
    } else if (message.role !== 'tool') steps.push({ source: message.role, message: message.text })
    else {
      // Results are in the step of their call. A result without a call is in the last step.
      const callStep = steps.findLast(step =>
        step.tool_calls?.some(({ tool_call_id: id }) => id === message.callId),
      ) as AgentStep | undefined
      const step: AgentStep = callStep ?? last ?? { source: 'system', message: '', observation: null }
      if (!steps.includes(step)) steps.push(step)
      step.observation ??= { results: [] }
      step.observation.results.push(createResult(message, callStep !== undefined))
    }
  }
  const answer = answerBesideMessages(log)
  if (answer !== null) steps.push({ source: 'agent', message: answer, llm_call_count: 0 })
  return steps
}

function createAgentStep(message: Extract<ForeignMessage, { role: 'assistant' }>): AgentStep {
  const { text, reasoning, calls, malformed, finishReason, usage, at, isModelTurn } = message
  return {
    source: 'agent',
    timestamp: at,
    message: text,
    reasoning_content: reasoning,
    tool_calls: calls.length === 0 ? null : calls.map(createCall),
    observation: null,
    metrics: usage === null ? null : createMetrics(usage),
    llm_call_count: isModelTurn === false ? 0 : 1,
    extra: extraOrNull({
      [extraNames.finishReason]: finishReason,
      [extraNames.malformedCalls]: malformed.length === 0 ? null : malformed,
    }),
  }
}

function createCall({ id, name, args }: ForeignCall) {
  const call = { tool_call_id: id, function_name: name }
  return isObject(args)
    ? { ...call, arguments: args }
    : { ...call, arguments: { [extraNames.input]: args }, extra: { [extraNames.input]: args } }
}

function createMetrics(usage: CallUsage): AtifMetrics {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, uncertain } = usage
  return withoutNull({
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    cached_tokens: cachedInputTokens,
    extra: extraOrNull({
      [extraNames.reasoningTokens]: reasoningTokens,
      [extraNames.uncertain]: uncertain ?? null,
    }),
  })
}

function createResult(
  { callId, tool, text, error }: Extract<ForeignMessage, { role: 'tool' }>,
  hasCall: boolean,
): AtifResult {
  return withoutNull({
    source_call_id: hasCall ? callId : null,
    content: text,
    extra: extraOrNull({
      [extraNames.error]: error,
      [extraNames.tool]: hasCall ? null : tool,
      [extraNames.callId]: hasCall ? null : callId,
    }),
  })
}
