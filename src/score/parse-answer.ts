import { writeCsv } from '../core/csv.ts'
import { type Fence, findFences, outsideFences } from './answer/fences.ts'
import { answerLimits } from './answer/limits.ts'
import { type BlockReading, readBlock, type TableReading } from './answer/read-block.ts'
import { withoutReasoning } from './answer/reasoning.ts'
import { bestTableIn } from './answer/unfenced.ts'

/**
 * A model's answer as read. `table`: a header and rows of the same length; `csv` is that table written anew.
 * `unreadable`: something was given for a table that is none, or too large. `none`: nothing like a table.
 * The note says what was mended, or why there is no table; null when there is nothing to say.
 */
export type ParsedAnswer =
  | {
      readonly status: 'table'
      readonly header: string[]
      readonly rows: string[][]
      readonly csv: string
      readonly note: string | null
    }
  | { readonly status: 'unreadable'; readonly note: string }
  | { readonly status: 'none'; readonly note: string }

/**
 * The one place that reads a model's answer. Reasoning is left out; the last fenced csv counts, also one that never
 * closes; without any, the last other fence that holds a table; without that, the best table-like block of the text.
 * Ends in bounded time and memory for any text.
 */
export function parseAnswer(text: string): ParsedAnswer {
  if (text.length > answerLimits.chars) {
    return {
      status: 'unreadable',
      note: `answer too large: ${text.length} characters, at most ${answerLimits.chars}`,
    }
  }
  const answer = withoutReasoning(text).replaceAll('\0', '')
  if (answer.trim() === '') {
    return { status: 'none', note: text.trim() === '' ? 'empty answer' : 'reasoning without an answer' }
  }
  const fences = findFences(answer)
  const labelled = fences.filter(fence => isCsvLabel(fence.label))
  const chosen = labelled.findLast(fence => fence.body.trim() !== '')
  if (chosen !== undefined)
    return asAnswer(readBlock(chosen.body), chosen.closed ? [] : ['unclosed csv fence'])
  return readWithoutLabel(answer, fences, labelled.length > 0)
}

const isCsvLabel = (label: string): boolean => /^(?:text\/)?csv$/i.test(label)

function readWithoutLabel(answer: string, fences: readonly Fence[], hadEmptyCsv: boolean): ParsedAnswer {
  for (const fence of fences.toReversed()) {
    if (isCsvLabel(fence.label) || /^json|^python|^sql/i.test(fence.label)) continue
    const reading = readBlock(fence.body)
    if ('problem' in reading ? reading.tooLarge : isTabular(reading))
      return asAnswer(reading, ['fence without csv label'])
  }
  const best =
    bestTableIn(outsideFences(answer, fences)) ?? bestTableIn(fences.map(fence => fence.body).join('\n\n'))
  if (best !== null) return asAnswer(best, ['no fenced csv'])
  if (hadEmptyCsv) return { status: 'unreadable', note: 'the csv block is empty' }
  if (/^\s*(?:```(?:json)?\s*)?[[{]/i.test(answer)) return { status: 'unreadable', note: 'JSON, not CSV' }
  return { status: 'none', note: 'no table in the answer' }
}

const isTabular = (reading: TableReading): boolean => reading.header.length > 1 && reading.rows.length > 0

function asAnswer(reading: BlockReading, notes: readonly string[]): ParsedAnswer {
  if ('problem' in reading) return { status: 'unreadable', note: reading.problem }
  const { header, rows } = reading
  const all = [...notes, ...reading.notes]
  return {
    status: 'table',
    header,
    rows,
    csv: writeCsv([header, ...rows]),
    note: all.length === 0 ? null : all.join('; '),
  }
}
