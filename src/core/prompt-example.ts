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
  question: 'Describe the caves by depth, share that is open and discoverer.',
  documents: [
    {
      name: 'tolvan.txt',
      text: 'The cave Tolvan, Lower Hall is 1,412 m deep, and 37.5% of it is open to visitors. Iso Brandel discovered it.',
    },
    { name: 'mirr.txt', text: 'Mirr Cave. Depth: 96 m. Open: 8%. Discoverer: Ulla Vost.' },
  ],
  documentColumn: 'Document',
  header: ['Cave', 'Depth (m)', 'Open share (%)', 'Discoverer'],
  rows: [
    ['Tolvan, Lower Hall', '1412', '37.5', 'Iso Brandel'],
    ['Mirr Cave', '96', '8', 'Ulla Vost'],
  ],
  searches: ['Tolvan cave depth open share discoverer', 'Mirr Cave depth open share discoverer'],
}

const chinese: PromptExample = {
  question: '比较各溶洞的深度、开放比例和发现者。',
  documents: [
    { name: '陀罗洞.txt', text: '陀罗洞深1,412米，37.5%的洞段对外开放，由矿工伊布发现。' },
    { name: '弥尔洞.txt', text: '弥尔洞深度：96米，开放比例8%。发现者：乌拉。' },
  ],
  documentColumn: '文档',
  header: ['溶洞', '深度(米)', '开放比例(%)', '发现者'],
  rows: [
    ['陀罗洞', '1412', '37.5', '矿工伊布'],
    ['弥尔洞', '96', '8', '乌拉'],
  ],
  searches: ['陀罗洞 深度 开放比例 发现者', '弥尔洞 深度 开放比例 发现者'],
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
