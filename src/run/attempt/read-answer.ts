import type { Answer } from '../../core/attempt.ts'
import { parseAnswer } from '../../score/parse-answer.ts'

/** The table of an answer as it stands in records. */
export function readAnswer(text: string | null): Answer {
  const parsed = parseAnswer(text ?? '')
  if (parsed.status !== 'table') {
    return { csv: null, rows: null, columns: null, parseStatus: parsed.status, parseNote: parsed.note }
  }
  const { csv, rows, header, note } = parsed
  return { csv, rows: rows.length, columns: [...header], parseStatus: 'table', parseNote: note }
}
