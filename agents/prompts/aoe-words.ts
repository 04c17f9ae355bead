import type { PromptLanguage } from '../../src/core/language.ts'

const english = {
  taskWithDocuments:
    'You build one table from several documents to answer a question. The documents, or parts of them, follow the question. Use only what they say.',
  taskOnline:
    'You build one table from several documents to answer a question. You are given the question and the names of the documents, not their contents: find the documents on the web, open and read them, and build the table from what they say. Use only what you have read.',
  domain: {
    financial:
      "The documents are financial reports. Unless the question asks otherwise, write one row per report. The first column is the key and contains the report's name exactly as listed, including the extension. Determine which indicators the question asks for, and write one column for each, with its unit in the header. Take figures from the consolidated statements, for the period that the report covers. Calculate ratios and growth rates that the report does not print.",
    legal:
      'The documents are court cases, statutes or contracts. Write one row for each item that the question asks about. Its first column contains the name of the case or document exactly as listed. If the question asks about persons or parties, write one row for each of them. Keep amounts, terms and articles of law as the document states them. If a cell has several values, write them as a JSON list.',
    academic:
      'The documents are research papers. Write one row for each item that the question asks about. Identify it as the papers print it: write titles in full, and the names of methods and data sets as in the tables. Take results from the tables and the text, and keep the printed precision.',
    general:
      "Determine from the question what each row stands for. The first columns identify the row. If a row belongs to one document, its first column contains the document's name exactly as listed, including the extension.",
  },
  searching:
    'If the first search does not find a document, search with other words: the company, court, author or title, and the year, rather than only the file name. Open what you find and check that it is the right document and not one of another year, party or edition. Long documents are returned in parts: read the parts that you need. Write the answer when you have what the table needs, or when you cannot find more.',
  conventions: [
    'How to write values:',
    '- Write money in full units of its currency, rounded to whole units: 4.5 million is 4,500,000.',
    '- Write numbers of shares as single shares.',
    '- Write a percentage as its number: 12.36% is 12.36. Write ratios and percentages with two decimals.',
    '- Write a negative number with a minus sign: (1,234) is -1234.',
    '- Keep thousands separators, and put quotes around the field: "1,234,567".',
    '- Write null for values that the documents do not contain. Never guess.',
  ].join('\n'),
  format: [
    'The form of the answer: first a schema block that describes each column, then the table as one fenced csv block with a header of one line.',
    '<schema>',
    '- name: the column, with its unit',
    '  about: what the column contains',
    '  format: how the value is written',
    '  valid_type: exact_match, numeric or text',
    '</schema>',
    '```csv',
    'first column,second column',
    'value,"1,234"',
    '```',
    'Put quotes around each field that contains a comma, a quotation mark or a line break. Double the quotation marks inside it.',
  ].join('\n'),
  formatOnline:
    'Before the schema block, say in two to four lines which documents you found, where you found them, and which you did not find.',
  stepByStep:
    'Before you answer, reason step by step and keep it short: what the question asks for; which columns answer it, and in which units; where each document says it; whether every row and every field of the csv is correct.',
  atOnce: 'Write the answer immediately, without reasoning or explanation.',
}

const chinese: typeof english = {
  taskWithDocuments:
    '你的任务是依据若干份文档制作一张表格来回答问题。文档全文或其节选附在问题之后，只能使用其中写明的内容。',
  taskOnline:
    '你的任务是依据若干份文档制作一张表格来回答问题。你只知道问题和各份文档的名字，不知道文档内容：请在网上找到这些文档，打开并阅读，再根据读到的内容制表。没有读到的内容不得写入。',
  domain: {
    financial:
      '这些文档是财务报告。除非问题另有要求，每份报告占一行；第一列写该报告在清单中的名称，一字不差并带扩展名，作为主键。先判断问题涉及哪些指标，每个指标单列一列，列名后注明单位。数据取自合并报表，以报告所涵盖的期间为准。报告没有直接给出的比率或增长率，用已有数据计算。',
    legal:
      '这些文档是案例、法律条文或合同。问题所问的每个对象占一行，行首写该案件或文档在清单中的名称，一字不差；问题按人或当事方提问时，每人每方各占一行。金额、期限、法条按原文书写。一格中有多个值时，写成 JSON 列表。',
    academic:
      '这些文档是学术论文。问题所问的每个条目占一行，按论文中的写法标识：标题写全，方法名和数据集名与论文表格一致。结果取自论文的表格和正文，保留原有精度。',
    general:
      '先根据问题判断每一行代表什么，把能标识该行的列放在最前面。一行对应一份文档时，第一列写该文档在清单中的名称，一字不差并带扩展名。',
  },
  searching:
    '第一次搜索找不到某份文档时，换用其他词语：公司、法院、作者或标题，加上年份，而不要只搜文件名。打开搜到的结果，核对是否就是要找的那一份，而不是其他年份、其他当事人或其他版本。长文档分部分提供，只读需要的部分。制表所需的内容已经齐全，或者无法再找到更多时，给出答案。',
  conventions: [
    '数值的写法：',
    '- 金额一律换算成完整单位并取整到个位：450万写作 4,500,000。',
    '- 股份数量以单股计。',
    '- 百分数只写数值：12.36% 写作 12.36。比率和百分数保留两位小数。',
    '- 负数用负号：(1,234) 写作 -1234。',
    '- 保留千分位逗号，因此该字段要加引号："1,234,567"。',
    '- 文档没有写明的填 null，不得猜测。',
  ].join('\n'),
  format: [
    '答案的格式：先写一个 schema 块，说明每一列；再写一个 csv 代码块给出表格，表头只有一行、不分层级。',
    '<schema>',
    '- name: 列名及单位',
    '  about: 该列的内容',
    '  format: 值的写法',
    '  valid_type: exact_match、numeric 或 text',
    '</schema>',
    '```csv',
    '第一列,第二列',
    '值,"1,234"',
    '```',
    '含有逗号、引号或换行的字段要加引号，字段内的引号写两遍。',
  ].join('\n'),
  formatOnline: '在 schema 块之前，用两到四行说明在哪里找到了哪些文档、哪些没有找到。',
  stepByStep:
    '作答之前先简要地分步思考：问题要什么；用哪些列、什么单位来回答；每份文档在哪里写明；csv 的每一行、每个字段是否正确。',
  atOnce: '直接给出答案，不要写推理或说明。',
}

/**
 * The words of `--prompts aoe-conventions`. They ask for an answer in the form that AOE prescribes: a schema block before
 * the csv, the document's name as the key, and thousands separators kept in quoted fields.
 */
export const aoeWords: Readonly<Record<PromptLanguage, typeof english>> = { en: english, zh: chinese }
