import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { isObject } from '../../src/text/json.ts'
import { readLiteral } from '../../src/text/literal.ts'
import { writePipeTable } from '../../src/text/pipe-table.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import type { PageDocument } from './dom.ts'
import { countTextChars, fewChars } from './hidden.ts'

/** The most characters of data that are written. */
const maxDataChars = 100_000

/** The types of scripts that hold data: linked data, and the state from which frameworks build a page. */
const dataTypes = /^(?:application\/ld\+json|application\/json|text\/json)$/i
/** A state that a script assigns, such as `window.__INITIAL_STATE__ = {`, also as a string of JSON. */
const assignedState =
  /(?:window|self|globalThis)(?:\.|\[["'])(?:\w*(?:STATE|DATA|PROPS|__)\w*)(?:["']\])?\s*=\s*(?:(?=[{[])|JSON\.parse\(\s*(?=["']))/gi
/** What hides a script's text from old browsers. */
const commentStart = /^\s*(?:<!--|(?:\/\/|\/\*)?\s*<!\[CDATA\[(?:\s*\*\/)?)\s*/

/** A script of a page that may hold data. */
interface DataScript {
  readonly isData: boolean
  readonly code: string
}

/** Returns the scripts of a page that may hold data. They must be collected before the scripts are removed. */
export function collectDataScripts(document: PageDocument): DataScript[] {
  return [...document.querySelectorAll('script')].map(script => ({
    isData: dataTypes.test(script.getAttribute('type') ?? ''),
    code: script.textContent ?? '',
  }))
}

/** Returns the data of scripts as text under a heading; '' when the page has text of its own, or the scripts no data. */
export function writeScriptData(document: PageDocument, scripts: readonly DataScript[]): string {
  if (scripts.length === 0 || countTextChars(document.body) >= fewChars) return ''
  const values = scripts.flatMap(({ isData, code }) =>
    isData ? readAt(code.replace(commentStart, ''), 0).values : readStates(code),
  )
  const text = values
    .flatMap(value => writeValue(value, ''))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (text === '') return ''
  const cut = text.length > maxDataChars ? `${text.slice(0, maxDataChars)}\n[the data go on]` : text
  return `## Data of the page's scripts, not visible on the page\n\n${cut}`
}

function readAt(code: string, at: number): { values: unknown[]; end: number } {
  const literal = readLiteral(code, at)
  return 'value' in literal ? { values: [literal.value], end: literal.end } : { values: [], end: literal.at }
}

/** Reads the states that a script assigns. What a value contains is not read again. */
function readStates(code: string): unknown[] {
  const states: unknown[] = []
  assignedState.lastIndex = 0
  for (let match = assignedState.exec(code); match !== null; match = assignedState.exec(code)) {
    const { values, end } = readAt(code, match.index + match[0].length)
    states.push(...values.flatMap(value => (typeof value === 'string' ? readAt(value, 0).values : [value])))
    assignedState.lastIndex = Math.max(end, assignedState.lastIndex)
  }
  return states
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Writes a list of alike objects as a table, and everything else as a line for each value with its path. */
function writeValue(value: unknown, path: string): string[] {
  if (value === null || value === '' || /(?:^|\.)@(?:context|type|id)$/.test(path)) return []
  if (isPlain(value)) return [`${path === '' ? '' : `${path}: `}${joinToOneLine(String(value))}`]
  if (isObject(value))
    return Object.entries(value).flatMap(([key, part]) =>
      writeValue(part, path === '' ? key : `${path}.${key}`),
    )
  const items = value as readonly unknown[]
  if (items.length > 1 && items.every(item => isObject(item) && Object.values(item).every(isPlain)))
    return ['', `${path}:`, '', writeRecords(items as readonly Record<string, unknown>[]), '']
  if (items.length > 0 && items.every(isPlain))
    return [`${path}: ${items.map(item => joinToOneLine(String(item))).join('; ')}`]
  return items.flatMap((item, at) => writeValue(item, `${path}[${at + 1}]`))
}

function writeRecords(records: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(records.flatMap(record => Object.keys(record)))]
  checkLimit(columns.length * records.length, readingLimits.cells, 'cells', 'the data of a script')
  const rows = records.map(record => columns.map(name => joinToOneLine(String(record[name] ?? ''))))
  return writePipeTable([columns, ...rows])
}
