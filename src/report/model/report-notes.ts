import { type Attempt, isUnfinished } from '../../core/attempt.ts'
import { itemsOf } from '../../core/score.ts'
import { type Entry, hasUnknownLeaks } from './entries.ts'
import type { ReportInput, ReportManifest } from './report-input.ts'

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

/** The versions of the program that made the runs, each once, commits cut short. */
export function versionsOf(manifests: readonly ReportManifest[]): string[] {
  const all = manifests.flatMap(({ codeVersion, laterVersions = [] }) => [codeVersion, ...laterVersions])
  const known = all.filter(version => version !== undefined)
  return distinct(known.map(version => version.replace(/(\+[0-9a-f]{10})[0-9a-f]*$/, '$1')))
}

/** That a run left out records of its tasks file, by how many. */
export function skippedNote(skipped: number): string {
  return `${skipped} ${skipped === 1 ? 'task could not be read and was' : 'tasks could not be read and were'} skipped`
}

/** How many attempts of the plan are still to be made; 0 for a finished run. */
export function attemptsLeft(
  { planned, source }: Pick<ReportManifest, 'planned' | 'source'>,
  attempts: readonly Attempt[],
): number {
  // Unfinished attempts are made again, except those of imported logs.
  const made = attempts.filter(one => source === 'import' || !isUnfinished(one.termination)).length
  return Math.max(0, (planned ?? made) - made)
}

/** What a reader must know of a run that is not finished; null for a finished one. */
export function unfinishedNote(
  manifest: Pick<ReportManifest, 'planned' | 'source'>,
  attempts: readonly Attempt[],
  name = 'the run',
): string | null {
  const missing = attemptsLeft(manifest, attempts)
  if (missing === 0) return null
  const { planned } = manifest
  const hasFailed = attempts.some(one => one.termination.fatalService !== undefined)
  const unfinished = hasFailed ? 'are to be made again' : 'were cancelled'
  const isPartial = (planned ?? 0) - missing < attempts.length
  const how = isPartial ? `have not been made or ${unfinished}` : 'have not been made'
  return `${missing} of ${planned} attempts ${how}: ${name} is not finished`
}

/** That the classes of some losses are not known; null where all are. */
export function classlessNote(entries: readonly Entry[]): string | null {
  const classless = entries.filter(
    ({ score }) =>
      score !== null &&
      itemsOf(score).some(item => item.class === null && item.score !== null && item.score < 1),
  ).length
  if (classless === 0) return null
  return `${classless} scored ${classless === 1 ? 'attempt has' : 'attempts have'} losses without a class, because the evidence or the documents of their tasks are unknown (a run without --docs, or of an older version): the waterfall shows these losses as unknown`
}

export function notesOf(input: ReportInput, entries: readonly Entry[]): string[] {
  const notes: string[] = []
  const { manifest, attempts } = input
  const unfinished = unfinishedNote(manifest, attempts)
  if (unfinished !== null) notes.push(unfinished)
  const versions = versionsOf([manifest])
  if (versions.length > 1)
    notes.push(`made by several versions of tablehunt (${versions.join(', ')}): attempts may differ by that`)
  const unscored = new Set(
    entries.filter(entry => entry.score === null).map(entry => entry.attempt.attemptId),
  )
  if (manifest.source === 'import') {
    notes.push(
      `imported from ${manifest.config.imported} logs: no gold, so nothing is scored; – is what the logs do not say`,
    )
  } else if (unscored.size > 0) {
    notes.push(`${unscored.size} attempts have no score record: 'score RUN' makes them`)
  }
  const judges = distinct(input.scores.map(score => score.judge))
  if (judges.length > 1) {
    notes.push(`judges are mixed (${judges.join(', ')}): numbers of different judges do not compare`)
  }
  const profiles = distinct(input.scores.map(score => score.profile))
  if (profiles.length > 1)
    notes.push(`scored by several scorers (${profiles.join(', ')}): each has its own tables`)
  const classless = classlessNote(entries)
  if (classless !== null) notes.push(classless)
  const tainted = attempts.filter(attempt => input.tainted?.has(attempt.attemptId)).length
  if (tainted > 0) {
    notes.push(
      `${tainted} attempts met rows of gold outside their documents, or a page that publishes answers (leaks.jsonl): scores stand with and without them`,
    )
  }
  const unknownLeaks = attempts.filter(hasUnknownLeaks).length
  if (unknownLeaks > 0) {
    notes.push(
      `${unknownLeaks} attempts with tools were not searched for rows of gold that they met: the evidence of their tasks is not known`,
    )
  }
  if (input.skippedTasks.length > 0) {
    notes.push(skippedNote(input.skippedTasks.length))
  }
  return notes
}
