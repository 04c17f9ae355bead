import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { recordLines } from '../../system/record-checksum.ts'
import { iterateRecords, parseLine, readLinesAt } from './json-lines.ts'
import type { PlacedLine } from './record-index.ts'

/** The file of the records of attempts that were made again. Each record has `superseded: true`. */
export function nameSupersededFile(folder: string): string {
  return join(folder, 'superseded.jsonl')
}

const recordSchema = z.looseObject({ attemptId: z.string(), startedAt: z.string() })

/** Adds lines of attempts.jsonl to superseded.jsonl, in their order, unless a killed process has added them before. */
export async function moveToSuperseded(folder: string, places: readonly PlacedLine[]): Promise<void> {
  if (places.length === 0) return
  const [from, to] = [join(folder, 'attempts.jsonl'), nameSupersededFile(folder)]
  const nameOf = (record: z.infer<typeof recordSchema>) => `${record.attemptId} ${record.startedAt}`
  const earlierNames = new Set<string>()
  for await (const record of iterateRecords(to, recordSchema)) earlierNames.add(nameOf(record))
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const [line] = readLinesAt(from, [place])
    const record = parseLine(from, { number: 0, text: line!.toString('utf8') }, recordSchema)
    if (earlierNames.has(nameOf(record))) continue
    await appendFile(to, recordLines([{ ...record, superseded: true }]))
  }
}
