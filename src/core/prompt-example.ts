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
  question: 'Describe the caves by depth, visitors and discoverer.',
  documents: [
    {
      name: 'tolvan.txt',
      text: 'Tolvan Cave is 412 m deep. It was discovered by Iso Brandel, a miner, and has 18,650 visitors a year.',
    },
    { name: 'mirr.txt', text: 'Depth of Mirr Cave: 96 m. Discoverer: Ulla Vost.' },
  ],
  documentColumn: 'Document',
  header: ['Cave', 'Depth (m)', 'Visitors', 'Discoverer'],
  rows: [
    ['Tolvan Cave', '412', '18650', 'Iso Brandel, a miner'],
    ['Mirr Cave', '96', 'null', 'Ulla Vost'],
  ],
  searches: ['Tolvan Cave depth visitors discoverer', 'Mirr Cave depth visitors discoverer'],
}

const chinese: PromptExample = {
  question: '比较各溶洞的深度、游客人数和发现者。',
  documents: [
    { name: '陀罗洞.txt', text: '陀罗洞深412米，由矿工阿萨、伊布二人发现，每年游客18,650人。' },
    { name: '弥尔洞.txt', text: '弥尔洞深度：96米。发现者：乌拉。' },
  ],
  documentColumn: '文档',
  header: ['溶洞', '深度(米)', '游客人数', '发现者'],
  rows: [
    ['陀罗洞', '412', '18650', '阿萨、伊布'],
    ['弥尔洞', '96', 'null', '乌拉'],
  ],
  searches: ['陀罗洞 深度 游客人数 发现者', '弥尔洞 深度 游客人数 发现者'],
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
