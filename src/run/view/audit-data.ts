import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { type Item, listItems } from '../../core/score-items.ts'
import type { AuditedItem, AuditSheetData } from '../../report/page/served-data.ts'
import { type AuditItem, makeChosenItem } from '../../score/audit.ts'
import { type MarkedCell, makeAuditId, type NewMark, readSheet, writeMark } from '../scores/audit-sheet.ts'
import type { RunWatch } from './run-watch.ts'

/** A mark as the page sends it. */
export const markSchema = z.object({
  attemptId: z.string().max(500),
  /** The id in the sheet. Null when the person marks a cell of a task, which `item` then names. */
  id: z.string().max(100).nullable(),
  /** The index of an item of the attempt's first score. Null with a null `id`: the whole answer. */
  item: z.int().min(0).nullable(),
  /** Absent: the mark stays. */
  mark: z.enum(['right', 'wrong', 'unsure', '']).optional(),
  /** Absent: the note stays. */
  note: z.string().trim().max(4_000).optional(),
  /** The name of the person. Spreadsheets read no such name as a formula. */
  marker: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u),
})
export type MarkRequest = z.infer<typeof markSchema>

const nameSheet = (folder: string): string => join(folder, 'audit.csv')

/** Reads the audit sheet of a run with the items that its scores still contain. A run without a sheet has no items. */
export async function readAuditData(run: RunWatch): Promise<AuditSheetData> {
  const path = nameSheet(run.folder)
  const lines = existsSync(path) ? await readSheet(path) : []
  const nameOf = (place: 0 | 1): string =>
    lines.map(({ markers }) => markers[place]).find(name => name !== '') ?? ''
  const answers = lines.flatMap(({ isAnswer, attemptId, mark, mark2, note }) =>
    isAnswer ? [{ attemptId, marks: [mark, mark2] as const, note }] : [],
  )
  return { markers: [nameOf(0), nameOf(1)], items: lines.flatMap(line => listLineItems(run, line)), answers }
}

function listLineItems(run: RunWatch, { id, attemptId, mark, mark2, note }: MarkedCell): AuditedItem[] {
  const match = makeSheetItem(run, attemptId, id)
  if (match === null) return []
  const { item, taskId, index } = match
  const { gold, predicted: answer } = item
  return [
    {
      id,
      attemptId,
      taskId,
      gold,
      answer,
      item: index,
      place: item.place.map(part => (typeof part === 'number' ? `row ${part + 1}` : part)).join(', '),
      marks: [mark, mark2],
      note,
    },
  ]
}

interface SheetItem {
  readonly item: AuditItem
  readonly taskId: string
  /** The index of the item in the attempt's first score. Null when another score contains it. */
  readonly index: number | null
}

function makeSheetItem(run: RunWatch, attemptId: string, id: string): SheetItem | null {
  const whole = run.wholeOf(attemptId)
  for (const [scoring, score] of whole?.scores.entries() ?? []) {
    for (const [at, scored] of listItems(score).entries()) {
      const item = makeChosenItem(score, scored)
      if (item !== null && whole !== null && makeAuditId(item) === id)
        return { item, taskId: whole.attempt.taskId, index: scoring === 0 ? at : null }
    }
  }
  return null
}

/**
 * Writes a mark into the audit sheet of a run.
 *
 * @throws DataError [unknown-item] when the run has no such item with a score
 */
export async function setMark(run: RunWatch, request: MarkRequest): Promise<void> {
  const { attemptId, mark, note, marker } = request
  const item = findMarkedItem(run, request)
  if (item === undefined || item === null)
    throw new DataError(
      `${run.folder}: attempt ${attemptId} has no such item with a score. Load the page again.`,
      { code: 'unknown-item' },
    )
  await writeMark(nameSheet(run.folder), { item, mark, note, marker })
}

function findMarkedItem(run: RunWatch, request: MarkRequest): NewMark['item'] | null | undefined {
  const { attemptId, id, item } = request
  if (id !== null) return makeSheetItem(run, attemptId, id)?.item
  if (item !== null) return findFirstScoreItem(run, request)
  return run.has(attemptId) ? { answerOf: attemptId } : null
}

function findFirstScoreItem(run: RunWatch, { attemptId, item }: MarkRequest): AuditItem | null {
  const [score] = run.wholeOf(attemptId)?.scores ?? []
  const match: Item | undefined = score === undefined ? undefined : listItems(score)[item ?? -1]
  return score === undefined || match === undefined ? null : makeChosenItem(score, match)
}
