import type { PromptLanguage } from '../../src/core/language.ts'

const english = {
  /** The words for answers that are texts. */
  text: {
    task: 'You answer a question from documents. The documents, or parts of them, follow the question. Use only what they say.',
    taskOnline:
      'You answer a question from documents. You are given the names of the documents, not their contents: find the documents on the web with your tools and read them. Use only what you have read.',
    taskUnnamedOnline:
      'You answer a question. Find documents that answer it on the web with your tools and read them. Use only what you have read.',
    taskClosedBook:
      'You answer a question from what you know. No documents are given, and you cannot call tools.',
    /** Explains how to find the documents. `{calls}` is replaced by the first call of the example. */
    searching: [
      'How to work:',
      '1. Call web_search in your first turn, because you do not know the documents yet. For a question about two caves, for example, call it with {calls}.',
      '2. Open the results with fetch_page, and PDF files with read_pdf. Check that each one is the right document and not one of another year, party or edition. Read the parts that you need.',
      '3. If you have not found what the question needs, search again with other words.',
      '4. Write the answer when you have read everything that it needs, or when you cannot find more.',
    ].join('\n'),
    /** The rules for an answer from documents or the web. */
    rules:
      'Write numbers, names and dates as the documents print them. If the documents do not contain the answer, write: unknown',
    /** The rules for an answer from memory. */
    rulesClosedBook: 'If you do not know the answer, write: unknown',
    closing: {
      stepByStep:
        'Reason in short steps if you need to. Then write only the answer between <answer> and </answer>.',
      atOnce: 'Write only the answer, between <answer> and </answer>.',
    },
    closingList: {
      stepByStep:
        'Reason in short steps if you need to. Then write the answer as a list between <answer> and </answer>: one item per line, without numbers or dashes before the items.',
      atOnce:
        'Write only the answer, as a list between <answer> and </answer>: one item per line, without numbers or dashes before the items.',
    },
    /** Precedes the closing in the setting online. */
    firstSearch: 'Call web_search first. Answer when you have read the documents.',
    /** Follows a benchmark's own instructions with `--cot off`. */
    atOnce: 'Write the answer immediately, without reasoning or explanation.',
    answerNow:
      'Answer now. This is your last turn, and you cannot call any more tools. Write the answer from what you have read, in the requested form.',
  },
  /** The words for questions that do not name documents. */
  unnamed: {
    taskOnline:
      'You build one table to answer a question. Find documents that answer it on the web with your tools and read them. Use only what you have read.',
    rows: 'Columns: if the question names the columns, use exactly those columns in that order and no others. Otherwise the first columns identify the row. Then comes one column for each value that the question asks for.\nRows: one for each item that the question asks about.',
    extractionTaskOnline:
      'You extract data from documents in the form that a JSON Schema describes. Find documents that answer the question on the web with your tools and read them. Use only what you have read.',
    stateSchema: [
      'You prepare the answer to a question. The answer is a table, which is built later from passages that are looked up in documents for each column. You see the question, but not the documents.',
      'List the columns that the table needs. Describe each column in the words that such documents use for it. An example for another question, "Describe the caves by depth and discoverer.":',
      '<schema>',
      '- name: Depth (m)',
      '  about: how deep the cave is in metres',
      '- name: Discoverer',
      '  about: who discovered the cave, first explored by',
      '</schema>',
      'Answer with only the schema block.',
    ].join('\n'),
  },
  /** The words for the closed-book setting, which has neither documents nor tools. */
  closedBook: {
    task: 'You build one table to answer a question from what you know. No documents are given, and you cannot call tools.',
    conventions: [
      'Values:',
      '- Write numbers in plain digits without units, in the unit that the question or the name of the column asks for, such as "in kSEK" or "(EUR million)". If neither asks for one, write them in full: "51,700 m" is 51700, "12.36%" is 12.36, "4.5 million" is 4500000, a loss of "(1,234)" is -1234.',
      '- Round ratios that you calculate to two decimals.',
      '- Write null for values that you do not know.',
    ].join('\n'),
    reasoning: 'If a value must be recalled or calculated, reason in short steps before the table.',
    extractionTask:
      'You write a JSON value in the form that a JSON Schema describes, from what you know. No documents are given, and you cannot call tools.',
    extractionConventions: [
      'Values:',
      "- Follow the schema exactly: include every required key, give each value the schema's type, and add no other keys.",
      '- Write null for values that you do not know, if the schema allows null. Write an empty list if you know no items.',
      '- Write numbers as JSON numbers in plain digits, in the unit that the schema describes: 51,700 is 51700.',
      '- Write dates and codes in the form that the schema describes.',
    ].join('\n'),
    extractionStepByStep:
      'Note in at most five short lines what you know about it. Then end with one ```json block that contains the complete, valid JSON value of the schema, without comments.',
    /** For `--prompts aoe-conventions`. */
    aoeTask:
      'You build one table to answer a question from what you know. No documents are given, and you cannot call tools.',
    aoeConventions: [
      'How to write values:',
      '- Write money in full units of its currency, rounded to whole units: 4.5 million is 4,500,000.',
      '- Write numbers of shares as single shares.',
      '- Write a percentage as its number: 12.36% is 12.36. Write ratios and percentages with two decimals.',
      '- Write a negative number with a minus sign: (1,234) is -1234.',
      '- Keep thousands separators, and put quotes around the field: "1,234,567".',
      '- Write null for values that you do not know.',
    ].join('\n'),
    aoeStepByStep:
      'Before you answer, reason step by step and keep it short: what the question asks for; which columns answer it, and in which units; what you know about it; whether every row and every field of the csv is correct.',
  },
  /** Precedes a further question of a conversation in the setting online. */
  furtherTurnOnline: 'If what you have read does not answer this question, call your tools again.',
}

