import type { ScoringOptions } from '../config/scoring-config.ts'
import type { RunScoring } from '../run/scores/score-run.ts'
import type { JudgeFunction } from '../score/judge/function-judge.ts'
import { loadPluginsOption, type PluginsOption } from './plugins.ts'

/**
 * Options of `scoreRun`.
 *
 * @example
 * import type { ScoreRunOptions } from 'tablehunt'
 *
 * const options: ScoreRunOptions = { scorer: ['aoe', 'strict'], judge: 'rules' }
 */
export interface ScoreRunOptions extends Omit<ScoringOptions, 'judge'>, PluginsOption {
  /**
   * `rules` (default), `none`, a model as on the command line (`PROVIDER:NAME` or `PROVIDER:NAME@URL`), or a function that
   * receives a prompt and returns the model's reply.
   */
  readonly judge?: string | JudgeFunction
  /** How often each attempt is scored, to measure how stable the scores are. The first scores are kept. Default: 1. */
  readonly repeat?: number
  /** Aborts requests to the judge. */
  readonly signal?: AbortSignal
  /** Receives notices, such as a plug-in that changed since the run. When absent, notices are dropped. */
  readonly tell?: (notice: string) => void
}

/**
 * Scores a finished run again, as `tablehunt score` does. Calls no model under test. In scores.jsonl it replaces the scores of
 * the same scorer and judge, and keeps all others.
 *
 * @param folder a run's folder; its tasks must still be where the run read them
 * @throws DataError [not-a-run, tasks-missing, tasks-changed, no-gold, unknown-benchmark]
 * ConfigError [unknown-option, invalid-repeat, unknown-scorer, wrong-scorer, needs-judge-model, plugin-not-found]
 * RunError [provider-failed, judge-failed]
 *
 * @example
 * import { readRun, scoreRun } from 'tablehunt'
 *
 * const { scores } = await scoreRun('runs/first', { scorer: 'strict', judge: 'rules' })
 * console.log(`${scores} scores written`)
 * const records = await readRun('runs/first')
 * console.log(records.scores.filter(score => score.scorer === 'strict').map(score => score.metrics.cellF1))
 */
export async function scoreRun(folder: string, options: ScoreRunOptions = {}): Promise<RunScoring> {
  const { plugins, judge, repeat = 1, signal, tell, ...scoring } = options
  await loadPluginsOption(plugins)
  const { resolveScoring } = await import('../config/scoring-config.ts')
  const { scoreRun: scoreFolder } = await import('../run/scores/score-run.ts')
  if (!Number.isInteger(repeat) || repeat < 1) {
    const { ConfigError } = await import('../core/errors.ts')
    throw new ConfigError(`repeat: ${repeat} is not valid: expected a whole number of 1 or more`, {
      code: 'invalid-repeat',
    })
  }
  return await scoreFolder(folder, {
    config: resolveScoring({ ...scoring, ...(typeof judge === 'string' ? { judge } : {}) }),
    repeats: repeat,
    signal: signal ?? new AbortController().signal,
    ...(typeof judge === 'function' ? { ask: judge } : {}),
    ...(tell === undefined ? {} : { tell }),
  })
}
