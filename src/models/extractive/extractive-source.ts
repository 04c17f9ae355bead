import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ConfigError } from '../../core/errors.ts'
import type { ModelHandle } from '../../core/model.ts'
import { writeCsv } from '../../text/csv.ts'
import { isObject, parseJsonOrNull } from '../../text/json.ts'
import { removeBars } from '../../text/pipe-table.ts'
import { formatShortList } from '../../text/plain-text.ts'
import { countUsage, setUsage } from '../message-usage.ts'
import type { ModelOptions, ModelSource, ModelSpec } from '../model-source.ts'
import { countTokensCheaply } from '../token-count.ts'
import { fillSchema } from './fill-schema.ts'
import { labels, regex } from './labels.ts'
import { listingTable } from './listing.ts'
import { reportsTable } from './reports.ts'
import {
  joinShownTexts,
  type Made,
  planNextCalls,
  readPages,
  type SeenDocument,
  type ToolCall,
} from './search.ts'
import { answerAboutTables, type TableItems } from './table-question.ts'

/**
 * Creates the rule-based model. It always returns the same answer for the same messages.
 *
 * @throws ConfigError `invalid-model` for a name or a URL, and `unsupported-tool-protocol` for `--tool-protocol text`
 */
export function createExtractive({ name, url }: ModelSpec, options: ModelOptions): ModelSource {
  if (name !== '' || url !== null)
    throw new ConfigError("'extractive' has no other models and no server. Write --model extractive alone.", {
      code: 'invalid-model',
    })
  if (options.toolProtocol === 'text')
    throw new ConfigError("'extractive' calls its tools natively. Remove --tool-protocol text.", {
      code: 'unsupported-tool-protocol',
    })
  const price = { input: 0, cachedInput: 0, output: 0 }
  const details = { name: 'extractive', contextWindow: options.contextWindow ?? null, price }
  const matches = createMatchLog()
  const callFor =
    (taskId: string): ModelHandle['call'] =>
    async (messages, { tools, toolChoice, signal }) => {
      signal.throwIfAborted()
      const mayCall = tools.length > 0 && toolChoice !== 'none'
      const { text, calls, hasMatch } = isClosedBook(messages, tools.length)
        ? knowsNothing
        : respond(messages, mayCall)
      if (hasMatch !== null) matches.add(taskId, hasMatch)
      const offered = tools.map(tool => tool.name)
      const tool_calls = calls.map(({ name, args }, at) => ({
        name: offeredName(name, offered),
        args,
        id: `call_${messages.length}_${at}`,
      }))
      const response_metadata = { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }
      const message = new AIMessage({ content: text, tool_calls, response_metadata })
      return setUsage(message, countUsage(messages, text, calls))
    }
  const handle = { ...details, nativeTools: true, countTokens: countTokensCheaply }
  return {
    name: details.name,
    describe: () => details,
    forAttempt: ({ taskId }) => ({ ...handle, call: callFor(taskId) }),
    closingNotice: matches.notice,
  }
}

const maxNamedTasks = 3

/** Records the tasks for which no rule matched in any answer, for one notice at the end of a run. */
function createMatchLog() {
  const matched = new Map<string, boolean>()
  return {
    add(taskId: string, hasMatch: boolean): void {
      matched.set(taskId, hasMatch || matched.get(taskId) === true)
    },
    notice(): string | null {
      const tasks = [...matched].flatMap(([taskId, hasMatch]) => (hasMatch ? [] : [taskId]))
      if (tasks.length === 0) return null
      const named = formatShortList(tasks, String, maxNamedTasks)
      return `extractive has no rules that match what it was shown for ${tasks.length} of ${matched.size} tasks (${named}). Its scores say nothing about such tasks. Name a language model with --model.`
    },
  }
}

interface Response {
  readonly text: string
  readonly calls: ToolCall[]
  /** Null when there is no answer yet, or no text to answer from. */
  readonly hasMatch: boolean | null
}

const knowsNothing: Response = {
  text: 'These rules know nothing without a document, and none is given.',
  calls: [],
  hasMatch: null,
}

/** Whether the conversation contains no documents and no tools, and no tool was called before. */
function isClosedBook(messages: readonly BaseMessage[], tools: number): boolean {
  const texts = messages.filter(message => message instanceof HumanMessage).map(message => message.text)
  return tools === 0 && texts.flatMap(readDocuments).length === 0 && !messages.some(ToolMessage.isInstance)
}

