import { makeTable, type Table } from '../../core/table.ts'
import { type CorpusRecall, recallDepths } from './corpus-recall.ts'

const documentNames: Readonly<Record<number, string>> = { 1: 'evidence', 2: 'gold' }

/** Makes the table of `web recall`. */
export function recallTable(
  { rows, missing }: CorpusRecall,
  { skippedTasks }: { readonly skippedTasks: number },
): Table {
  return makeTable({
    title: 'Judged documents found by searching with each question',
    rows,
    columns: column => [
      column('search', 'text', row => row.search),
      column('documents', 'text', ({ relevance }) => documentNames[relevance] ?? String(relevance)),
      column('questions', 'count', row => row.questions),
      ...recallDepths.map(depth => column(`recall@${depth}`, 'share', ({ recall }) => recall[depth])),
      column('nDCG@10', 'share', row => row.ndcg),
    ],
    remarks: [
      'Means over the questions, in percent. Evidence has a relevance of at least 1, gold of 2.',
      ...(skippedTasks === 0
        ? []
        : [`${skippedTasks} records are left out: tablehunt tasks check says why.`]),
      ...(missing === 0
        ? []
        : [`${missing} judged documents are not in the corpus. They count as not found.`]),
    ],
  })
}
