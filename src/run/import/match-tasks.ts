import type { ForeignAttempt } from '../../../logs/import/foreign-log.ts'
import { groupBy } from '../../core/group-by.ts'
import { listDocumentNames, type Task } from '../../core/task.ts'
import { normaliseDocumentName } from '../../evidence/document-name.ts'
import { weighText } from '../../evidence/log-documents.ts'

/** The task of a sample, or why there is none. */
export type TaskMatch = { readonly task: Task } | { readonly unmatchedBecause: string }

/** Shorter questions are not looked for inside other texts. Characters of scripts without spaces count three times. */
const leastChars = 20

/** Reduces a text to its letters and digits with single spaces, so that spacing, case and punctuation do not matter. */
function normaliseQuestion(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * Returns a function that finds the task of a sample: by the id of the task, else by the text of the question. A
 * question may be part of a longer prompt; then the longest question counts. Among tasks with the same question, the
 * documents that the prompt names decide.
 */
export function makeTaskMatcher(tasks: readonly Task[]): (sample: ForeignAttempt) => TaskMatch {
  const byId = new Map(tasks.map(task => [task.question.taskId, task]))
  const byQuestion = groupBy(tasks, task => normaliseQuestion(task.question.query))
  const byLength = [...byQuestion].sort(([a], [b]) => b.length - a.length)
  const withQuestion = (text: string): readonly Task[] => {
    const question = normaliseQuestion(text)
    const equal = byQuestion.get(question)
    if (equal !== undefined) return equal
    const inside = byLength.find(
      ([query]) => weighText(query) >= leastChars && ` ${question} `.includes(` ${query} `),
    )
    return inside?.[1] ?? []
  }
  return sample => {
    const named = byId.get(sample.taskId ?? '') ?? byId.get(sample.sourceId ?? '')
    if (named !== undefined) return chooseTask([named], '')
    const texts = listQuestions(sample)
    if (texts.length === 0) return { unmatchedBecause: 'its id is no task, and the log has no question' }
    for (const text of texts) {
      const candidates = withQuestion(text)
      if (candidates.length > 0) return chooseTask(candidates, texts.join('\n'))
    }
    return { unmatchedBecause: 'no task has its id or its question' }
  }
}

/** The question of a sample, and the first message of the user. */
function listQuestions({ question, messages }: ForeignAttempt): string[] {
  const first = messages.find(message => message.role === 'user')
  return [question, first?.role === 'user' ? first.text : null].filter(
    text => text !== null && text.trim() !== '',
  ) as string[]
}

function chooseTask(candidates: readonly Task[], prompt: string): TaskMatch {
  const names = prompt.normalize('NFKC').toLowerCase()
  const isNamed = (task: Task): boolean => {
    const documents = listDocumentNames(task)
    return documents.length > 0 && documents.every(name => names.includes(normaliseDocumentName(name)))
  }
  const matches = candidates.length === 1 ? candidates : candidates.filter(isNamed)
  const [task] = matches
  if (task === undefined || matches.length > 1) {
    const ids = candidates.map(({ question }) => question.taskId).slice(0, 3)
    return { unmatchedBecause: `several tasks have its question: ${ids.join(', ')}` }
  }
  return task.turnGolds === undefined
    ? { task }
    : { unmatchedBecause: `${task.question.taskId} is a conversation of several questions` }
}
