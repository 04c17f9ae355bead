import type { Attempt } from '../../core/attempt.ts'
import { describeIntervention } from '../../core/fork.ts'
import type { Score } from '../../core/score.ts'
import {
  compareRight,
  correctItems,
  type Item,
  mapFirstScores,
  nameItem,
  type RightItemChanges,
} from '../../core/score-items.ts'
import { makeTable, type Table } from '../../core/table.ts'
import { formatCount } from '../../score/explain/wording.ts'
import type { ForkPlan } from '../plan/fork-plan.ts'
import { readRun } from '../records/read-records.ts'
import type { SourceAttempt } from './source-run.ts'

/** A fork beside its source. */
interface ForkRow extends RightItemChanges {
  readonly attempt: Attempt
  readonly score: Score | undefined
  /** Whether the fork and its source are scored. Otherwise nothing is known of what changed. */
  readonly isCompared: boolean
}

/** Shows what each fork of a plan ended with, and which items changed against its source. */
export async function forkTable(
  folder: string,
  plan: ForkPlan,
  sources: ReadonlyMap<string, SourceAttempt>,
): Promise<Table> {
  const { attempts, scores } = await readRun(folder)
  const firstScores = mapFirstScores(scores)
  const rows = attempts.flatMap((attempt): ForkRow[] => {
    const source = attempt.fork && sources.get(attempt.fork.attemptId)
    if (source === undefined) return []
    const score = firstScores.get(attempt.attemptId)
    const isCompared = [source.score, score].every(one => one?.status === 'scored')
    return [{ attempt, score, isCompared, ...compareRight(source.score, score) }]
  })
  return makeTable({
    title: `Forks of ${[...sources.keys()].join(', ')}`,
    rows,
    columns: column => [
      column('fork', 'text', ({ attempt }) => describeIntervention(attempt.fork!.intervention)),
      column('live from step', 'count', ({ attempt }) => attempt.fork!.atStep, { head: 'live from\nstep' }),
      column('end', 'text', ({ attempt: { termination } }) => `${termination.cause} / ${termination.reason}`),
      column('model calls', 'count', ({ attempt }) => attempt.usage.modelCalls, { head: 'model\ncalls' }),
      column('right', 'count', ({ score }) => countRight(score), { head: 'right\nitems' }),
      column('regained', 'count', row => countChanged(row, row.regained)),
      column('lost', 'count', row => countChanged(row, row.lost), { head: 'newly\nlost' }),
      column('changed', 'text', row =>
        listFirst([...nameItems('+', row.regained), ...nameItems('-', row.lost)]),
      ),
    ],
    remarks: [
      ...[...sources.values()].map(
        ({ attempt, score, turns }) =>
          `The source ${attempt.attemptId} has ${turns} steps, ended as ${attempt.termination.cause} / ${attempt.termination.reason}, and has ${countRight(score) ?? 'unknown'} right items.`,
      ),
      'model calls: those that were asked live. What came before is replayed and is not paid again.',
      ...rows.flatMap(({ attempt: { termination, attemptId } }) =>
        termination.reason === 'diverged' ? [`${attemptId}: ${termination.detail}.`] : [],
      ),
      ...rows.flatMap(({ attempt: { fork, attemptId } }) =>
        fork?.tookEffect === false
          ? [`${attemptId}: the agent made no further call, so that nothing was changed.`]
          : [],
      ),
      `The plan has ${formatCount(plan.forks.length, 'fork')}.`,
    ],
  })
}

const countChanged = ({ isCompared }: ForkRow, items: readonly Item[]): number | null =>
  isCompared ? items.length : null

/** How many changed items a row names. `logs show` of both attempts has all. */
const mostNamed = 3

const nameItems = (sign: string, items: readonly Item[]): string[] =>
  items.map(item => `${sign}${nameItem(item, null)}`)

function listFirst(names: readonly string[]): string {
  const more = names.length > mostNamed ? [`and ${names.length - mostNamed} more`] : []
  return [...names.slice(0, mostNamed), ...more].join('; ')
}

const countRight = (score: Score | null | undefined): number | null =>
  score?.status === 'scored' ? correctItems(score) : null
