import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { z } from 'zod/v4'
import { type Attempt, attemptSchema } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import { type Score, scoreSchema } from '../../core/score.ts'
import type { ScoredCell, ScoredItem } from '../../core/scored-item.ts'
import {
  DamagedLineError,
  iterateCompleteLines,
  type LineSpan,
  parseLine,
  readLinesAt,
} from './json-lines.ts'
import { scoreKey } from './record-index.ts'

/** An attempt with its scores, as the run's files contain them. */
export interface WholeRecord {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
}

/** The parts of a run's records that figures over the whole run need. A run of any size fits into memory. */
export interface RunSummaries {
  /** Without the answers' text. */
  readonly attempts: readonly Attempt[]
  /** Each item has its place, score, class and mark only. */
  readonly scores: readonly Score[]
  /** What is wrong with each record of a score that is left out, with its line. Empty when all could be read. */
  readonly unreadableScores: readonly string[]
  /**
   * Reads the whole record of an attempt.
   *
   * @throws DataError [records-changed] when the files were written again since
   */
  wholeOf(attemptId: string): Promise<WholeRecord>
}

/**
 * Reads the summaries of a run's records. A later record replaces an earlier one of the same key.
 *
 * @throws DataError [invalid-record, damaged-record] that names the line of an attempt. Scores that are damaged or not records are left out
 */
export async function readSummaries(folder: string): Promise<RunSummaries> {
  const [attemptsPath, scoresPath] = [join(folder, 'attempts.jsonl'), join(folder, 'scores.jsonl')]
  const attempts = await readLatest(attemptsPath, attemptSchema, attempt => attempt.attemptId, withoutText)
  const problems = new Map<string, string>()
  const scores = await readLatest(scoresPath, scoreSchema, scoreKey.of, scoreSummaries(), problems)
  const scoreKeys = new Map<string, string[]>()
  for (const [key, { summary }] of scores)
    scoreKeys.set(summary.attemptId, [...(scoreKeys.get(summary.attemptId) ?? []), key])
  return {
    attempts: [...attempts.values()].map(entry => entry.summary),
    scores: [...scores.values()].map(entry => entry.summary),
    unreadableScores: [...problems.values()],
    async wholeOf(attemptId) {
      const entry = attempts.get(attemptId)
      if (entry === undefined) throw new Error(`${attemptId}: no such attempt in ${folder}`)
      const [attempt] = readAgain<Attempt>(attemptsPath, [entry.place])
      const places = (scoreKeys.get(attemptId) ?? []).map(key => scores.get(key)!.place)
      return { attempt: attempt!, scores: readAgain<Score>(scoresPath, places) }
    },
  }
}

interface SummaryPlace extends LineSpan {
  /** CRC-32 of the line. */
  readonly sum: number
}

interface Summarised<T> {
  readonly summary: T
  readonly place: SummaryPlace
}

/** @param problems receives the problems of lines that are not records, by their keys. Absent: such a line is an error */
async function readLatest<T>(
  path: string,
  schema: z.ZodType<T>,
  keyOf: (record: T) => string,
  summaryOf: (record: T) => T,
  problems?: Map<string, string>,
): Promise<Map<string, Summarised<T>>> {
  const byKey = new Map<string, Summarised<T>>()
  for await (const line of iterateCompleteLines(path)) {
    let record: T
    try {
      record = parseLine(path, line, schema)
    } catch (error) {
      if (problems === undefined || !(error instanceof DataError)) throw error
      if (error instanceof DamagedLineError) {
        problems.set(error.problem, `${error.problem}. It is left out`)
        continue
      }
      if (error.code !== 'invalid-record') throw error
      const key = scoreKey.of(parseLine(path, line, scoreKey.schema))
      byKey.delete(key)
      problems.set(key, `${error.message.replace(/ Use the version .*$/, '')} It is left out`)
      continue
    }
    const { start, length, text } = line
    problems?.delete(keyOf(record))
    byKey.set(keyOf(record), { summary: summaryOf(record), place: { start, length, sum: crc32(text) } })
  }
  return byKey
}

/** Reads records again. Their checksums show that the lines are still those that were validated before. */
function readAgain<T>(path: string, places: readonly SummaryPlace[]): T[] {
  return readLinesAt(path, places).map((line, at) => {
    if (crc32(line) !== places[at]!.sum)
      throw new DataError(`${path} was changed while it was read. Run the command again.`, {
        code: 'records-changed',
      })
    const { checksum: _, ...record } = JSON.parse(line.toString('utf8'))
    return record as T
  })
}

function withoutText(attempt: Attempt): Attempt {
  const { json: _, ...answer } = attempt.answer
  const { files: _files, ...rest } = attempt
  return { ...rest, answer: { ...answer, csv: null } }
}

/** Returns a score without texts of gold, answer and documents. Figures over the whole run stay the same. */
export function withoutItemTexts(score: Score): Score {
  const summary = scoreSummaries()(score)
  const items = summary.items.map(({ evidence: _, ...item }) => item)
  return { ...summary, items, explanation: [] }
}

/** Removes the nodes of an extraction; their counts are fields of the record. */
function extractSummary({ extract }: Score): Partial<Score> {
  return extract === undefined ? {} : { extract: { ...extract, nodes: [], summary: null } }
}

/** Returns a function that summarises scores. Cells, and other items, of the same place, score and class share one object. */
function scoreSummaries(): (score: Score) => Score {
  const cells = new Map<string, ScoredCell>()
  const shareCell = ({ goldRow, column, turn, unseen, score, class: name }: ScoredCell): ScoredCell => {
    const key = JSON.stringify([goldRow, column, turn, unseen, score, name])
    const marks = { ...(turn === undefined ? {} : { turn }), ...(unseen === undefined ? {} : { unseen }) }
    const summary = { goldRow, column, ...marks, gold: '', predicted: null, score, rule: '', class: name }
    const same = cells.get(key) ?? summary
    cells.set(key, same)
    return same
  }
  const items = new Map<string, ScoredItem>()
  const shareItem = (item: ScoredItem): ScoredItem => {
    const summary = { ...item, gold: '', predicted: null, rule: '' }
    const key = JSON.stringify(summary)
    const same = items.get(key) ?? summary
    items.set(key, same)
    return same
  }
  return score => ({
    ...score,
    cells: score.cells.map(shareCell),
    items: score.items.map(shareItem),
    ...extractSummary(score),
  })
}
