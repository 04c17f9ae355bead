import { z } from 'zod/v4'
import type { Usage } from '../../src/core/usage.ts'
import { readCallUsage, sumKnown } from './call-usage.ts'
import type { InspectEvent, InspectSample } from './inspect-log.ts'
import { guessToolKind } from './tool-kinds.ts'

const milliseconds = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : Math.round(seconds * 1000)

/** Returns all events in order, including nested ones. */
export function flattenEvents(events: InspectSample['events']): InspectEvent[] {
  return (events ?? []).flatMap(event => [event, ...flattenEvents(event.events)])
}

const toolUse = z.looseObject({ type: z.literal('tool_use'), name: z.string(), tool_type: z.string() })

/** Returns the tools that the provider ran itself during a model call, such as its own web search. */
function providerTools({ event, output }: InspectEvent): z.infer<typeof toolUse>[] {
  const content = event === 'model' ? output?.choices?.[0]?.message?.content : null
  return (Array.isArray(content) ? (content as unknown[]) : []).flatMap(
    part => toolUse.safeParse(part).data ?? [],
  )
}

/**
 * Counts calls from the events, including those of helper agents. Kinds of calls without events are counted from
 * the messages instead.
 */
function countInspectCalls(events: readonly InspectEvent[]): Partial<Usage> {
  const models = events.filter(({ event }) => event === 'model').length
  const tools = events.filter(({ event }) => event === 'tool')
  const kinds = [
    ...tools.filter(({ error }) => error?.type !== 'parsing').map(tool => guessToolKind(tool.function ?? '')),
    ...events
      .flatMap(providerTools)
      .map(({ name, tool_type }) => guessToolKind(name) ?? guessToolKind(tool_type)),
  ]
  return {
    ...(models === 0 ? {} : { modelCalls: models }),
    ...(tools.length + kinds.length === 0
      ? {}
      : {
          searchCalls: kinds.filter(kind => kind === 'search').length,
          fetchCalls: kinds.filter(kind => kind === 'fetch').length,
          toolErrors: tools.filter(({ error, failed }) => failed === true || (error ?? null) !== null).length,
        }),
  }
}

/**
 * Sums the usage of all models of a sample. A value that no model reports is null; the cost is null when one model
 * lacks it.
 */
export function readUsage(sample: InspectSample): Partial<Usage> {
  const models = Object.values(sample.model_usage ?? {})
  const calls = models.map(readCallUsage)
  const priced = models.every(model => (model.total_cost ?? null) !== null)
  const usd = priced ? sumKnown(models.map(model => model.total_cost)) : null
  return {
    inputTokens: sumKnown(calls.map(call => call?.inputTokens)),
    cachedInputTokens: sumKnown(calls.map(call => call?.cachedInputTokens)),
    outputTokens: sumKnown(calls.map(call => call?.outputTokens)),
    reasoningTokens: sumKnown(calls.map(call => call?.reasoningTokens)),
    ...(calls.some(call => call?.uncertain === true) && { uncertain: true as const }),
    ...countInspectCalls(flattenEvents(sample.events)),
    wallMs: milliseconds(sample.total_time),
    workingMs: milliseconds(sample.working_time),
    usd,
    usdModel: usd,
  }
}
