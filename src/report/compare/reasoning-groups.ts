import { ConfigError } from '../../core/errors.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'
import { shortestNameOf } from '../model/arm-names.ts'
import type { Entry } from '../model/entries.ts'

/** The groups of rows by reasoning, in the order of a table. */
export const reasoningGroups = ['vanilla', 'reasoning', 'not known'] as const
export type ReasoningGroup = (typeof reasoningGroups)[number]

/** The models that the user says reason; all others do not. Null when the user says nothing. */
export type StatedReasoning = readonly string[] | null

/** Explains the groups below a table. */
export const reasoningRemark =
  'Group: from the reasoning tokens and options of the attempts, or --reasoning-models.'

/** Stands for a list without models. */
const noModels = 'none'

/**
 * Returns the group of attempts of one arm. Reasoning tokens and options prove that a model reasons, whatever the user
 * says. Without them, the group is what the user says, or else `vanilla` when a provider reported 0 reasoning tokens.
 */
export function reasoningGroupOf(entries: readonly Entry[], stated: StatedReasoning): ReasoningGroup {
  const tokens = entries.flatMap(({ attempt }) => attempt.usage.reasoningTokens ?? [])
  const options = entries.map(({ attempt }) => attempt.options)
  const efforts = options.flatMap(each => each['reasoning-effort'] ?? [])
  const isOn =
    efforts.some(effort => effort !== 'none') || options.some(each => each['keep-reasoning'] === 'on')
  if (isOn || tokens.some(count => count > 0)) return 'reasoning'
  if (efforts.length > 0) return 'vanilla'
  if (stated !== null)
    return entries.some(({ key }) => stated.some(name => isNamed(key.model, name))) ? 'reasoning' : 'vanilla'
  return tokens.length > 0 ? 'vanilla' : 'not known'
}

/**
 * Checks that each name of `--reasoning-models` is a model of the runs, or `none`.
 *
 * @throws ConfigError [unknown-model]
 */
export function requireModels(stated: StatedReasoning, models: readonly string[]): void {
  const known = [...new Set(models)].sort()
  const unknown = stated?.find(name => name !== noModels && !known.some(model => isNamed(model, name)))
  if (unknown === undefined) return
  throw new ConfigError(
    `--reasoning-models: no run has the model ${describeUnknownName(unknown, [...known, noModels])}. Correct the name.`,
    { code: 'unknown-model' },
  )
}

/** Whether a name is that of a model in the records, or its last part. */
const isNamed = (model: string, name: string): boolean => name === model || name === shortestNameOf(model)
