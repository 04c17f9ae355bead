import { createHash } from 'node:crypto'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import { packageVersion } from '../../src/system/paths.ts'
import type { ExportedLog, Json } from './exported-log.ts'

/** What the header of a log says of one of its samples. */
export interface SampleFacts {
  readonly taskId: string
  readonly trial: number
  readonly startedAt: string
  readonly endedAt: string
  readonly scores: readonly ScoreFacts[]
}

interface ScoreFacts {
  readonly scorer: string
  readonly judge: string
  readonly status: Score['status']
  readonly metrics: Score['metrics']
}

/** Returns what the header says of a sample. The rest is not kept, so that a log can have any number of samples. */
export function readSampleFacts({ attempt, scores }: ExportedLog): SampleFacts {
  const { taskId, trial, startedAt, endedAt } = attempt
  const kept = scores.map(({ scorer, judge, status, metrics }) => ({ scorer, judge, status, metrics }))
  return { taskId, trial, startedAt, endedAt, scores: kept }
}

/** What a log contains besides its samples. */
export interface InspectLogFacts {
  readonly runId: string
  /** The name of the arm. */
  readonly arm: string
  /** An attempt of the arm. */
  readonly first: Attempt
  readonly samples: readonly SampleFacts[]
}

/** Makes the header of a log, which is Inspect AI's `EvalLog` without its samples. */
export function createHeader({ runId, arm, first, samples }: InspectLogFacts): Json {
  const { benchmark, setting, model, agent, options } = first
  const startedAt = samples.map(sample => sample.startedAt).sort()[0] ?? ''
  const endedAt =
    samples
      .map(sample => sample.endedAt)
      .sort()
      .at(-1) ?? ''
  const ids = [...new Set(samples.map(({ taskId }) => taskId))]
  return {
    version: 2,
    status: 'success',
    eval: {
      eval_id: shortId(`${runId}\n${arm}`),
      run_id: shortId(runId),
      task_id: shortId(`task\n${runId}\n${arm}`),
      created: startedAt,
      task: benchmark,
      task_version: 0,
      model,
      task_args: { arm, setting, ...(agent !== undefined && { agent }), ...options },
      dataset: { name: benchmark, samples: ids.length, sample_ids: ids, shuffled: false },
      config: { epochs: samples.reduce((most, { trial }) => Math.max(most, trial + 1), 1) },
      packages: { tablehunt: packageVersion },
    },
    plan: { name: 'plan', steps: [], config: {} },
    results: {
      total_samples: samples.length,
      completed_samples: samples.length,
      scores: summariseScores(samples.flatMap(({ scores }) => scores)),
    },
    stats: { started_at: startedAt, completed_at: endedAt, model_usage: {} },
  }
}

/** Returns an identifier of 22 characters, the same one for the same text. */
export const shortId = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Returns the mean of each metric over the scored attempts, as Inspect AI prints it. Reports of Tablehunt weigh differently. */
function summariseScores(scores: readonly ScoreFacts[]): Json[] {
  const names = [...new Set(scores.map(score => `${score.scorer}/${score.judge}`))]
  return names.flatMap(name => {
    const scorerScores = scores.filter(score => `${score.scorer}/${score.judge}` === name)
    const scored = scorerScores.filter(({ status }) => status === 'scored')
    const keys = [...new Set(scored.flatMap(({ metrics }) => Object.keys(metrics)))]
    return keys.flatMap(key => {
      const values = scored.flatMap(({ metrics }) => metrics[key] ?? [])
      if (values.length === 0) return []
      const value = values.reduce((sum, metric) => sum + metric, 0) / values.length
      return [
        {
          name: key,
          scorer: scorerScores[0]!.scorer,
          params: { judge: scorerScores[0]!.judge },
          scored_samples: values.length,
          unscored_samples: scorerScores.length - values.length,
          metrics: { mean: { name: 'mean', value, params: {} } },
        },
      ]
    })
  })
}
