import type { PromptLanguage } from '../../src/core/language.ts'
import type { DocumentColumn } from '../../src/core/prompts.ts'

/**
 * The version of the texts that a model reads: prompts, notes of the agent loop, tool descriptions and tool results. It
 * changes with every change that a model can see. docs/prompts.md lists the versions.
 */
export const promptsVersion = 5

/** The domains with their own instructions. All other domains use `general`. */
export type PromptDomain = 'financial' | 'legal' | 'academic' | 'general'

const english = {
  task: 'You build one table from documents to answer a question. The documents, or parts of them, follow the question. Use only what they say.',
  taskOnline:
    'You build one table from documents to answer a question. You are given the names of the documents, not their contents: find the documents on the web with your tools and read them. Use only what you have read.',
  /** Explains the columns and rows of the table. */
  rows: {
    general:
      "Columns: if the question names the columns, use exactly those columns in that order and no others. Otherwise the first column names what the row is about, such as the hotel or the person. Then comes one column for each value that the question asks for. The last column is Document and contains the document's name as listed.\nRows: one for each item that the question asks about, from all documents.",
    financial:
      "Columns: if the question names the columns, use exactly those columns in that order. Otherwise the first column is Document and contains the report's name as listed, including the extension. Each indicator that the question asks for has its own column, with its unit in the header.\nRows: one for each report.\nTake figures from the consolidated statements, for the period that the report covers. Calculate ratios and growth rates that the report does not print.",
    legal:
      'Columns: if the question names the columns, use exactly those columns in that order. Otherwise the first column contains the name of the case or document as listed, and each value that the question asks for has its own column.\nRows: one for each item that the question asks about. If it asks about persons or parties, write one row for each of them.\nKeep amounts, terms and articles of law as the document states them. If a cell has several values, write them as a JSON list.',
    academic:
      'Columns: if the question names the columns, use exactly those columns in that order. Otherwise the first columns identify the row. Then comes one column for each value that the question asks for.\nRows: one for each item that the question asks about.\nWrite titles in full. Write the names of methods and data sets as the tables of the papers do. Take results from tables and text with the printed precision.',
  },
  /** The column that names the document of each row, as `rows` explains it. */
  documentColumn: { financial: 'first', legal: 'first', academic: 'none', general: 'last' } as Readonly<
    Record<PromptDomain, DocumentColumn>
  >,
  conventions: [
    'Values:',
    '- Write numbers in plain digits without units, in the unit that the question or the name of the column asks for, such as "in kSEK" or "(EUR million)". If neither asks for one, write them in full: "51,700 m" is 51700, "12.36%" is 12.36, "4.5 million" is 4500000, a loss of "(1,234)" is -1234.',
    '- Round ratios that you calculate to two decimals.',
    '- Copy dates and texts as the document prints them.',
    '- Write null for values that the documents do not contain. Never guess.',
  ].join('\n'),
  /** What the model may write before the table. Used with chain of thought only. */
  reasoning:
    'If a value must be calculated or the documents are unclear, reason in short steps before the table.',
  /** Explains how to find the documents. `{calls}` is replaced by the first call of the example. */
  searching: [
    'How to work:',
    '1. Call web_search in your first turn, because you do not know the documents yet. For documents about two caves, for example, call it with {calls}.',
    '2. Open the results with fetch_page, and PDF files with read_pdf. Check that each one is the right document and not one of another year, party or edition. Read the parts that you need.',
    '3. If you have not found a document, search again with other words.',
    '4. Write the answer when you have read everything that the table needs, or when you cannot find more.',
  ].join('\n'),
  example: { title: 'An example with other documents:', question: 'Question', answer: 'Answer' },
  /** The end of the user message, with chain of thought (`stepByStep`) and without it (`atOnce`). */
  closing: {
    stepByStep:
      'Write the table as one ```csv block: a header line, one line for each row, numbers in plain digits such as 51700, and double quotes around text that contains a comma.',
    atOnce:
      'Write only the table, as one ```csv block: a header line, one line for each row, numbers in plain digits such as 51700, and double quotes around text that contains a comma.',
  },
  closingOnline: {
    stepByStep:
      'Call web_search first; when you have read the documents, write the table as one ```csv block: a header line, one line for each row, numbers in plain digits such as 51700, and double quotes around text that contains a comma.',
    atOnce:
      'Call web_search first; when you have read the documents, write only the table, as one ```csv block: a header line, one line for each row, numbers in plain digits such as 51700, and double quotes around text that contains a comma.',
  },
  /** Names the key columns of the task (--show-columns). `{columns}` is replaced by their names. */
  keyColumns: 'The first columns identify a row. Name them exactly: {columns}',
  stateSchema: [
    'You prepare the answer to a question. The answer is a table, which is built later from passages that are looked up in the documents for each column. You see the question and the names of the documents, but not their contents.',
    'List the columns that the table needs. Describe each column in the words that such documents use for it. An example for another question, "Describe the caves by depth and discoverer.":',
    '<schema>',
    '- name: Depth (m)',
    '  about: how deep the cave is in metres',
    '- name: Discoverer',
    '  about: who discovered the cave, first explored by',
    '</schema>',
    'Answer with only the schema block.',
  ].join('\n'),
  ratePassages:
    'You are given a question and numbered passages. Rate how much each passage helps to answer the question. Rate a passage 10 if it contains values of the answer, and 0 if it is unrelated to the question. Give a low rating to a passage that only mentions the subject without a value. Answer with one line for each passage: its number, a colon and its rating, such as `3: 7`. Write nothing else.',
  headings: {
    question: 'Question',
    keyColumns: 'Key columns',
    schema: 'Schema',
    documents: 'Documents',
    contents: 'Contents',
    answer: 'Answer',
  },
  /** The words for answers that are JSON values. */
  extraction: {
    task: 'You extract data from a document in the form that a JSON Schema describes. The document, or parts of it, follows the question and the schema. Use only what it says.',
    taskOnline:
      "You extract data from a document in the form that a JSON Schema describes. You are given the schema and the document's name, not its contents: find the document on the web with your tools and read it. Use only what you have read.",
    conventions: [
      'Values:',
      "- Follow the schema exactly: include every required key, give each value the schema's type, and add no other keys.",
      '- Write null for values that the document does not contain, if the schema allows null. Write an empty list if there are no items. Never guess.',
      '- Copy text as the document writes it. Write numbers as JSON numbers in plain digits, in the unit that the schema describes: 51,700 is 51700.',
      '- Write dates and codes in the form that the schema describes. Lists must be complete and in the order of the document.',
    ].join('\n'),
    example: [
      'An example with another schema, which has the keys cave, depth_m, visitors and discoverers, and the document "Tolvan Cave is 412 m deep and has 18,650 visitors a year. Iso Brandel discovered it.":',
      '```json',
      '{"cave": "Tolvan Cave", "depth_m": 412, "visitors": 18650, "discoverers": ["Iso Brandel"]}',
      '```',
    ].join('\n'),
    closing: {
      stepByStep:
        'Note in at most five short lines where the document contains what the schema asks for, then end with one ```json block that contains the complete, valid JSON value of the schema, without comments.',
      atOnce:
        'Answer with only one ```json block that contains the complete, valid JSON value of the schema, without comments.',
    },
    closingOnline: {
      stepByStep:
        'Call web_search first; when you have read the document, say in one line where you found it, and end with one ```json block that contains the complete, valid JSON value of the schema, without comments.',
      atOnce:
        'Call web_search first; when you have read the document, answer with only one ```json block that contains the complete, valid JSON value of the schema, without comments.',
    },
  },
}

