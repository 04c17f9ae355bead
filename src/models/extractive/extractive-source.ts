import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ConfigError } from '../../core/errors.ts'
import type { ModelHandle } from '../../core/model.ts'
import { shortList } from '../../text/plain-text.ts'
import { countedUsage, setUsage } from '../message-usage.ts'
import type { ModelOptions, ModelSource, ModelSpec } from '../model-source.ts'
import { countTokensCheaply } from '../token-count.ts'
import { bareName, offeredName, resultText } from './agent-tools.ts'
import { writeAnswer } from './answer.ts'
import { planOpenQuestion } from './open-question.ts'
import { planNextCalls, type SeenDocument, type ToolCall } from './search.ts'
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
  const known = { name: 'extractive', contextWindow: options.contextWindow ?? null, price }
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
        ...{ name: offeredName(name, offered), args, id: `call_${messages.length}_${at}` },
      }))
      const response_metadata = { finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }
      const message = new AIMessage({ content: text, tool_calls, response_metadata })
      return setUsage(message, countedUsage(messages, text, calls))
    }
  const handle = { ...known, nativeTools: true, countTokens: countTokensCheaply }
  return {
    name: known.name,
    describe: () => known,
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
      const named = shortList(tasks, String, maxNamedTasks)
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
  const texts = messages.filter(one => one instanceof HumanMessage).map(one => one.text)
  return tools === 0 && texts.flatMap(documentsIn).length === 0 && !messages.some(ToolMessage.isInstance)
}

/** Answers when the prompt contains documents. Otherwise it calls tools as long as something is left to try. */
function respond(messages: readonly BaseMessage[], mayCall: boolean): Response {
  const [asked = '', ...later] = fromQuestion(messages.filter(one => one instanceof HumanMessage))
  const head = withoutDocuments(asked)
  const [query = '', fromList] = head.replace(/^# .*\n/, '').split(/^# (?:Documents|文档)\s*$/m)
  const list = fromList?.split(/^# /m, 1)[0]
  const given = documentsIn(asked)
  if (given.length > 0) {
    const questions = [query, ...furtherQuestions(later)]
    const found = answerAboutTables(questions.map(withoutSections), given)
    if (found !== null) return answeredItems(found.items)
    const answer = answered([], questions.at(-1)!, given)
    return answer.hasMatch === false && asksForText([asked, ...later]) ? { ...answer, text: unknown } : answer
  }
  // Prompts of another layout name the documents without a heading: file names in a list.
  const names = list?.match(/(?<=^- ).+/gm) ?? head.match(/(?<=^- ).+\.[A-Za-z]{2,5}$/gm) ?? []
  const answers = messages.filter(message => message instanceof ToolMessage)
  const results = new Map(answers.map(message => [message.tool_call_id, resultText(message.text)]))
  const called = messages.filter(message => message instanceof AIMessage).flatMap(one => one.tool_calls ?? [])
  const made = called.map(({ id = '', name, args }) => ({
    ...{ name: bareName(name), args, result: results.get(id) ?? '' },
  }))
  const isTold = /(?:^|\n\n)(?:Answer now|请立即作答)/.test(messages.at(-1)?.text ?? '')
  const open = names.length === 0 ? planOpenQuestion(query, made) : null
  if (open !== null) {
    if (open.calls.length > 0 && mayCall && !isTold)
      return { text: '', calls: [...open.calls], hasMatch: null }
    return { text: open.text, calls: [], hasMatch: open.isFound }
  }
  const { calls, documents, notes } = planNextCalls(names, made)
  const added = later.flatMap(documentsIn)
  if (calls.length > 0 && mayCall && !isTold && added.length === 0) return { text: '', calls, hasMatch: null }
  const known = new Map([...documents, ...added].map(document => [document.name, document]))
  return answered(notes, query, [...known.values()])
}

/** Returns the user's texts from the question on. Some agents describe their environment before it. */
function fromQuestion(said: readonly BaseMessage[]): string[] {
  const texts = said.map(one => one.text)
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

function answered(notes: readonly string[], query: string, documents: readonly SeenDocument[]): Response {
  const { text, hasMatch } = writeAnswer(query, documents)
  const hasText = documents.some(document => document.text.trim() !== '')
  return { text: [...notes, text].join('\n\n'), calls: [], hasMatch: hasText ? hasMatch : null }
}

function documentsIn(said: string) {
  const blocks = said.matchAll(/^<document name="([^"]*)".*>\n([\s\S]*?)(?:^<\/document>$|(?![\s\S]))/gm)
  return [...blocks].map(([, name = '', text = '']) => ({ name: name.replaceAll('&quot;', '"'), text }))
}
