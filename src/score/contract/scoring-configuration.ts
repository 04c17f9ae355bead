import { DataError } from '../../core/errors.ts'
import type { Gold } from '../../core/gold.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import type { Scorer } from './scorer.ts'

const configurations = new WeakMap<Scorer, WeakMap<Gold, unknown>>()

/**
 * Returns the configuration of a gold value for a scorer, validated once.
 *
 * @returns undefined when the scorer takes none
 * @throws DataError [invalid-scoring] naming the task
 */
export function readConfiguration(scorer: Scorer, name: string, gold: Gold, taskId: string): unknown {
  if (scorer.configuration === undefined) return undefined
  const ofScorer = configurations.get(scorer) ?? new WeakMap<Gold, unknown>()
  configurations.set(scorer, ofScorer)
  if (ofScorer.has(gold)) return ofScorer.get(gold)
  const parsed = scorer.configuration.safeParse(gold.scoring)
  if (!parsed.success)
    throw new DataError(
      `${taskId}: the task's configuration for scorer ${name} is invalid: ${describeZodProblem(parsed.error, 'scoring')}. Correct the task, or use another --scorer.`,
      { code: 'invalid-scoring' },
    )
  ofScorer.set(gold, parsed.data)
  return parsed.data
}
