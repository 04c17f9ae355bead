import { answerKinds } from '../../../tasks/kinds/answer-kinds.ts'
import { benchmarks, scorers } from '../../../tasks/registry.ts'
import { listScorersForKind, makeWrongScorerError } from '../../../tasks/scorers.ts'
import { listDefaultScorers } from '../../config/benchmark-defaults.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Gold } from '../../core/gold.ts'
import type { Task } from '../../core/task.ts'
import { readConfiguration } from '../../score/contract/scoring-configuration.ts'

/** The options that choose the scorers. */
interface ScorerChoice {
  readonly benchmark: string
  /** Empty: the tasks decide. */
  readonly scorer: readonly string[]
  readonly judge: string
}

/**
 * Returns the names of the scorers that a run uses: those that take a kind of gold that its tasks have. Without a choice,
 * the tasks decide. Validates what the tasks configure for their scorers.
 *
 * @throws ConfigError [wrong-scorer, needs-judge-model, invalid-scorer] DataError [invalid-scoring]
 */
export function chooseScorers(
  { benchmark, scorer: choice, judge }: ScorerChoice,
  tasks: readonly Task[],
): string[] {
  const scorer = choice.length === 0 ? listDefaultScorers(benchmark, tasks) : choice
  const kinds = [...new Set(tasks.map(({ gold }) => gold.kind))]
  for (const name of scorer) {
    requirePrimary(name)
    requireKind(name, benchmarks.get(benchmark).answerKinds)
  }
  const chosen = scorer.filter(name => kinds.includes(scorers.get(name).kind))
  for (const kind of kinds) requireScorer(kind, chosen)
  for (const name of chosen) requireJudge(name, judge)
  for (const { gold, turnGolds = [], question } of tasks) {
    for (const goldValue of [gold, ...turnGolds])
      for (const name of listScorers(chosen, goldValue))
        readConfiguration(scorers.get(name), name, goldValue, question.taskId)
  }
  return chosen
}

/**
 * Refuses a scorer that cannot score a gold value.
 *
 * @throws ConfigError [unknown-scorer, wrong-scorer, needs-judge-model, invalid-scorer]
 */
export function requireScorerFor({ kind }: Gold, name: string, judge: string): void {
  requirePrimary(name)
  requireKind(name, [kind])
  requireJudge(name, judge)
}

/** Returns the scorers that take a gold value. */
export function listScorers(names: readonly string[], { kind }: Gold): string[] {
  return names.filter(name => scorers.get(name).kind === kind)
}

/** Checks that a scorer has exactly one primary metric: a plug-in's scorer may have any number. */
function requirePrimary(name: string): void {
  const primary = scorers.get(name).metrics.filter(metric => metric.primary)
  if (primary.length === 1) return
  throw new ConfigError(
    `--scorer ${name}: ${primary.length} of its metrics are primary. Mark exactly one of them as primary.`,
    { code: 'invalid-scorer' },
  )
}

function requireKind(name: string, kinds: readonly Gold['kind'][]): void {
  const { kind } = scorers.get(name)
  if (kinds.includes(kind)) return
  const nouns = kinds.map(answerKind => answerKinds[answerKind].noun).join(' or ')
  const why = `it scores ${answerKinds[kind].noun}, and the tasks ask for ${nouns}`
  throw makeWrongScorerError(name, why, kinds.flatMap(listScorersForKind))
}

/** Refuses a choice of scorers that leaves a kind of task without a score. */
function requireScorer(kind: Gold['kind'], chosen: readonly string[]): void {
  if (chosen.some(name => scorers.get(name).kind === kind)) return
  const why = `no scorer takes the tasks that ask for ${answerKinds[kind].noun}`
  throw makeWrongScorerError(chosen.join(','), why, listScorersForKind(kind))
}

function requireJudge(name: string, judge: string): void {
  if (scorers.get(name).needsJudgeModel !== true || (judge !== 'rules' && judge !== 'none')) return
  throw new ConfigError(
    `--scorer ${name}: it needs a judge model, and --judge is ${judge}. Add --judge PROVIDER:NAME.`,
    { code: 'needs-judge-model' },
  )
}