/** Answers when the prompt contains documents. Otherwise it calls tools as long as something is left to try. */
function respond(messages: readonly BaseMessage[], mayCall: boolean): Response {
  const [questionText = '', ...later] = fromQuestion(
    messages.filter(message => message instanceof HumanMessage),
  )
  const head = withoutDocuments(questionText)
  const [query = '', fromList] = head.replace(/^# .*\n/, '').split(/^# (?:Documents|文档)\s*$/m)
  const list = fromList?.split(/^# /m, 1)[0]
  const promptDocuments = readDocuments(questionText)
  if (promptDocuments.length > 0) {
    const questions = [query, ...furtherQuestions(later)]
    const tableAnswer = answerAboutTables(questions.map(withoutSections), promptDocuments)
    if (tableAnswer !== null) return answeredItems(tableAnswer.items)
    const answer = answerQuestion([], questions.at(-1)!, promptDocuments)
    return answer.hasMatch === false && asksForText([questionText, ...later])
      ? { ...answer, text: unknown }
      : answer
  }
  // Prompts of another layout name the documents without a heading: file names in a list.
  const names = list?.match(/(?<=^- ).+/gm) ?? head.match(/(?<=^- ).+\.[A-Za-z]{2,5}$/gm) ?? []
  const answers = messages.filter(message => message instanceof ToolMessage)
  const results = new Map(answers.map(message => [message.tool_call_id, resultText(message.text)]))
  const called = messages
    .filter(message => message instanceof AIMessage)
    .flatMap(message => message.tool_calls ?? [])
  const madeCalls = called.map(({ id = '', name, args }) => ({
    name: bareName(name),
    args,
    result: results.get(id) ?? '',
  }))
  const isTold = /(?:^|\n\n)(?:Answer now|请立即作答)/.test(messages.at(-1)?.text ?? '')
  const open = names.length === 0 ? planOpenQuestion(query, madeCalls) : null
  if (open !== null) {
    if (open.calls.length > 0 && mayCall && !isTold)
      return { text: '', calls: [...open.calls], hasMatch: null }
    return { text: open.text, calls: [], hasMatch: open.isFound }
  }
  const { calls, documents, notes } = planNextCalls(names, madeCalls)
  const added = later.flatMap(readDocuments)
  if (calls.length > 0 && mayCall && !isTold && added.length === 0) return { text: '', calls, hasMatch: null }
  const byName = new Map([...documents, ...added].map(document => [document.name, document]))
  return answerQuestion(notes, query, [...byName.values()])
}

/** Returns the user's texts from the question on. Some agents describe their environment before it. */
function fromQuestion(messages: readonly BaseMessage[]): string[] {
  const texts = messages.map(message => message.text)
  const starts = texts.map(text => withoutDocuments(text).search(/(?<=^|>)# (?:Question|问题)\n/m))
  const at = starts.findIndex(start => start >= 0)
  return at < 0 ? texts : [texts[at]!.slice(starts[at]), ...texts.slice(at + 1)]
}

const withoutDocuments = (text: string): string => text.split(/^<document name="/m, 1)[0] ?? ''

/** Returns the further questions of a conversation. */
function furtherQuestions(later: readonly string[]): string[] {
  return later.filter(text => /^# (?:Question|问题)\n/.test(text)).map(text => text.replace(/^# .*\n/, ''))
}

/** Whether the last message asks for a text. A table of the general rules would be no answer to it. */
const asksForText = (texts: readonly string[]): boolean =>
  texts.at(-1)!.split('</document>').at(-1)!.includes('<answer>')

/** The answer that prompts for texts ask for when the documents do not contain it. */
const unknown = '<answer>unknown</answer>'

/** Returns a question without the sections that follow it, such as the form of the answer. */
const withoutSections = (text: string): string => text.split(/^# /m, 1)[0] ?? ''

/** Writes the items of an answer as a Python list. */
function answeredItems(items: TableItems): Response {
  const texts = items?.map(item => (item === null ? 'None' : JSON.stringify(item)))
  const text = texts === undefined ? unknown : `<answer>[${texts.join(', ')}]</answer>`
  return { text, calls: [], hasMatch: texts !== undefined }
}

function answerQuestion(
  notes: readonly string[],
  query: string,
  documents: readonly SeenDocument[],
): Response {
  const { text, hasMatch } = writeAnswer(query, documents)
  const hasText = documents.some(document => document.text.trim() !== '')
  return { text: [...notes, text].join('\n\n'), calls: [], hasMatch: hasText ? hasMatch : null }
}

function readDocuments(message: string) {
  const blocks = message.matchAll(/^<document name="([^"]*)".*>\n([\s\S]*?)(?:^<\/document>$|(?![\s\S]))/gm)
  return [...blocks].map(([, name = '', text = '']) => ({ name: name.replaceAll('&quot;', '"'), text }))
}

/**
 * Returns the name under which a tool is offered. Many agents put the name of the MCP server in front, as in
 * `tablehunt_web_search`. Agents without a tool for PDFs get the call of the tool for pages.
 */
function offeredName(name: string, offered: readonly string[]): string {
  if (offered.includes(name)) return name
  const prefixed = offered.find(
    path => /[^A-Za-z0-9]/.test(path.at(-name.length - 1) ?? '') && path.endsWith(name),
  )
  if (prefixed !== undefined) return prefixed
  return name === 'read_pdf' ? offeredName('fetch_page', offered) : name
}

/** Returns the name of a tool without the name of a server in front. */
function bareName(name: string): string {
  return /(?:^|[^A-Za-z0-9])(web_search|fetch_page|read_pdf)$/.exec(name)?.[1] ?? name
}

/**
 * Returns the text of a tool result. Agents that do not pass the text itself on write the parts of an MCP result, or its
 * structured content, as JSON.
 */
function resultText(result: string): string {
  const start = result.search(/^[[{]/m)
  const value = start < 0 ? null : parseJsonOrNull(result.slice(start))
  const parts = Array.isArray(value) ? value : [value]
  const texts = parts.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : null))
  return texts.some(text => text === null) ? result : texts.join('\n')
}

/** The answer to a question. */
interface WrittenAnswer {
  readonly text: string
  /**
   * Whether the question or the documents are of a known kind, and a rule of that kind found a row or a label. Always
   * true for JSON, which is filled by the names in the question's schema.
   */
  readonly hasMatch: boolean
}

/**
 * Writes a schema block and one fenced csv with all columns of the question's kind. For a question with a JSON schema,
 * it writes JSON.
 *
 * @param questionText the question, with its schema if it has one
 */
export function writeAnswer(questionText: string, documents: readonly SeenDocument[]): WrittenAnswer {
  const [query = '', schema = ''] = questionText.split(/^# Schema\s*$/m)
  const json = fillSchema(schema, documents)
  if (json !== null) return { text: `\`\`\`json\n${json}\n\`\`\``, hasMatch: true }
  const plain = documents.map(({ name, text }) => ({ name, text: removeBars(text) }))
  const beginnings = plain.map(({ text }) => text.slice(0, 20_000)).join('\n')
  const byQuestion = labels.kinds.find(({ question }) => regex(question, 'imu').test(query))
  const matchingKind =
    byQuestion ?? labels.kinds.find(({ content }) => regex(content, 'imu').test(beginnings))
  const kind = matchingKind ?? labels.kinds.at(-1)!
  const isListing = Object.keys(kind.columns).length > 0
  const { columns, rows, isFound } = isListing ? listingTable(kind, query, plain) : reportsTable(query, plain)
  const schemaEntries = columns.map((name, index) => {
    const isNumeric = rows.every(row => /^(?:-?[\d,.]+|null)$/.test(row[index] ?? 'null'))
    return `- name: ${name}\n  about: ${name}\n  format: as printed\n  valid_type: ${isNumeric ? 'numeric' : 'text'}`
  })
  const csv = writeCsv([columns, ...rows.map(row => row.map(value => value ?? 'null'))])
  const text = `<schema>\n${schemaEntries.join('\n')}\n</schema>\n\`\`\`csv\n${csv}\`\`\``
  return { text, hasMatch: matchingKind !== undefined && isFound }
}

/** What to do next for a question without documents: further calls, or an answer when there are none. */
interface OpenStep {
  readonly calls: readonly ToolCall[]
  readonly text: string
  /** Whether a page with a table of the asked columns was found. */
  readonly isFound: boolean
}

/**
 * Decides what to do next for a question that names columns and no documents: searches for its first sentence, opens
 * the hits, and copies the rows of all tables that have every asked column.
 *
 * @returns null for a question that names no columns
 */
export function planOpenQuestion(query: string, madeCalls: Made): OpenStep | null {
  const columns = readColumns(query)
  if (columns.length === 0) return null
  const sentence = query.split(/[?.\n]/, 1)[0]!.trim()
  const search = madeCalls.find(({ name }) => name === 'web_search')
  if (search === undefined)
    return { calls: [{ name: 'web_search', args: { queries: [sentence] } }], text: '', isFound: false }
  const pages = readPages(madeCalls)
  const hits = [...search.result.matchAll(/^ {3}URL: (\S+)/gm)].map(([, url = '']) => url)
  const calls = hits.filter(url => !pages.has(url)).map(url => ({ name: 'fetch_page', args: { url } }))
  const rows = [...pages.values()].flatMap(page => readRows(joinShownTexts(page), columns))
  const lines = [columns, columns.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return { calls, text: `\`\`\`markdown\n${lines.join('\n')}\n\`\`\``, isFound: rows.length > 0 }
}

function readColumns(query: string): string[] {
  const listed = /\bcolumns\b[^:\n]{0,40}:[ \t]*([^\n]{1,500})/i.exec(query)?.[1] ?? ''
  return listed
    .replace(/\.\s*$/, '')
    .split(/,\s*/)
    .filter(name => name !== '')
}

/** Returns the asked cells of each row below a heading that has all asked columns. */
function readRows(text: string, columns: readonly string[]): string[][] {
  const rows: string[][] = []
  let places: number[] | null = null
  for (const line of text.split('\n')) {
    const cells = line.split(/[|\t]/).map(cell => cell.trim())
    const inHeading = columns.map(column => cells.indexOf(column))
    if (cells.length < columns.length) places = line.trim() === '' ? places : null
    else if (!inHeading.includes(-1)) places = inHeading
    else if (places !== null && !/^[\s|:-]+$/.test(line)) rows.push(places.map(place => cells[place] ?? ''))
  }
  return rows
}
