import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, DataError } from '../../core/errors.ts'
import { type Score, scoreSchema } from '../../core/score.ts'
import { listItems } from '../../core/score-items.ts'
import type { JudgeMark } from '../../report/model/judge-agreement.ts'
import type { AuditResult } from '../../report/tables/audit-text.ts'
import {
  type AuditItem,
  agreesWithMark,
  computeAuditAgreement,
  computeMarkerAgreement,
  createAuditSampler,
  isUnsure,
  makeAuditItem,
  makeChosenItem,
} from '../../score/audit.ts'
import { requireWritableFile } from '../../system/files.ts'
import { iterateRecords } from '../records/json-lines.ts'
import { readManifest } from '../records/manifest-file.ts'
import { scoreKey } from '../records/record-index.ts'
import { type MarkedCell, makeAuditId, readSheet, writeSheet } from './audit-sheet.ts'

export interface AuditOptions {
  /** The number of items for a new sheet. Null: only read an existing sheet. */
  readonly sample: number | null
  readonly seed: number
  /** Null: all scorings of the run. */
  readonly scorer: string | null
  readonly judge: string | null
  /** Null: RUN/audit.csv. */
  readonly sheet: string | null
  /** A copy of the sheet that a second person marked in its column `mark`. Null: column `mark2` of the sheet. */
  readonly secondSheet: string | null
  /** Replace an existing sheet. Its marks are lost. */
  readonly anew: boolean
}

/**
 * Writes a sample of a run's judged items for a person to mark, or reads the marks of an existing sheet. An existing sheet
 * is only replaced with `anew`.
 *
 * @throws ConfigError [sheet-missing] DataError [nothing-to-audit, foreign-sheet, outdated-sheet] and those of `readSheet`
 */
export async function auditRun(folder: string, options: AuditOptions): Promise<AuditResult> {
  await readManifest(folder)
  const sheet = options.sheet ?? join(folder, 'audit.csv')
  if (existsSync(sheet) && !options.anew) {
    const lines = (await readSheet(sheet)).filter(({ isAnswer }) => !isAnswer)
    // A sheet with notes about whole answers alone gets its sample now.
    if (lines.length > 0 || options.sample === null)
      return await readMarks(folder, sheet, lines, options.secondSheet)
  }
  if (options.sample === null)
    throw new ConfigError(
      `${sheet} does not exist. Write a sheet with: tablehunt audit ${folder} --sample N`,
      { code: 'sheet-missing' },
    )
  const sampler = createAuditSampler(options.sample, options.seed)
  for await (const score of iterateLatestScores(folder)) if (isWanted(score, options)) sampler.add(score)
  const items = sampler.sample()
  if (items.length === 0)
    throw new DataError(writeNothingToMark(folder, options), { code: 'nothing-to-audit' })
  await requireWritableFile('--sheet', sheet)
  await writeSheet(sheet, items)
  return { kind: 'written', sheet, items: items.length }
}

function isWanted(score: Score, { scorer, judge }: AuditOptions): boolean {
  return (scorer === null || score.scorer === scorer) && (judge === null || score.judge === judge)
}

function writeNothingToMark(folder: string, { scorer, judge }: AuditOptions): string {
  const of = [...(scorer === null ? [] : [`scorer ${scorer}`]), ...(judge === null ? [] : [`judge ${judge}`])]
  const scoring = of.length === 0 ? '' : ` of ${of.join(', ')}`
  return `${folder}: no items${scoring} were decided by a judge, or by a rule other than equality. Score the run with --judge rules or a model first.`
}

/** Yields the latest score of each attempt, scorer and judge. */
async function* iterateLatestScores(folder: string): AsyncGenerator<Score> {
  const path = join(folder, 'scores.jsonl')
  const last = new Map<string, number>()
  let line = 0
  for await (const score of iterateRecords(path, scoreKey.schema)) last.set(scoreKey.of(score), line++)
  line = 0
  for await (const score of iterateRecords(path, scoreSchema))
    if (last.get(scoreKey.of(score)) === line++) yield score
}

