import { agreementsTable } from './agreements.ts'
import type { Asked, SeenDocument } from './asked.ts'
import { casesTable } from './cases.ts'
import { extractionAnswer } from './extraction.ts'
import { jobsTable } from './jobs.ts'
import { papersTable } from './papers.ts'
import { reportsTable } from './reports.ts'
import { resultsTable } from './results.ts'
import { type Table, writeAnswer } from './table.ts'

/** The kinds of task by words of the question, and by words of the documents where the question does not tell. */
const kinds: readonly (readonly [
  question: RegExp,
  content: RegExp,
  (asked: Asked, documents: readonly SeenDocument[]) => Table,
])[] = [
  [/credit agreement|loan agreement|\blenders?\b|\bborrowers?\b/i, /credit agreement/i, agreementsTable],
  [/案件|被告|判决|罪名|刑期|法律条文|关联索引/, /被告人|公诉机关/, casesTable],
  [/\bpapers?\b|\barticles\b|论文|\bcited\b|\bauthors?\b/i, /^\s*(?:abstract|references)\b/im, papersTable],
  [
    /\bjobs?\b|\bcandidates?\b|resume|\bemploy/i,
    /work experience|employment history|curriculum vitae/i,
    (_asked, documents) => jobsTable(documents),
  ],
  [
    /championship|athlete|\bswim|\branked result/i,
    /event no|age group/i,
    (_asked, documents) => resultsTable(documents),
  ],
  [
    /compan(?:y|ies)|fiscal|financial|profit|revenue|balance sheet|earnings|财务|公司|利润|资产|营收|业绩|报表|年报/i,
    /balance sheets?|income statements?|资产负债表|利润表/i,
    reportsTable,
  ],
]

/** The whole answer to a question from the documents that were seen; `notes` stand before it. */
export function answer(asked: Asked, documents: readonly SeenDocument[], notes: readonly string[]): string {
  if (asked.schema !== undefined && asked.schema !== null)
    return extractionAnswer(asked.schema, documents, notes)
  const text = documents.map(document => document.text.slice(0, 20_000)).join('\n')
  const kind =
    kinds.find(([question]) => question.test(asked.query)) ?? kinds.find(([, content]) => content.test(text))
  const table = kind === undefined ? titlesTable(documents) : kind[2](asked, documents)
  return [...notes, writeAnswer(table)].join('\n\n')
}

function titlesTable(documents: readonly SeenDocument[]): Table {
  const titles = documents.map(({ name, text }) => [
    name,
    text
      .split('\n')
      .find(line => line.trim() !== '')
      ?.trim() ?? null,
  ])
  return { columns: ['Filename', 'Title'], rows: titles }
}
