/**
 * The worked example that our prompts contain. It is invented, and its domain is unlike that of any benchmark, so that a
 * line of it in an answer can only have been copied from the prompt.
 */
export interface PromptExample {
  readonly question: string
  readonly documents: readonly { readonly name: string; readonly text: string }[]
  /** The name of the column that names a row's document. */
  readonly documentColumn: string
  readonly header: readonly string[]
  /** One row for each document, in the order of the documents. */
  readonly rows: readonly (readonly string[])[]
  /** What an agent searches for first. */
  readonly searches: readonly string[]
}

/** Where a table names the document of each row. */
export type DocumentColumn = 'first' | 'last' | 'none'

const english: PromptExample = {
  question: 'Describe the caves by depth, share that is open and date of discovery.',
  documents: [
    {
      name: 'tolvan.txt',
      text: 'The cave Tolvan, Lower Hall is 1,412 m deep, and 37.5% of it is open to visitors. It was discovered on 4 March 1911.',
    },
    { name: 'mirr.txt', text: 'Mirr Cave. Depth: 96 m. Open: 8%. Discovered: 19 May 1958.' },
  ],
  documentColumn: 'Document',
  header: ['Cave', 'Depth (m)', 'Open share (%)', 'Discovered'],
  rows: [
    ['Tolvan, Lower Hall', '1412', '37.5', '4 March 1911'],
    ['Mirr Cave', '96', '8', '19 May 1958'],
  ],
  searches: ['Tolvan cave depth open share discovered', 'Mirr Cave depth open share discovered'],
}

const chinese: PromptExample = {
  question: '比较各溶洞的深度、开放比例和发现日期。',
  documents: [
    { name: '陀罗洞.txt', text: '陀罗洞深1,412米，37.5%的洞段对外开放，1911年3月4日发现。' },
    { name: '弥尔洞.txt', text: '弥尔洞深度：96米，开放比例8%。发现日期：1958年5月19日。' },
  ],
  documentColumn: '文档',
  header: ['溶洞', '深度(米)', '开放比例(%)', '发现日期'],
  rows: [
    ['陀罗洞', '1412', '37.5', '1911年3月4日'],
    ['弥尔洞', '96', '8', '1958年5月19日'],
  ],
  searches: ['陀罗洞 深度 开放比例 发现日期', '弥尔洞 深度 开放比例 发现日期'],
}

/** The worked example by language. */
export const promptExamples: Readonly<Record<'en' | 'zh', PromptExample>> = { en: english, zh: chinese }

/** The example's table, its header first, with the document's column where it is asked for. */
export function exampleTable(example: PromptExample, documentColumn: DocumentColumn): string[][] {
  const names = [example.documentColumn, ...example.documents.map(({ name }) => name)]
  return [example.header, ...example.rows].map((row, at) => {
    if (documentColumn === 'none') return [...row]
    return documentColumn === 'first' ? [names[at]!, ...row] : [...row, names[at]!]
  })
}
