import { armKey, armName } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import { countMissingDocuments, describeMissingDocuments } from '../../core/missing-documents.ts'
import type { Score } from '../../core/score.ts'
import { listItems } from '../../core/score-items.ts'
import { isUnfinished } from '../../core/termination.ts'
import { formatShortList } from '../../text/plain-text.ts'
import { type Entry, hasUnknownLeaks, namesDocuments } from './entries.ts'
import { countBilledTokens } from './groups.ts'
import {
  listCallsInTextNotes,
  listDocumentNotes,
  listSuccessNotes,
  listUnratedNotes,
  writeIsolationNote,
} from './record-notes.ts'
import type { ReportInput, ReportManifest } from './report-input.ts'

/** Returns the distinct values, sorted. */
export function sortUnique(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

/** Returns the distinct versions of Tablehunt that made the runs, with shortened commit hashes. */
export function listVersions(manifests: readonly ReportManifest[]): string[] {
  const versions = manifests.flatMap(({ codeVersion, laterVersions = [] }) => [codeVersion, ...laterVersions])
  const knownVersions = versions.filter(version => version !== undefined)
  return sortUnique(knownVersions.map(version => version.replace(/(\+[0-9a-f]{10})[0-9a-f]*$/, '$1')))
}

/** Says how many records of the tasks file were left out of a run. */
export function writeSkippedNote(skipped: number): string {
  return `${skipped} ${skipped === 1 ? 'task could not be read and was' : 'tasks could not be read and were'} skipped`
}

/** Returns how many planned attempts are still to be made: 0 for a finished run. */
export function countAttemptsLeft({ planned, source }: ReportManifest, attempts: readonly Attempt[]): number {
  // A resumed run repeats unfinished attempts. Imported logs cannot be resumed.
  const count = attempts.filter(attempt => source === 'import' || !isUnfinished(attempt.termination)).length
  return Math.max(0, (planned ?? count) - count)
}

/** Says how many attempts of a run are missing. Returns null for a finished run. */
export function writeUnfinishedNote(
  manifest: ReportManifest,
  attempts: readonly Attempt[],
  name = 'the run',
): string | null {
  const missing = countAttemptsLeft(manifest, attempts)
  if (missing === 0) return null
  const { planned } = manifest
  const hasFailed = attempts.some(attempt => attempt.termination.fatalService !== undefined)
  const unfinished = hasFailed ? 'must be repeated' : 'were cancelled'
  const isPartial = (planned ?? 0) - missing < attempts.length
  const how = isPartial ? `have not been made or ${unfinished}` : 'have not been made'
  return `${name} is not finished: ${missing} of ${planned} attempts ${how}`
}

/** Says how many attempts have losses of unknown class. Returns null when there are none. */
export function writeClasslessNote(entries: readonly Entry[]): string | null {
  const classless = entries.filter(
    ({ score }) =>
      score !== null &&
      listItems(score).some(item => item.class === null && item.score !== null && item.score < 1),
  )
  if (classless.length === 0) return null
  const [has, its] = classless.length === 1 ? ['attempt has', 'its task'] : ['attempts have', 'their tasks']
  const losses = `${classless.length} scored ${has} losses of unknown class:`
  if (classless.every(({ attempt }) => attempt.documents?.length === 0))
    return `${losses} ${its} ${classless.length === 1 ? 'names' : 'name'} no documents`
  return `${losses} the evidence or the documents of ${its} are unknown. The run was made without --docs`
}

/** Says how many cells rows gave that similarity matched although their keys differ in a figure. Returns null for none. */
export function writeDifferentFiguresNote(entries: readonly Entry[]): string | null {
  const cells = entries
    .flatMap(({ score }) => score?.cells ?? [])
    .filter(cell => cell.matched?.figuresDiffer === true)
  if (cells.length === 0) return null
  const creditedCount = cells.filter(({ score }) => (score ?? 0) > 0).length
  return `similarity matched rows whose keys differ in a figure, such as two years, and that gave ${formatCount(creditedCount, 'cell', 'cells')} (${formatCount(cells.length, 'was', 'were')} compared). Their values belong to different things`
}

/** Writes a count with the word in the right number: `1 attempt`, `2 attempts`. */
function formatCount(count: number, singular: string, several: string): string {
  return `${count} ${count === 1 ? singular : several}`
}

/**
 * Lists what a reader must know before reading or comparing the scores of a run.
 *
 * @returns notes without a final full stop
 */
export function makeNotes(input: ReportInput, entries: readonly Entry[]): string[] {
  const { manifest, attempts, skippedTasks } = input
  const versions = listVersions([manifest])
  return [
    ...present(writeUnfinishedNote(manifest, attempts)),
    ...listCallsInTextNotes(attempts),
    ...present(writeIsolationNote(attempts)),
    ...(versions.length > 1
      ? [`several versions of tablehunt made this run (${versions.join(', ')}), which can affect the results`]
      : []),
    ...listScoringNotes(input, entries),
    ...listUnratedNotes(input.scores),
    ...listSuccessNotes(input.scores),
    ...listUnreadableScoresNotes(input),
    ...listUnreadableMarksNotes(input),
    ...present(writeMissingDocumentsNote(attempts, input.scores)),
    ...listDocumentNotes(attempts),
    ...listUsageNotes(attempts),
    ...present(writeDifferentFiguresNote(entries)),
    ...(input.scores.length > 0 ? present(writeUnknownDocumentsNote(attempts)) : []),
    ...present(writeClasslessNote(entries)),
    ...listLeakNotes(input),
    ...(skippedTasks.length > 0 ? [writeSkippedNote(skippedTasks.length)] : []),
  ]
}

/**
 * Says how many attempts lacked documents, which, and whether they are scored. Returns null when none did.
 *
 * @param scores The scores of the attempts.
 */
export function writeMissingDocumentsNote(
  attempts: readonly Attempt[],
  scores: readonly Score[],
): string | null {
  const lacking = attempts.filter(({ missingDocuments = [] }) => missingDocuments.length > 0)
  const missing = countMissingDocuments(lacking)
  if (missing === null) return null
  const ids = new Set(lacking.map(({ attemptId }) => attemptId))
  const scored = scores.some(({ attemptId, status }) => status === 'scored' && ids.has(attemptId))
  const effect = scored
    ? 'they are scored as --allow-missing-documents asks, and their scores count in the means'
    : 'they are not scored'
  return `${describeMissingDocuments(missing)}; ${effect}`
}

/** Says for how many attempts the provider's usage reports do not add up, and of which arms they are missing in part. */
export function listUsageNotes(attempts: readonly Attempt[]): string[] {
  const uncertain = attempts.filter(({ usage }) => usage.uncertain === true).length
  const partly = [...groupBy(attempts, armKey).values()].flatMap(listPartlyKnown)
  return [
    ...(uncertain === 0
      ? []
      : [
          `usage: uncertain in ${formatCount(uncertain, 'attempt', 'attempts')}. The token counts of the provider do not add up in any known form, so tokens and cost are a guess`,
        ]),
    ...(partly.length === 0
      ? []
      : [
          `tokens or cost are unknown in ${formatShortList(partly, String, mostPlaces)}. Tokens and US$ per attempt are means over the attempts with a known value`,
        ]),
  ]
}

/** Says in how many attempts of an arm tokens or cost are unknown. Empty when they are in all or in none. */
function listPartlyKnown(attempts: readonly Attempt[]): string[] {
  const unknown = [
    (attempt: Attempt) => countBilledTokens({ attempt }),
    ({ usage }: Attempt) => usage.usd,
  ].flatMap(readSpent => {
    const spent = attempts.map(readSpent)
    const count = spent.filter(value => value === null).length
    return count > 0 && spent.some(value => value !== null && value > 0) ? [count] : []
  })
  if (unknown.length === 0) return []
  return [`${Math.max(...unknown)} of ${attempts.length} attempts of ${armName(attempts[0]!)}`]
}

/** Says for how many tasks the records do not name the documents, so that intervals may be too narrow. */
function writeUnknownDocumentsNote(attempts: readonly Attempt[]): string | null {
  const tasks = new Set(attempts.map(({ taskId }) => taskId))
  const documentedTasks = new Set(attempts.filter(namesDocuments).map(({ taskId }) => taskId))
  const unknown = tasks.size - documentedTasks.size
  if (unknown === 0) return null
  return `the records do not name the documents of ${formatCount(unknown, 'task', 'tasks')}, so each counts as its own group. If tasks share documents, the intervals are too narrow`
}

const mostPlaces = 3

/** Says that the marks of a person count for nothing, because their sheet could not be read. Empty when it could be. */
export function listUnreadableMarksNotes({
  unreadableMarks,
}: {
  readonly unreadableMarks?: string
}): string[] {
  return unreadableMarks === undefined
    ? []
    : [`the marks of a person are left out, because their sheet cannot be read: ${unreadableMarks}`]
}

/** Says which records of scores were left out, and why. Empty when all could be read. */
export function listUnreadableScoresNotes({
  unreadableScores = [],
}: {
  readonly unreadableScores?: readonly string[]
}): string[] {
  const n = unreadableScores.length
  if (n === 0) return []
  const more = n > mostPlaces ? `, and ${n - mostPlaces} more` : ''
  return [
    `${formatCount(n, 'score record', 'score records')} could not be read: ${unreadableScores.slice(0, mostPlaces).join('; ')}${more}. 'tablehunt score RUN' makes new ones`,
  ]
}

function present(note: string | null): string[] {
  return note === null ? [] : [note]
}

/** Reports missing scores, and scores of several judges or scorers. */
function listScoringNotes({ manifest, scores }: ReportInput, entries: readonly Entry[]): string[] {
  const unscored = entries.filter(entry => entry.score === null)
  const missing = new Set(unscored.map(entry => entry.attempt.attemptId)).size
  const judges = sortUnique(scores.map(score => score.judge))
  const scorerNames = sortUnique(scores.map(score => score.scorer))
  return [
    ...(manifest.source === 'import' && scores.length > 0 && missing > 0
      ? [
          `${formatCount(missing, 'sample', 'samples')} of the logs match no task, so there is no score for them. – marks values that the logs do not record`,
        ]
      : []),
    ...(manifest.source === 'import' && scores.length === 0
      ? [
          `this run was imported from ${manifest.config.imported} logs, which have no gold answers, so nothing is scored. – marks values that the logs do not record`,
        ]
      : []),
    ...(manifest.source !== 'import' && missing > 0
      ? [
          `${formatCount(missing, 'attempt has', 'attempts have')} no score record. 'tablehunt score RUN' adds the missing records`,
        ]
      : []),
    ...(judges.length > 1
      ? [`several judges scored this run (${judges.join(', ')}). Do not compare their scores`]
      : []),
    ...(scorerNames.length > 1
      ? [`several scorers scored this run (${scorerNames.join(', ')}). Each has its own tables`]
      : []),
  ]
}

/** Reports attempts that saw gold rows, and attempts for which this is unknown. */
function listLeakNotes({ attempts, tainted }: ReportInput): string[] {
  const leaked = attempts.filter(attempt => tainted?.has(attempt.attemptId)).length
  const unknown = attempts.filter(hasUnknownLeaks).length
  return [
    ...(leaked > 0
      ? [
          `${formatCount(leaked, 'attempt', 'attempts')} saw gold rows outside the task's documents, or a page that publishes answers (see leaks.jsonl). The full tables have the scores with and without them`,
        ]
      : []),
    ...(unknown > 0
      ? [
          `${formatCount(unknown, 'attempt', 'attempts')} with tool calls could not be checked for leaked gold rows, because the evidence of their tasks is unknown`,
        ]
      : []),
  ]
}
