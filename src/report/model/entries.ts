import { type Arm, type ArmOptions, armKey, optionsText, unchangedFork } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Score } from '../../core/score.ts'
import type { ScoreLimits } from '../../core/score-limits.ts'
import { findTaskComponents } from '../../score/statistics/components.ts'
import type { GroupKey } from './report-group.ts'

/** An attempt with its score by one scorer and judge. `score` is null when there is no score record. */
export interface Entry {
  readonly attempt: Attempt
  readonly score: Score | null
  readonly key: GroupKey
  /** The group of tasks that share documents with the attempt's task (see `componentsOf`). */
  readonly component: string
  /** Whether the attempt is in the leak ledger. */
  readonly tainted: boolean
  /** What answers without any work get at the task under the scorer. Null when unknown. */
  readonly limits: ScoreLimits | null
}

/**
 * The order in which reports show settings: from the setting that receives least to the one that must find
 * everything.
 */
const settingOrder = ['closed-book', 'offline', 'rag', 'table-rag', 'text-to-sql', 'online']

/** Facts about an attempt that neither its record nor its score contains. */
interface EntryContext {
  /** Ids of the attempts in the leak ledger. */
  readonly tainted?: ReadonlySet<string> | undefined
  readonly limits?: readonly ScoreLimits[] | undefined
  /** The components of the tasks. The default is those of the attempts. */
  readonly components?: TaskComponents
}

/**
 * Joins attempts with their scores: one entry for each attempt, scorer and judge. An attempt whose task asks for another kind
 * of answer than a scorer takes has no entry for that scorer.
 */
export function joinEntries(
  attempts: readonly Attempt[],
  scores: readonly Score[],
  { tainted = new Set(), limits = [], components = connectDocuments(attempts) }: EntryContext = {},
): Entry[] {
  const scorings = new Map<
    string,
    { scorer: string; judge: string; kind?: Score['kind']; byAttempt: Map<string, Score> }
  >()
  const kinds = new Map<string, Score['kind']>()
  for (const score of scores) {
    const { scorer, judge, kind } = score
    kinds.set(score.attemptId, kind)
    const name = JSON.stringify([scorer, judge])
    const scoring = scorings.get(name) ?? { scorer, judge, kind, byAttempt: new Map<string, Score>() }
    scoring.byAttempt.set(score.attemptId, score)
    scorings.set(name, scoring)
  }
  const limitsByTask = new Map(limits.map(limit => [JSON.stringify([limit.scorer, limit.taskId]), limit]))
  if (scorings.size === 0) scorings.set('', { scorer: 'none', judge: 'none', byAttempt: new Map() })
  const isOfKind = (attempt: Attempt, kind: Score['kind'] | undefined): boolean =>
    kind === undefined || (kinds.get(attempt.attemptId) ?? kind) === kind
  return [...scorings.values()].flatMap(({ scorer, judge, kind, byAttempt }) =>
    attempts
      .filter(attempt => isOfKind(attempt, kind))
      .map(attempt => ({
        attempt,
        score: byAttempt.get(attempt.attemptId) ?? null,
        key: { setting: attempt.setting, model: attempt.model, options: attempt.options, scorer, judge },
        component: components.get(attempt.taskId) ?? attempt.taskId,
        tainted: tainted.has(attempt.attemptId),
        limits: limitsByTask.get(JSON.stringify([scorer, attempt.taskId])) ?? null,
      })),
  )
}

/** Whether an attempt called tools, and it is unknown whether their results contained gold rows. */
export function hasUnknownLeaks({ evidence, toolFailures }: Attempt): boolean {
  return evidence === null && toolFailures !== undefined
}

/** An entry whose attempt is scored. */
export type ScoredEntry = Entry & { readonly score: Score }

/** Whether an entry has a score. */
export function isScored(entry: Entry): entry is ScoredEntry {
  return entry.score?.status === 'scored'
}

/** Orders arms by model, then by setting as `compareSettings` does, then by options. */
export function compareArms(a: Arm, b: Arm): number {
  return (
    compareText(a.model, b.model) ||
    compareSettings(a.setting, b.setting) ||
    compareOptions(formatSorted(a.options), formatSorted(b.options))
  )
}

/** Forks of one cause are side by side, and their control is the first of them. */
function formatSorted({ fork, ...options }: ArmOptions): string {
  return optionsText(fork === undefined ? options : { ...options, fork: fork === unchangedFork ? '' : fork })
}

/** Orders settings as reports show them. Settings of plug-ins come last, by name. */
export function compareSettings(a: string, b: string): number {
  const rank = (setting: string): number => {
    const at = settingOrder.indexOf(setting)
    return at === -1 ? settingOrder.length : at
  }
  return rank(a) - rank(b) || compareText(a, b)
}

/** Orders options as text, with numbers by their value: 8000 before 32000. */
function compareOptions(a: string, b: string): number {
  const partsOf = (options: string): string[] => options.match(/\d+|\D+/g) ?? []
  const [left, right] = [partsOf(a), partsOf(b)]
  const at = left.findIndex((part, index) => part !== right[index])
  const [leftPart = '', rightPart = ''] = [left[at], right[at]]
  const byValue = /^\d+$/.test(leftPart) && /^\d+$/.test(rightPart) ? Number(leftPart) - Number(rightPart) : 0
  return byValue || compareText(a, b)
}

/** Orders texts by code units, so that the order is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Groups entries by scoring, in the order of the records, then by arm, in the order of reports. */
export function groupByKey(entries: readonly Entry[]): { key: GroupKey; entries: Entry[] }[] {
  const scorings = groupBy(entries, ({ key }) => JSON.stringify([key.scorer, key.judge]))
  return [...scorings.values()].flatMap(scoring => {
    const groups = groupBy(scoring, ({ key }) => armKey(key))
    return [...groups.values()]
      .map(group => ({ key: group[0]!.key, entries: group }))
      .sort((a, b) => compareArms(a.key, b.key))
  })
}

/** Groups entries by domain, in the order of the domains' names. */
export function groupByDomain(entries: readonly Entry[]): [string, Entry[]][] {
  return [...groupBy(entries, entry => entry.attempt.domain)].sort(([a], [b]) => compareText(a, b))
}

/** The component of each task, by task id: tasks that share documents are in one (see `findTaskComponents`). */
type TaskComponents = ReadonlyMap<string, string>

/**
 * Finds the components of the tasks of these attempts. Within a benchmark, documents with the same name are the same
 * document. The documents of a task are those that any of its attempts names. Imported logs without a task name them
 * in `context` or `discovery` only, and those of attempts without either are unknown.
 */
export function connectDocuments(attempts: readonly Attempt[]): TaskComponents {
  return findTaskComponents(
    attempts.map(attempt => ({
      task: attempt.taskId,
      documents: listDocumentNames(attempt).map(name => JSON.stringify([attempt.benchmark, name])),
    })),
  )
}

/** Whether the records of a task's attempts say which documents it asks about. */
export function namesDocuments(attempt: Attempt): boolean {
  return attempt.documents !== undefined || attempt.context !== null || attempt.discovery !== null
}

function listDocumentNames({ documents = [], context, discovery }: Attempt): string[] {
  const named = [...(context?.documents ?? []), ...(discovery?.hints ?? [])]
  return [...documents, ...named.map(({ hint }) => hint)]
}
