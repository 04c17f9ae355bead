import type { Question, QuestionTurn } from './task.ts'

/** The text of a document, or its retrieved chunks, in a prompt. */
export interface PromptDocument {
  readonly name: string
  readonly text: string
  /** Why the text, or a part of it, is missing; null or absent when it is complete. */
  readonly problem?: string | null
}

/** The messages that begin a conversation. */
export interface PromptMessages {
  readonly system: string
  readonly user: string
}

/** What a model answers from: documents in the prompt, pages that it finds with its tools, or its own knowledge. */
export type AnswerSource = 'documents' | 'web' | 'memory'

/** The role of a model's own earlier answers in a conversation. Some published code sends them as system messages. */
export type EarlierAnswerRole = 'assistant' | 'system'

/** A set of prompts: the built-in ones, those of a benchmark, or those of a file (--prompts). */
export interface Prompts {
  /** SHA-256 of all texts that a message may contain, without the further texts of the agent loop. The manifest records it. */
  readonly hash: string
  /**
   * Returns why the set has no prompt for a question; null when it has one. A run calls it before it starts.
   * Absent when the set has a prompt for every question.
   */
  missing?(question: Question, sources?: ReadonlySet<AnswerSource>): string | null
  /** For offline and rag: question and documents in one request. */
  withDocuments(
    question: Question,
    documents: readonly PromptDocument[],
    chainOfThought: boolean,
  ): PromptMessages
  /** For online: only the query and the document names. */
  online(question: Question, chainOfThought: boolean): PromptMessages
  /** For closed-book: the same as for online, without tools. */
  closedBook(question: Question, chainOfThought: boolean): PromptMessages
  /** Returns the user message that asks a further question of a conversation. */
  furtherTurn(question: Question, turn: QuestionTurn, source: AnswerSource, chainOfThought: boolean): string
  /** Returns the role in which the model receives its own earlier answers in a conversation. Absent: `assistant`. */
  earlierAnswersAs?(question: Question): EarlierAnswerRole
}

/**
 * The worked example of the built-in prompts. It is invented, and no benchmark has its domain, so that an answer with a line
 * of it must have copied that line from the prompt.
 */
interface PromptExample {
  readonly question: string
  readonly documents: readonly { readonly name: string; readonly text: string }[]
  /** The head of the column that contains the document of each row. */
  readonly documentColumn: string
  readonly header: readonly string[]
  readonly rows: readonly { readonly document: string; readonly values: readonly string[] }[]
  /** The first searches of an agent. */
  readonly searches: readonly string[]
}

/** The place of the column with the document of each row. */
export type DocumentColumn = 'first' | 'last' | 'none'

const english: PromptExample = {
  question: 'Describe the caves by depth, share that is open and date of discovery.',
  documents: [
    {
      name: 'tolvan.txt',
      text: 'Tolvan Caving Club, report\nTolvan, Lower Hall: 1,412 m deep, 37.5% open to visitors, discovered on 4 March 1911.\nMirr Cave: 96 m deep, 8% open to visitors, discovered on 19 May 1958.',
    },
    { name: 'osk.txt', text: 'Osk Cave\nDepth: 20,650 m\nOpen: 12.4%\nDiscovered: 2 June 1974' },
  ],
  documentColumn: 'Document',
  header: ['Cave', 'Depth (m)', 'Open share (%)', 'Discovered'],
  rows: [
    { document: 'tolvan.txt', values: ['Tolvan, Lower Hall', '1412', '37.5', '4 March 1911'] },
    { document: 'tolvan.txt', values: ['Mirr Cave', '96', '8', '19 May 1958'] },
    { document: 'osk.txt', values: ['Osk Cave', '20650', '12.4', '2 June 1974'] },
  ],
  searches: ['Tolvan cave depth open share discovered', 'Osk Cave depth open share discovered'],
}

const chinese: PromptExample = {
  question: '比较各溶洞的深度、开放比例和发现日期。',
  documents: [
    {
      name: 'a1.txt',
      text: '陀罗探洞社年报\n陀罗洞：深1,412米，37.5%对外开放，1911年3月4日发现。\n弥尔洞：深96米，8%对外开放，1958年5月19日发现。',
    },
    { name: 'b2.txt', text: '奥斯洞\n深度：20,650米\n开放比例：12.4%\n发现日期：1974年6月2日' },
  ],
  documentColumn: '文档',
  header: ['溶洞', '深度(米)', '开放比例(%)', '发现日期'],
  rows: [
    { document: 'a1.txt', values: ['陀罗洞', '1412', '37.5', '1911年3月4日'] },
    { document: 'a1.txt', values: ['弥尔洞', '96', '8', '1958年5月19日'] },
    { document: 'b2.txt', values: ['奥斯洞', '20650', '12.4', '1974年6月2日'] },
  ],
  searches: ['陀罗洞 深度 开放比例 发现日期', '奥斯洞 深度 开放比例 发现日期'],
}

/** The worked example by language. */
export const promptExamples: Readonly<Record<'en' | 'zh', PromptExample>> = { en: english, zh: chinese }

/** Returns the table of an example, header first, with the column of documents at the place that is asked for. */
export function exampleTable(example: PromptExample, documentColumn: DocumentColumn): string[][] {
  const { header, rows, documentColumn: name } = example
  return [{ document: name, values: header }, ...rows].map(({ document, values }) => {
    if (documentColumn === 'none') return [...values]
    return documentColumn === 'first' ? [document, ...values] : [...values, document]
  })
}
