import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TraceEvent } from '../../../logs/events.ts'
import { parseTrace } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'
import { recordLines } from '../../system/record-checksum.ts'
import type { FileList } from './attempt-files.ts'
import { iterateRecords } from './json-lines.ts'
import { type Leak, leakSchema, readLeaks } from './leaks.ts'

/**
 * Finds the leaks that traces contain and leaks.jsonl lacks, because the file was lost or cut.
 *
 * @returns all leaks of each attempt that lacks some
 */
export async function findLostLeaks(folder: string, attempts: Iterable<FileList>): Promise<Leak[]> {
  const listed = new Map<string, number>()
  for await (const { attemptId } of iterateRecords(join(folder, 'leaks.jsonl'), leakSchema))
    listed.set(attemptId, (listed.get(attemptId) ?? 0) + 1)
  const lost: Leak[] = []
  for (const { attemptId, taskId, setting } of attempts) {
    const path = tracePath(folder, attemptId)
    const trace = (await readFile(path, 'utf8').catch(ifMissing)) ?? ''
    const isLeak = (line: string): boolean => line.includes('"type":"leak-found"')
    const { events } = parseTrace(trace, path, isLeak, () => undefined)
    const leaks = listTraceLeaks(events, { attemptId, taskId, setting })
    if (leaks.length > (listed.get(attemptId) ?? 0)) lost.push(...leaks)
  }
  return lost
}

/** Returns the leaks that the trace of an attempt contains. */
export function listTraceLeaks(
  events: readonly TraceEvent[],
  { attemptId, taskId, setting }: Omit<Leak, 'step' | 'how' | 'url' | 'detail'>,
): Leak[] {
  return events.flatMap(event => {
    if (event.type !== 'leak-found') return []
    const { step, how, url, detail } = event
    return [{ attemptId, taskId, setting, step, how, url, detail }]
  })
}

/** Writes lost leaks to leaks.jsonl again. Returns the number of their attempts. */
export async function restoreLeaks(folder: string, lost: readonly Leak[]): Promise<number> {
  const attemptIds = new Set(lost.map(({ attemptId }) => attemptId))
  if (attemptIds.size === 0) return 0
  const remainingLeaks = (await readLeaks(folder)).filter(({ attemptId }) => !attemptIds.has(attemptId))
  await writeFileDurably(join(folder, 'leaks.jsonl'), recordLines([...remainingLeaks, ...lost]))
  return attemptIds.size
}
