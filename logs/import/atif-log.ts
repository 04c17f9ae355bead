import { z } from 'zod/v4'
import { countOrUnknown, optionalId, optionalText } from './message-parts.ts'

/** The version that exports are written in. Every version from 1.0 to this one is read. */
export const atifVersion = 'ATIF-v1.8'

/** Whether a schema version is one that is read. Later versions of the same major number only add optional fields. */
export function isKnownAtifVersion(version: unknown): boolean {
  return typeof version === 'string' && /^ATIF-v1\.\d+$/.test(version)
}

const amount = z.number().nullish().catch(null)
const extra = z.looseObject({}).nullish().catch(null)
/** A text, or a list of texts, images and recordings (from version 1.6). */
const content = z.union([z.string(), z.array(z.unknown())]).nullish()

const callSchema = z.looseObject({
  tool_call_id: optionalId,
  function_name: optionalText,
  arguments: z.unknown(),
  extra,
})

const subagentSchema = z.looseObject({
  trajectory_id: optionalText,
  trajectory_path: optionalText,
  /** Up to version 1.6, the only name of a trajectory inside the document. */
  session_id: optionalText,
})

const resultSchema = z.looseObject({
  source_call_id: optionalId,
  content,
  subagent_trajectory_ref: z.array(subagentSchema).nullish().catch(null),
  extra,
})
/** One result of a step: of a tool call, of an action in the text, or of the system. */
export type AtifResult = z.infer<typeof resultSchema>

const metricsSchema = z.looseObject({
  prompt_tokens: countOrUnknown,
  completion_tokens: countOrUnknown,
  cached_tokens: countOrUnknown,
  cost_usd: amount,
  extra,
})
/** The usage of one step. Prompt tokens include cached ones. */
export type AtifMetrics = z.infer<typeof metricsSchema>

const stepSchema = z.looseObject({
  timestamp: optionalText,
  source: z.string(),
  model_name: optionalText,
  message: content,
  reasoning_content: optionalText,
  tool_calls: z.array(callSchema).nullish(),
  observation: z
    .looseObject({ results: z.array(resultSchema) })
    .nullish()
    .catch(null),
  metrics: metricsSchema.nullish().catch(null),
  /** 0: no model was called. */
  llm_call_count: countOrUnknown,
  /** True for a step that an earlier file of the same run contains, too. */
  is_copied_context: z.boolean().nullish().catch(null),
  extra,
})
/** One step: a message of the system or the user, or a turn of the agent with the results of its calls. */
export type AtifStep = z.infer<typeof stepSchema>

const finalMetricsSchema = z.looseObject({
  total_prompt_tokens: countOrUnknown,
  total_completion_tokens: countOrUnknown,
  total_cached_tokens: countOrUnknown,
  total_cost_usd: amount,
  total_steps: countOrUnknown,
  extra,
})

const ownTrajectory = z.looseObject({
  schema_version: z.string(),
  session_id: optionalText,
  trajectory_id: optionalText,
  agent: z.looseObject({ name: optionalText, version: optionalText, model_name: optionalText }),
  steps: z.array(stepSchema),
  notes: optionalText,
  final_metrics: finalMetricsSchema.nullish().catch(null),
  continued_trajectory_ref: optionalText,
  extra,
})

/** A document of the Agent Trajectory Interchange Format (ATIF), versions 1.0 to 1.8: Harbor's RFC 0001. */
export interface AtifTrajectory extends z.infer<typeof ownTrajectory> {
  /** The trajectories of helper agents, from version 1.7. */
  subagent_trajectories?: AtifTrajectory[] | null | undefined
}

/** A trajectory after validation. An invalid optional field is unknown; the trajectory is kept. */
export const atifSchema: z.ZodType<AtifTrajectory> = ownTrajectory.extend({
  subagent_trajectories: z.lazy(() => z.array(atifSchema).nullish()).catch(null),
})

/**
 * Members of `extra` that exports of Tablehunt write and imports read, in snake case as ATIF's own names. The message of a
 * failed tool is in its result, reasoning tokens are in the metrics, and the others are in the step.
 */
export const extraNames = {
  error: 'error',
  reasoningTokens: 'reasoning_tokens',
  uncertain: 'uncertain',
  finishReason: 'finish_reason',
  malformedCalls: 'malformed_calls',
  tool: 'tool',
  callId: 'call_id',
  /** In a call whose input is not an object: the input. */
  input: 'input',
} as const
