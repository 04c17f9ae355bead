import type { PromptLanguage } from '../../src/core/language.ts'

const english = {
  /** Asks for a query. */
  task: [
    'You write one SQLite query whose result answers a question about tables. You see the columns of the tables, not all of their rows.',
    '- Write one SELECT statement. The tables cannot be changed.',
    '- Select what the question asks for, and also the values that show why the row is the right one.',
    '- Compare texts as the tables write them. Use LIKE when you do not know the exact text.',
    'Think in short steps if you need to. Then end with the query in one ```sql block.',
  ].join('\n'),
  /** Asks for the columns and values that a question needs, in the setting table-rag. */
  lookup: [
    'You prepare a query of tables that you do not see. List what must be looked up to answer the question: the columns that the query needs, in the words that a table may use for them, and the values of cells that the question mentions.',
    'An example for another question, "How deep is the cave that Ada Holt discovered?":',
    '<lookup>',
    'column: cave name',
    'column: depth in metres',
    'column: discoverer',
    'value: Ada Holt',
    '</lookup>',
    'Answer with only the lookup block.',
  ].join('\n'),
  headings: {
    question: 'Question',
    earlier: 'Earlier questions and answers',
    tables: 'Tables',
    values: 'Values in the tables',
    answer: 'Answer',
  },
  /** Follows a query that failed. `{problem}` is replaced by the reason. */
  repair:
    'The query has no result: {problem}. Write a corrected query in one ```sql block. This is the last attempt.',
  /** The reason when an answer contains no query. */
  noQuery: 'the answer contains no ```sql block with a query',
  /** The name of the document that contains a query and its result. `{number}` is replaced by 1 for the first query. */
  result: 'query {number}',
  /** Follows the last query that failed. `{problem}` is replaced by the reason. */
  failed: 'The query has no result: {problem}',
  noRows: 'The result has no rows.',
  /** `{rows}` is replaced by the number of rows that are shown. */
  moreRows: 'Only the first {rows} rows are shown.',
}

const chinese: typeof english = {
  task: [
    '你写一条SQLite查询，用它的结果回答一个关于表格的问题。你能看到表格的列，但看不到全部的行。',
    '- 只写一条SELECT语句。表格不能修改。',
    '- 选出问题所问的内容，以及能说明为什么是这一行的值。',
    '- 按表格中的写法比较文字。不确定原文时用LIKE。',
    '需要时可以分步简短思考，最后用一个```sql代码块写出查询。',
  ].join('\n'),
  lookup: [
    '你为一个查询做准备，但看不到表格。列出回答问题需要查找的内容：查询需要的列（用表格可能的写法），以及问题提到的单元格的值。',
    '另一个问题“阿达·霍尔特发现的溶洞有多深？”的例子：',
    '<lookup>',
    'column: 溶洞名称',
    'column: 深度（米）',
    'column: 发现者',
    'value: 阿达·霍尔特',
    '</lookup>',
    '只回答lookup块。',
  ].join('\n'),
  headings: {
    question: '问题',
    earlier: '之前的问题和回答',
    tables: '表格',
    values: '表格中的值',
    answer: '回答',
  },
  repair: '查询没有结果：{problem}。请在一个```sql代码块中写出改正后的查询。这是最后一次机会。',
  noQuery: '回答中没有写着查询的```sql代码块',
  result: '查询{number}',
  failed: '查询没有结果：{problem}',
  noRows: '结果没有任何行。',
  moreRows: '只显示前{rows}行。',
}

/** The words of the settings that answer from the tables of documents by a query. */
export const programWords: Readonly<Record<PromptLanguage, typeof english>> = { en: english, zh: chinese }
