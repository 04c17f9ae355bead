import { publishedColumns } from '../../aoe-columns.ts'
import { parseRecordId } from '../../aoe-record.ts'
import type { DemoDocument } from './blocks.ts'
import { judgments, statuteCases } from './cases-data.ts'
import type { Company } from './company.ts'
import { caseObject, statuteRows, verdictRows } from './judgments.ts'
import { goldCells, keyFigures } from './key-figures.ts'
import { citationRows, resultRows } from './papers.ts'
import { papers } from './papers-data.ts'
import { statementsOf } from './statements.ts'

/** A report that a financial task asks about. */
export interface Report {
  readonly company: Company
  readonly period: string
  readonly document: DemoDocument
}

/** One line of the demo's tasks, in AOE's record format. */
export interface TaskRecord {
  readonly record_id: string
  readonly query: string
  readonly language: string
  readonly input_doc: readonly unknown[]
  readonly answers: readonly Readonly<Record<string, unknown>>[]
}

/** A record of one of AOE's financial tasks: its columns are the published ones, its values come from the companies. */
export function financialTask(recordId: string, query: string, reports: readonly Report[]): TaskRecord {
  const { task, language } = parseRecordId(recordId)
  const columns = task === null || language === null ? null : publishedColumns(task, language)
  if (columns === null || language === null) throw new Error(`${recordId} names no task of AOE's`)
  return {
    record_id: recordId,
    query,
    language,
    input_doc: reports.map(report => report.document.fileName),
    answers: reports.map(({ company, period, document }) => {
      const cells = goldCells(company, keyFigures(company, statementsOf(company), period))
      const values = columns.targets.map(column => {
        if (!(column in cells)) throw new Error(`${recordId}: no figure for ${column}`)
        return [column, cells[column]]
      })
      return { [columns.keys[0] ?? 'Filename']: document.fileName, ...Object.fromEntries(values) }
    }),
  }
}

/** The legal and academic records. */
export function otherTasks(): TaskRecord[] {
  const paperFiles = papers.map(paper => paper.fileName)
  return [
    {
      record_id: 'legal_demo-statutes_0_zh',
      query: '阅读下列案件，找出与每个案件相关联的法律条文。',
      language: 'zh',
      input_doc: statuteCases.map(caseObject),
      answers: statuteRows(statuteCases),
    },
    {
      record_id: 'legal_demo-verdicts_1_zh',
      query: '请整理下列案件中各被告人的判决结果。',
      language: 'zh',
      input_doc: judgments.map(judgment => `${judgment.caseName}.pdf`),
      answers: verdictRows(judgments),
    },
    {
      record_id: 'academic_demo-tidepool_0_en',
      query:
        'Identify possible citation relationships among the following articles, understand them, and give the specific content that is taken from the cited article.',
      language: 'en',
      input_doc: paperFiles,
      answers: citationRows(papers),
    },
    {
      record_id: 'academic_demo-tidepool_1_en',
      query: 'List the top-1 accuracy of the methods proposed in these papers on the Tidepool-40 benchmark.',
      language: 'en',
      input_doc: paperFiles,
      answers: resultRows(papers, 'Tidepool-40'),
    },
  ]
}
