import type { Answer } from '../../core/attempt.ts'
import type { Gold, Task } from '../../core/task.ts'
import { parseExtraction } from '../../score/extract-bench/parse-extraction.ts'
import { parseAttemptAnswer } from '../../score/parse-answer.ts'

/** An answer's text as the record keeps it: a table, or the JSON value that was asked for. */
export function readAnswer(text: string | null, gold: Gold): Answer {
  return gold.kind === 'json' ? readExtraction(text ?? '') : readTable(text ?? '')
}

/** The gold of each question of a task, in their order. */
export function goldsOf({ gold, turnGolds = [] }: Pick<Task, 'gold' | 'turnGolds'>): readonly Gold[] {
  return [gold, ...turnGolds]
}

/** Whether what was asked for can be read from an answer. */
export function holdsAnswer(text: string, gold: Gold): boolean {
  if (gold.kind === 'text') return text.trim() !== ''
  return gold.kind === 'json'
    ? parseExtraction(text).status === 'json'
    : parseAttemptAnswer(text).status === 'table'
}

/** A text as a record keeps it where a table was asked for. */
export function readTable(text: string): Answer {
  const parsed = parseAttemptAnswer(text)
  if (parsed.status !== 'table') {
    return { csv: null, rows: null, columns: null, parseStatus: parsed.status, parseNote: parsed.note }
  }
  const { csv, rows, header, note } = parsed
  return { csv, rows: rows.length, columns: [...header], parseStatus: 'table', parseNote: note }
}

function readExtraction(text: string): Answer {
  const parsed = parseExtraction(text)
  const none = { csv: null, rows: null, columns: null }
  if (parsed.status !== 'json') {
    return { ...none, parseStatus: parsed.status, parseNote: `${parsed.failure}: ${parsed.note}` }
  }
  return { ...none, parseStatus: 'json', parseNote: null, json: JSON.parse(parsed.json) }
}
