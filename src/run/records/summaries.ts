import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { z } from 'zod/v4'
import { type Attempt, attemptSchema } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import { type Score, type ScoredCell, type ScoredItem, scoreSchema } from '../../core/score.ts'
import { iterateCompleteLines, parseLine, type Span } from './json-lines.ts'
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
  /** Each item has its score and its class only; an unseen correct item also has its place. */
  readonly scores: readonly Score[]
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
 * @throws DataError [invalid-record, damaged-record] that names the line
 */
export async function readSummaries(folder: string): Promise<RunSummaries> {
  const [attemptsPath, scoresPath] = [join(folder, 'attempts.jsonl'), join(folder, 'scores.jsonl')]
  const attempts = await summarise(attemptsPath, attemptSchema, attempt => attempt.attemptId, withoutText)
  const scores = await summarise(scoresPath, scoreSchema, scoreKey.of, scoreSummaries())
  const scoreKeys = new Map<string, string[]>()
  for (const [key, { summary }] of scores)
    scoreKeys.set(summary.attemptId, [...(scoreKeys.get(summary.attemptId) ?? []), key])
  return {
    attempts: [...attempts.values()].map(one => one.summary),
    scores: [...scores.values()].map(one => one.summary),
    async wholeOf(attemptId) {
      const [attempt] = readAgain(attemptsPath, [attempts.get(attemptId)?.place], attemptSchema)
      if (attempt === undefined) throw new Error(`${attemptId}: no such attempt in ${folder}`)
      const places = (scoreKeys.get(attemptId) ?? []).map(key => scores.get(key)?.place)
      return { attempt, scores: readAgain(scoresPath, places, scoreSchema) }
    },
  }
}

interface Place extends Span {
  /** CRC-32 of the line. */
  readonly sum: number
}

interface Summarised<T> {
  readonly summary: T
  readonly place: Place
}

async function summarise<T>(
  path: string,
  schema: z.ZodType<T>,
  keyOf: (record: T) => string,
  summaryOf: (record: T) => T,
): Promise<Map<string, Summarised<T>>> {
  const byKey = new Map<string, Summarised<T>>()
  for await (const line of iterateCompleteLines(path)) {
    const record = parseLine(path, line, schema)
    const { start, length, text } = line
    byKey.set(keyOf(record), { summary: summaryOf(record), place: { start, length, sum: crc32(text) } })
  }
  return byKey
}

/** Reads records again. Their checksums show whether the lines are still the same. */
function readAgain<T>(path: string, places: readonly (Place | undefined)[], schema: z.ZodType<T>): T[] {
  // Without places the file may be missing.
  if (places.length === 0) return []
  const file = openSync(path, 'r')
  try {
    return places.flatMap(place => {
      if (place === undefined) return []
      const line = Buffer.alloc(place.length)
      readSync(file, line, 0, place.length, place.start)
      if (crc32(line) !== place.sum) {
        throw new DataError(`${path} was changed while it was read. Run the command again.`, {
          code: 'records-changed',
        })
      }
      return [schema.parse(JSON.parse(line.toString('utf8')))]
    })
  } finally {
    closeSync(file)
  }
}

function withoutText(attempt: Attempt): Attempt {
  const { json: _, ...answer } = attempt.answer
  return { ...attempt, answer: { ...answer, csv: null } }
}

/** Removes the nodes of an extraction; their counts are fields of the record. */
function extractSummary({ extract }: Score): Partial<Pick<Score, 'extract'>> {
  return extract === undefined ? {} : { extract: { ...extract, nodes: [], summary: null } }
}

/** Returns a function that summarises scores. Cells, and other items, of the same score and class share one object. */
function scoreSummaries(): (score: Score) => Score {
  const known = new Map<string, ScoredCell>()
  const shared = ({ goldRow, column, turn, unseen, score, class: cellClass }: ScoredCell): ScoredCell => {
    if (unseen === true) {
      const place = turn === undefined ? { goldRow, column } : { goldRow, column, turn }
      return { ...place, gold: '', predicted: null, score, rule: '', class: cellClass, unseen }
    }
    const key = `${score} ${cellClass}`
    const cell = known.get(key)
    if (cell !== undefined) return cell
    const made = { goldRow: 0, column: '', gold: '', predicted: null, score, rule: '', class: cellClass }
    known.set(key, made)
    return made
  }
  const items = new Map<string, ScoredItem>()
  const sharedItem = (item: ScoredItem): ScoredItem => {
    const { score, class: itemClass } = item
    if (item.unseen === true) return { ...item, gold: '', predicted: null, rule: '' }
    const key = `${score} ${itemClass}`
    const same = items.get(key) ?? { id: '', gold: '', predicted: null, score, rule: '', class: itemClass }
    items.set(key, same)
    return same
  }
  return score => ({
    ...score,
    cells: score.cells.map(shared),
    items: score.items.map(sharedItem),
    ...extractSummary(score),
  })
}
