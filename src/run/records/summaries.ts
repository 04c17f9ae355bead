import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { z } from 'zod/v4'
import { type Attempt, attemptSchema } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import { type Score, type ScoredCell, type ScoredItem, scoreSchema } from '../../core/score.ts'
import { parseLine, type Span, wholeLines } from './json-lines.ts'
import { scoreKey } from './record-index.ts'

/** An attempt with its scores, as they stand in the run's files. */
export interface WholeRecord {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
}

/** A run's records as far as figures over the whole run need them, so that a run of any size can be reported. */
export interface RunSummaries {
  /** Without the answers' text. */
  readonly attempts: readonly Attempt[]
  /** Each item keeps its score and class alone; one that is right though unseen its place too. */
  readonly scores: readonly Score[]
  /**
   * The record of one attempt with all that it holds, read when it is asked for. Rejects with DataError where the files
   * were written anew since.
   */
  wholeOf(attemptId: string): Promise<WholeRecord>
}

/** Reads a run's records, later ones in place of earlier ones of the same key. DataError names a line that is no record. */
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
  for await (const line of wholeLines(path)) {
    const record = parseLine(path, line, schema)
    const { start, length, text } = line
    byKey.set(keyOf(record), { summary: summaryOf(record), place: { start, length, sum: crc32(text) } })
  }
  return byKey
}

/** Lines that were found to be records, which they still are as long as they are the same. */
function readAgain<T>(path: string, places: readonly (Place | undefined)[], schema: z.ZodType<T>): T[] {
  // A file of which no line is wanted may be none.
  if (places.length === 0) return []
  const file = openSync(path, 'r')
  try {
    return places.flatMap(place => {
      if (place === undefined) return []
      const line = Buffer.alloc(place.length)
      readSync(file, line, 0, place.length, place.start)
      if (crc32(line) !== place.sum) throw new DataError(`${path}: written anew while it was read: try again`)
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

/** An extraction's counts stand in the record beside its nodes. */
function extractSummary({ extract }: Score): Partial<Pick<Score, 'extract'>> {
  return extract === undefined ? {} : { extract: { ...extract, nodes: [], summary: null } }
}

/** Cells, and other items, of one score and class are one object, however many there are. */
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
