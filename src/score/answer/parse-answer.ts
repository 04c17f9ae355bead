import { lruCache } from '../../system/lru-cache.ts'
import { writeCsv } from '../../text/csv.ts'
import { type Fence, findFences, removeFences } from '../../text/fences.ts'
import { splitThinking } from '../../text/thinking.ts'
import { removeCopiedExample } from './echoed-example.ts'
import { describeExcess } from './limits.ts'
import { readRecords } from './loose-csv.ts'
import { type BlockReading, readBlock, type TableReading } from './read-block.ts'
import { findBestTable } from './unfenced.ts'

/**
 * A model's answer as read. `table`: a header and rows of the same length; `csv` is that table in canonical
 * form. `unreadable`: the answer contains something that is not a table, or a table that is too large.
 * `none`: the answer contains nothing like a table. The note says what was repaired or why there is no table;
 * null when there is nothing to say.
 *
 * @example
 * import { type ParsedAnswer, parseAnswer } from 'tablehunt'
 *
 * const answer: ParsedAnswer = parseAnswer('I found no hospital.')
 * console.log(answer.status) // none
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

/** Options of `parseAnswer`. */
interface ParseAnswerOptions {
  /**
   * Repairs mistakes that our prompts are known to cause: a copied line of the example, and numbers that a missing
   * quote split.
   */
  readonly repair?: boolean
}

const mostRecentChars = 1_000_000
const recent = lruCache<ParsedAnswer>(mostRecentChars)

/** Reads the answer of an attempt. Its record and all its scores use this reading, so recent ones are kept. */
export function parseAttemptAnswer(text: string): ParsedAnswer {
  return recent(text, () => parseAnswer(text, { repair: true }), text.length)
}

/**
 * Reads the table in a model's answer. Reasoning is ignored. The last fenced csv counts, even if it never
 * closes. Otherwise the last other fence with a table counts, or else the best table-like block of the text.
 * Takes bounded time and memory for any text.
 *
 * @example
 * import { parseAnswer } from 'tablehunt'
 *
 * const answer = parseAnswer('Here it is:\n```csv\nhospital,beds\nNorth,120\n```')
 * if (answer.status === 'table') console.log(answer.rows) // [ [ 'North', '120' ] ]
 */
export function parseAnswer(text: string, { repair = false }: ParseAnswerOptions = {}): ParsedAnswer {
  const excess = describeExcess(text)
  if (excess !== null) return { status: 'unreadable', note: excess }
  const answer = splitThinking(text).text.replaceAll('\0', '')
  if (answer.trim() === '') {
    return { status: 'none', note: text.trim() === '' ? 'empty answer' : 'reasoning without an answer' }
  }
  const fences = findFences(answer)
  const labelled = fences.filter(fence => isCsvLabel(fence.label))
  const written = labelled.filter(fence => fence.body.trim() !== '')
  const chosen = (repair ? written.findLast(({ body }) => !isOnlyEcho(body)) : null) ?? written.at(-1)
  if (chosen !== undefined)
    return makeAnswer(readBlock(chosen.body, { repair }), chosen.closed ? [] : ['unclosed csv fence'])
  return readWithoutLabel(answer, fences, labelled.length > 0, repair)
}

/** Longer than the prompt's example. */
const longestEcho = 1_000

function isOnlyEcho(body: string): boolean {
  if (body.length > longestEcho) return false
  const { records, echoed } = removeCopiedExample(readRecords(body, ',', longestEcho).records)
  return records.length === 0 && echoed > 0
}

const isCsvLabel = (label: string): boolean => /^(?:text\/)?csv$/i.test(label)

function readWithoutLabel(
  answer: string,
  fences: readonly Fence[],
  hadEmptyCsv: boolean,
  repair: boolean,
): ParsedAnswer {
  for (const fence of fences.toReversed()) {
    if (isCsvLabel(fence.label) || /^json|^python|^sql/i.test(fence.label)) continue
    const reading = readBlock(fence.body, { repair })
    if ('problem' in reading ? reading.tooLarge : isTabular(reading))
      return makeAnswer(reading, ['fence without csv label'])
  }
  const best =
    findBestTable(removeFences(answer, fences), repair) ??
    findBestTable(fences.map(fence => fence.body).join('\n\n'), repair)
  if (best !== null) return makeAnswer(best, ['no fenced csv'])
  if (hadEmptyCsv) return { status: 'unreadable', note: 'the csv block is empty' }
  if (/^\s*(?:```(?:json)?\s*)?[[{]/i.test(answer)) return { status: 'unreadable', note: 'JSON, not CSV' }
  return { status: 'none', note: 'no table in the answer' }
}

const isTabular = (reading: TableReading): boolean => reading.header.length > 1 && reading.rows.length > 0

function makeAnswer(reading: BlockReading, notes: readonly string[]): ParsedAnswer {
  if ('problem' in reading) return { status: 'unreadable', note: reading.problem }
  const { header, rows } = reading
  const allNotes = [...notes, ...reading.notes]
  return {
    status: 'table',
    header,
    rows,
    csv: writeCsv([header, ...rows]),
    note: allNotes.length === 0 ? null : allNotes.join('; '),
  }
}
