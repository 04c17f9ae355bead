import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, DataError } from '../../core/errors.ts'
import { requireWritableFile } from '../../core/require-writable.ts'
import { type Score, scoreSchema } from '../../core/score.ts'
import type { AuditResult } from '../../report/tables/audit-text.ts'
import { type AuditCell, auditAgreement, auditCell, createAuditSampler } from '../../score/audit.ts'
import { eachRecord } from '../records/json-lines.ts'
import { scoreKey } from '../records/record-index.ts'
import { readManifest } from '../records/run-folder.ts'
import { auditId, readSheet, writeSheet } from './audit-sheet.ts'

export interface AuditOptions {
  /** Cells for a new sheet; null: only read the sheet that is there. */
  readonly sample: number | null
  readonly seed: number
  /** Null: all scorings of the run. */
  readonly profile: string | null
  readonly judge: string | null
  /** Null: RUN/audit.csv. */
  readonly sheet: string | null
  /** Write a new sheet over the one that is there, its marks lost. */
  readonly anew: boolean
}

/**
 * Writes a sample of a run's judged cells for a person to mark, or reads the marks back. A sheet that is there is read,
 * never written over unless asked. Rejects with ConfigError or DataError where there is nothing to mark or to read.
 */
export async function auditRun(folder: string, options: AuditOptions): Promise<AuditResult> {
  await readManifest(folder)
  const sheet = options.sheet ?? join(folder, 'audit.csv')
  if (existsSync(sheet) && !options.anew) return await readMarks(folder, sheet)
  if (options.sample === null)
    throw new ConfigError(`${sheet}: no sheet there: write one with audit ${folder} --sample N`)
  const sampler = createAuditSampler(options.sample, options.seed)
  let extracts = false
  for await (const score of scoresOf(folder)) {
    extracts ||= score.extract !== undefined
    if (isWanted(score, options)) sampler.add(score)
  }
  const cells = sampler.sample()
  if (cells.length === 0 && extracts)
    throw new DataError(`${folder}: asked for JSON: an audit is of the cells of tables`)
  if (cells.length === 0) throw new DataError(nothingToMark(folder, options))
  await requireWritableFile('--sheet', sheet)
  await writeSheet(sheet, cells)
  return { kind: 'written', sheet, cells: cells.length }
}

function isWanted(score: Score, { profile, judge }: AuditOptions): boolean {
  return (profile === null || score.profile === profile) && (judge === null || score.judge === judge)
}

function nothingToMark(folder: string, { profile, judge }: AuditOptions): string {
  const of = [
    ...(profile === null ? [] : [`profile ${profile}`]),
    ...(judge === null ? [] : [`judge ${judge}`]),
  ]
  const scoring = of.length === 0 ? '' : ` of ${of.join(', ')}`
  return `${folder}: no cells${scoring} that a judge or a rule beyond plain equality settled: score it with --judge rules or a model first`
}

/** Where a later line replaces an earlier one of the same scoring, the later alone. */
async function* scoresOf(folder: string): AsyncGenerator<Score> {
  const path = join(folder, 'scores.jsonl')
  const last = new Map<string, number>()
  let line = 0
  for await (const score of eachRecord(path, scoreKey.schema)) last.set(scoreKey.of(score), line++)
  line = 0
  for await (const score of eachRecord(path, scoreSchema))
    if (last.get(scoreKey.of(score)) === line++) yield score
}

async function readMarks(folder: string, sheet: string): Promise<AuditResult> {
  const lines = await readSheet(sheet)
  const marks = new Map(lines.map(({ id, mark }) => [id, mark]))
  const cells: AuditCell[] = []
  for await (const score of scoresOf(folder)) {
    for (const scored of score.cells) {
      const cell = auditCell(score, scored)
      const mark = cell === null ? undefined : marks.get(auditId(cell))
      if (cell === null || mark === undefined) continue
      cells.push({ ...cell, mark })
      marks.delete(auditId(cell))
    }
  }
  if (cells.length === 0)
    throw new DataError(
      `${sheet}: none of its ${lines.length} cells is one of ${folder}: is it of another run?`,
    )
  const lost = marks.size
  if (lost > 0)
    throw new DataError(
      `${sheet}: ${lost} of its cells are no longer scored by a judge or rule of ${folder}: write a new sheet with --new`,
    )
  const marked = cells.filter(cell => cell.mark !== '').length
  return { kind: 'read', sheet, cells: cells.length, marked, agreement: auditAgreement(cells) }
}
