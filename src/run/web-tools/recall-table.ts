import { percent } from '../../report/tables/numbers.ts'
import { left, type ReportTable, right } from '../../report/tables/report-table.ts'
import { type CorpusRecall, recallDepths } from './corpus-recall.ts'

const documentNames: Readonly<Record<number, string>> = { 1: 'evidence', 2: 'gold' }

/** Makes the table of `web recall`. */
export function recallTable(
  { rows, missing }: CorpusRecall,
  { skippedTasks }: { readonly skippedTasks: number },
): ReportTable {
  return {
    title: 'Judged documents found by searching with each question',
    columns: [
      left('search'),
      left('documents'),
      right('questions'),
      ...recallDepths.map(depth => right(`recall@${depth}`)),
      right('nDCG@10'),
    ],
    rows: rows.map(({ search, relevance, questions, recall, ndcg }) => [
      search,
      documentNames[relevance] ?? String(relevance),
      String(questions),
      ...recallDepths.map(depth => percent(recall[depth])),
      percent(ndcg),
    ]),
    remarks: [
      'Means over the questions, in percent. Evidence has a relevance of at least 1, gold of 2.',
      ...(skippedTasks === 0
        ? []
        : [`${skippedTasks} records are left out: tablehunt tasks check says why.`]),
      ...(missing === 0
        ? []
        : [`${missing} judged documents are not in the corpus. They count as not found.`]),
    ],
  }
}