/** Reads the marks of a run's items in a sheet. */
async function readMarks(
  folder: string,
  sheet: string,
  lines: readonly MarkedCell[],
  secondSheet: string | null,
): Promise<AuditResult> {
  const second = secondSheet === null ? null : await readSecond(secondSheet, lines)
  const { items, lost } = await matchMarks(folder, lines, second)
  if (items.length === 0)
    throw new DataError(
      `${sheet}: none of its ${lines.length} items belongs to ${folder}. Name the sheet of this run.`,
      { code: 'foreign-sheet' },
    )
  if (lost > 0)
    throw new DataError(
      `${sheet}: a judge or a rule of ${folder} no longer decides ${lost} of its items. Write a new sheet with --new.`,
      { code: 'outdated-sheet' },
    )
  const isMarked = (text: string): boolean => text !== '' && !isUnsure(text)
  const marked = items.filter(item => isMarked(item.mark)).length
  const marked2 = items.filter(item => isMarked(item.mark2)).length
  const result = {
    kind: 'read',
    sheet,
    items: items.length,
    marked,
    agreement: computeAuditAgreement(items),
  } as const
  return marked2 === 0 ? result : { ...result, marked2, markers: computeMarkerAgreement(items) }
}

/** Finds the items of a run that a sheet marks, and counts those that are no longer in the run. */
async function matchMarks(
  folder: string,
  lines: readonly MarkedCell[],
  second: ReadonlyMap<string, string> | null,
): Promise<{ readonly items: readonly AuditItem[]; readonly lost: number }> {
  const marks = new Map(
    lines.map(({ id, mark, mark2, isChosen }) => [
      id,
      { mark, mark2: second === null ? mark2 : (second.get(id) ?? ''), isChosen },
    ]),
  )
  const items: AuditItem[] = []
  for await (const score of iterateLatestScores(folder)) {
    for (const scored of listItems(score)) {
      const item = makeChosenItem(score, scored)
      const mark = item === null ? undefined : marks.get(makeAuditId(item))
      if (item === null || mark === undefined) continue
      if (!mark.isChosen && makeAuditItem(score, scored) === null) continue
      items.push({ ...item, ...mark })
      marks.delete(makeAuditId(item))
    }
  }
  return { items, lost: marks.size }
}

/** The marks of a run for a report. */
export interface JudgeMarks {
  readonly marks: readonly JudgeMark[]
  /** Why the sheet could not be read. Absent when it could be, and when there is none. */
  readonly unreadableMarks?: string
}

/** Reads the marks in RUN/audit.csv for a report. A sheet that cannot be read has none, and says why. */
export async function readJudgeMarks(folder: string): Promise<JudgeMarks> {
  const sheet = join(folder, 'audit.csv')
  if (!existsSync(sheet)) return { marks: [] }
  const lines = await readSheet(sheet).catch((error: unknown) => {
    if (!(error instanceof DataError)) throw error
    // Reports contain no paths.
    return error.message.replace('--sheet ', '').replace(sheet, 'audit.csv').replace(/\.$/, '')
  })
  if (typeof lines === 'string') return { marks: [], unreadableMarks: lines }
  const { items } = await matchMarks(folder, lines, null)
  const marks = items.flatMap(item => {
    const { attemptId, scorer, judge } = item
    const agrees = agreesWithMark(item)
    return agrees === null ? [] : [{ attemptId, scorer, judge, agrees }]
  })
  return { marks }
}

/** Reads the marks in a second person's copy of a sheet. */
async function readSecond(path: string, lines: readonly MarkedCell[]): Promise<Map<string, string>> {
  const copy = await readSheet(path)
  const ids = new Set(lines.map(({ id }) => id))
  const foreign = copy.filter(({ id, isAnswer }) => !isAnswer && !ids.has(id)).length
  if (foreign === 0) return new Map(copy.map(({ id, mark }) => [id, mark]))
  throw new DataError(
    `--second-sheet ${path}: ${foreign} of its ${copy.length} items are not in the first sheet. Name a copy of the first sheet.`,
    { code: 'foreign-sheet' },
  )
}