const chinese: typeof english = {
  task: '你的任务是依据若干份文档制作一张表格来回答问题。文档全文或其节选附在问题之后，只能使用其中写明的内容。',
  taskOnline:
    '你的任务是依据若干份文档制作一张表格来回答问题。你只知道各份文档的名字，不知道文档内容：请用工具在网上找到并阅读这些文档，只能使用读到的内容。',
  rows: {
    general:
      '列：问题写明了列名的，照用这些列名和顺序，不加其他列。没有写明的，第一列是“文档”，写该行所依据的文件名；第二列写问题所问的对象（例如酒店、人物），之后每个要问的值一列。\n行：问题所问的每个对象一行，各份文档都要写全。',
    financial:
      '列：问题写明了列名的，照用这些列名和顺序。没有写明的，第一列是“文档”，写该报告在清单中的名称，一字不差并带扩展名；问题涉及的每个指标一列，列名后注明单位。\n行：每份报告一行。\n数据取自合并报表，以报告所涵盖的期间为准。报告没有直接给出的比率或增长率，用已有数据计算。',
    legal:
      '列：问题写明了列名的，照用这些列名和顺序。没有写明的，第一列写该案件或文档在清单中的名称，一字不差；要问的每项内容一列。\n行：问题所问的每个对象一行；问题按人或当事方提问时，每人每方各一行。\n金额、期限、法条按原文书写。一格中有多个值时，写成 JSON 列表。',
    academic:
      '列：问题写明了列名的，照用这些列名和顺序。没有写明的，先写能标识该行的列，之后每个要问的值一列。\n行：问题所问的每个条目一行。\n标题写全，方法名和数据集名与论文表格一致。结果取自论文的表格和正文，保留原有精度。',
  },
  documentColumn: { financial: 'first', legal: 'first', academic: 'none', general: 'first' },
  conventions: [
    '值的写法：',
    '- 数字只写阿拉伯数字，不写单位和千分位逗号。问题或列名要求了单位的（如“万元”“in kSEK”），换算成该单位；没有要求的，写完整数值：“128个”写作 128，“51,700米”写作 51700，“12.36%”写作 12.36，“450万元”写作 4500000，亏损“(1,234)”写作 -1234。',
    '- 自己计算的比率保留两位小数。',
    '- 日期和文字照原文书写。',
    '- 文档没有写明的填 null，不得猜测。',
  ].join('\n'),
  reasoning: '有的值需要计算，或者文档写得不清楚时，先简短地分步推理，再写表格。',
  searching: [
    '步骤：',
    '1. 第一轮调用 web_search，在此之前你对文档内容一无所知。例如文档讲的是两个溶洞时，参数为 {calls}。',
    '2. 用 fetch_page 打开搜索结果，PDF 文件用 read_pdf。核对是否就是要找的那一份，而不是其他年份、其他当事人或其他版本。读需要的部分。',
    '3. 没有找到的文档，换用其他词语再搜索。',
    '4. 制表所需的内容都已读到，或者无法再找到更多时，写出答案。',
  ].join('\n'),
  example: { title: '示例（另一些文档）：', question: '问题', answer: '答案' },
  closing: {
    stepByStep:
      '用一个 ```csv 代码块给出表格：一行表头，每行数据占一行，数字只写阿拉伯数字，例如 51700，含有逗号的文字加双引号。',
    atOnce:
      '只用一个 ```csv 代码块给出表格，不写其他内容：一行表头，每行数据占一行，数字只写阿拉伯数字，例如 51700，含有逗号的文字加双引号。',
  },
  closingOnline: {
    stepByStep:
      '先调用 web_search；读完文档之后，用一个 ```csv 代码块给出表格：一行表头，每行数据占一行，数字只写阿拉伯数字，例如 51700，含有逗号的文字加双引号。',
    atOnce:
      '先调用 web_search；读完文档之后，只用一个 ```csv 代码块给出表格，不写其他内容：一行表头，每行数据占一行，数字只写阿拉伯数字，例如 51700，含有逗号的文字加双引号。',
  },
  keyColumns: '表格最前面是标识每一行的列，列名必须是：{columns}',
  stateSchema: [
    '你的任务是为一个问题的答案做准备：答案是一张表格，之后将按表格的每一列到文档中查找相关段落，再据此制表。你现在只看到问题和各份文档的名字，看不到文档内容。',
    '列出表格需要的列，并用这类文档通常的说法写明该列的内容。以另一个问题“比较各溶洞的深度和发现者。”为例：',
    '<schema>',
    '- name: 深度(米)',
    '  about: 溶洞有多少米深',
    '- name: 发现者',
    '  about: 由谁发现、最早由谁勘察',
    '</schema>',
    '只给出 schema 块，前后不写其他内容。',
  ].join('\n'),
  ratePassages:
    '下面是一个问题和若干带编号的段落。请评定每个段落对回答问题的帮助：直接给出答案中的数值或内容为 10，毫不相关为 0；只泛泛谈及主题而没有具体内容的，分数应低。每个段落只写一行：编号、冒号、分数，例如 `3: 7`，不要写其他内容。',
  headings: {
    question: '问题',
    keyColumns: '主键列',
    schema: 'Schema',
    documents: '文档',
    contents: '内容',
    answer: '答案',
  },
  extraction: {
    task: '你的任务是按照 JSON Schema 的要求从一份文档中提取数据。文档全文或其节选附在问题和 schema 之后，只能使用其中写明的内容。',
    taskOnline:
      '你的任务是按照 JSON Schema 的要求从一份文档中提取数据。你只知道 schema 和文档的名字，不知道文档内容：请用工具在网上找到并阅读该文档，只能使用读到的内容。',
    conventions: [
      '值的写法：',
      '- 严格遵守 schema：必填的键一个不少，值的类型与 schema 一致，不得出现 schema 没有的键。',
      '- 文档没有写明的内容，schema 允许时填 null，列表没有条目时填空列表，不得猜测。',
      '- 文本照文档原文书写。数字写成 JSON 数字，不带千分位逗号，单位以 schema 的说明为准：51,700 写作 51700。',
      '- 日期和代码采用 schema 说明的形式。列表要完整，按文档中的顺序排列。',
    ].join('\n'),
    example: [
      '示例（另一个 schema，键为 cave、depth_m、visitors 和 discoverers；文档是“陀罗洞深412米，每年游客18,650人，由伊布发现。”）：',
      '```json',
      '{"cave": "陀罗洞", "depth_m": 412, "visitors": 18650, "discoverers": ["伊布"]}',
      '```',
    ].join('\n'),
    closing: {
      stepByStep:
        '先用不超过五行的短句写明 schema 所要的内容在文档的何处，最后用一个 ```json 代码块给出符合 schema 的 JSON 值，完整、有效、没有注释。',
      atOnce: '只用一个 ```json 代码块给出符合 schema 的 JSON 值，完整、有效、没有注释，不写其他内容。',
    },
    closingOnline: {
      stepByStep:
        '先调用 web_search；读完文档之后，才用一行说明在哪里找到，最后用一个 ```json 代码块给出符合 schema 的 JSON 值，完整、有效、没有注释。',
      atOnce:
        '先调用 web_search；读完文档之后，才只用一个 ```json 代码块给出符合 schema 的 JSON 值，完整、有效、没有注释，不写其他内容。',
    },
  },
}

/** The words of the built-in prompts by language. */
export const promptWords: Readonly<Record<PromptLanguage, typeof english>> = { en: english, zh: chinese }

/** Returns the domain whose instructions a task of the domain gets. */
export function promptDomain(domain: string): PromptDomain {
  return domain === 'financial' || domain === 'legal' || domain === 'academic' ? domain : 'general'
}