const chinese: typeof english = {
  text: {
    task: '你的任务是依据若干份文档回答问题。文档全文或其节选附在问题之后，只能使用其中写明的内容。',
    taskOnline:
      '你的任务是依据若干份文档回答问题。你只知道各份文档的名字，不知道文档内容：请用工具在网上找到并阅读这些文档，只能使用读到的内容。',
    taskUnnamedOnline:
      '你的任务是回答一个问题。请用工具在网上找到并阅读能够回答该问题的文档，只能使用读到的内容。',
    taskClosedBook: '你的任务是凭自己已有的知识回答一个问题。没有提供任何文档，也不能调用任何工具。',
    searching: [
      '步骤：',
      '1. 第一轮调用 web_search，在此之前你对文档内容一无所知。例如问题问的是两个溶洞时，参数为 {calls}。',
      '2. 用 fetch_page 打开搜索结果，PDF 文件用 read_pdf。核对是否就是要找的那一份，而不是其他年份、其他当事人或其他版本。读需要的部分。',
      '3. 没有找到所需内容时，换用其他词语再搜索。',
      '4. 回答所需的内容都已读到，或者无法再找到更多时，写出答案。',
    ].join('\n'),
    rules: '数字、名称和日期照文档原文书写。文档没有给出答案的，答案写：不知道',
    rulesClosedBook: '不知道答案的，答案写：不知道',
    closing: {
      stepByStep: '需要时先简短地分步推理，最后把答案单独写在 <answer> 和 </answer> 之间。',
      atOnce: '只给出答案，写在 <answer> 和 </answer> 之间，不写其他内容。',
    },
    closingList: {
      stepByStep:
        '需要时先简短地分步推理，最后把答案写成列表，放在 <answer> 和 </answer> 之间：每项占一行，前面不加编号或短横。',
      atOnce:
        '只给出写成列表的答案，放在 <answer> 和 </answer> 之间，不写其他内容：每项占一行，前面不加编号或短横。',
    },
    firstSearch: '先调用 web_search；读完文档之后再作答。',
    atOnce: '直接给出答案，不要写推理或说明。',
    answerNow: '请立即作答：这是最后一轮，不能再调用任何工具。请根据已经读到的内容，按要求的形式给出答案。',
  },
  unnamed: {
    taskOnline:
      '你的任务是制作一张表格来回答问题。请用工具在网上找到并阅读能够回答该问题的文档，只能使用读到的内容。',
    rows: '列：问题写明了列名的，照用这些列名和顺序，不加其他列。没有写明的，先写能标识该行的列，之后每个要问的值一列。\n行：问题所问的每个对象一行。',
    extractionTaskOnline:
      '你的任务是按照 JSON Schema 的要求从文档中提取数据。请用工具在网上找到并阅读能够回答该问题的文档，只能使用读到的内容。',
    stateSchema: [
      '你的任务是为一个问题的答案做准备：答案是一张表格，之后将按表格的每一列到文档中查找相关段落，再据此制表。你现在只看到问题，看不到文档。',
      '列出表格需要的列，并用这类文档通常的说法写明该列的内容。以另一个问题“比较各溶洞的深度和发现者。”为例：',
      '<schema>',
      '- name: 深度(米)',
      '  about: 溶洞有多少米深',
      '- name: 发现者',
      '  about: 由谁发现、最早由谁勘察',
      '</schema>',
      '只给出 schema 块，前后不写其他内容。',
    ].join('\n'),
  },
  closedBook: {
    task: '你的任务是凭自己已有的知识制作一张表格来回答问题。没有提供任何文档，也不能调用任何工具。',
    conventions: [
      '值的写法：',
      '- 数字只写阿拉伯数字，不写单位和千分位逗号。问题或列名要求了单位的（如“万元”“in kSEK”），换算成该单位；没有要求的，写完整数值：“128个”写作 128，“51,700米”写作 51700，“12.36%”写作 12.36，“450万元”写作 4500000，亏损“(1,234)”写作 -1234。',
      '- 自己计算的比率保留两位小数。',
      '- 不知道的内容填 null。',
    ].join('\n'),
    reasoning: '有的值需要回忆或计算时，先简短地分步推理，再写表格。',
    extractionTask:
      '你的任务是凭自己已有的知识给出 JSON Schema 所要的内容。没有提供任何文档，也不能调用任何工具。',
    extractionConventions: [
      '值的写法：',
      '- 严格遵守 schema：必填的键一个不少，值的类型与 schema 一致，不得出现 schema 没有的键。',
      '- 不知道的内容，schema 允许时填 null，不知道任何条目的列表填空列表。',
      '- 数字写成 JSON 数字，不带千分位逗号，单位以 schema 的说明为准：51,700 写作 51700。',
      '- 日期和代码采用 schema 说明的形式。',
    ].join('\n'),
    extractionStepByStep:
      '先用不超过五行的短句写明你所知道的相关内容，最后用一个 ```json 代码块给出符合 schema 的 JSON 值，完整、有效、没有注释。',
    aoeTask: '你的任务是凭自己已有的知识制作一张表格来回答问题。没有提供任何文档，也不能调用任何工具。',
    aoeConventions: [
      '数值的写法：',
      '- 金额一律换算成完整单位并取整到个位：450万写作 4,500,000。',
      '- 股份数量以单股计。',
      '- 百分数只写数值：12.36% 写作 12.36。比率和百分数保留两位小数。',
      '- 负数用负号：(1,234) 写作 -1234。',
      '- 保留千分位逗号，因此该字段要加引号："1,234,567"。',
      '- 不知道的内容填 null。',
    ].join('\n'),
    aoeStepByStep:
      '作答之前先简要地分步思考：问题要什么；用哪些列、什么单位来回答；你知道其中哪些内容；csv 的每一行、每个字段是否正确。',
  },
  furtherTurnOnline: '已读到的内容不足以回答这个问题时，请继续调用工具。',
}

/**
 * Words that only some runs need. The prompt hash of a run covers only the parts that its tasks and settings can use (see
 * `furtherTexts`), so that a change of the other parts does not prevent a resume.
 */
export const furtherWords: Readonly<Record<PromptLanguage, typeof english>> = { en: english, zh: chinese }
