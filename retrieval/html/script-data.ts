import { oneLine } from '../../src/text/plain-text.ts'
import type { PageDocument } from './dom.ts'
import { lengthOf } from './hidden.ts'

/** A page with fewer characters of text may have its content in the data of its scripts. */
const fewChars = 200
/** The most characters of data that are written. */
const maxDataChars = 100_000
const maxLevels = 30

/** Scripts that hold data: linked data, and the state from which frameworks build a page. */
const dataScripts =
  'script[type="application/ld+json"], script[type="application/json"], script[type="text/json"]'
/** A state that a script assigns, such as `window.__INITIAL_STATE__ = {`. */
const assignedState =
  /(?:window|self|globalThis)(?:\.|\[["'])(\w*(?:STATE|DATA|PROPS|__)\w*)(?:["']\])?\s*=\s*(?=[{[])/gi

/** Reads the data in the scripts of a page, before the scripts are removed. Returns a function that writes them if the page has little text. */
export function collectScriptData(document: PageDocument): () => string {
  const values = [...document.querySelectorAll(dataScripts)].map(script =>
    parseJson(script.textContent ?? ''),
  )
  for (const script of document.querySelectorAll('script')) {
    const code = script.textContent ?? ''
    for (const match of code.matchAll(assignedState)) {
      const start = match.index + match[0].length
      values.push(parseJson(code.slice(start, endOfValue(code, start))))
    }
  }
  return () => {
    if (values.length === 0 || lengthOf(document.body) >= fewChars) return ''
    const lines = values.flatMap(value => (value === undefined ? [] : writeValue(value, '', 0)))
    const text = lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
    if (text === '') return ''
    const cut = text.length > maxDataChars ? `${text.slice(0, maxDataChars)}\n[the data go on]` : text
    return `## Data of the page's scripts, not visible on the page\n\n${cut}`
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.trim()) as unknown
  } catch {
    return undefined
  }
}

/** Returns the position after the bracket that closes the one at `start`. */
function endOfValue(code: string, start: number): number {
  let depth = 0
  let isInText = false
  for (let at = start; at < code.length; at += 1) {
    const sign = code[at]
    if (isInText) {
      if (sign === '\\') at += 1
      else if (sign === '"') isInText = false
    } else if (sign === '"') isInText = true
    else if (sign === '{' || sign === '[') depth += 1
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
  }
  return code.length
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Writes a list of alike objects as a table, and everything else as a line for each value with its path. */
function writeValue(value: unknown, path: string, level: number): string[] {
  if (value === null || value === '' || level > maxLevels || /(?:^|\.)@(?:context|type|id)$/.test(path))
    return []
  if (isPlain(value)) return [`${path === '' ? '' : `${path}: `}${oneLine(String(value))}`]
  if (isFields(value))
    return Object.entries(value).flatMap(([key, part]) =>
      writeValue(part, path === '' ? key : `${path}.${key}`, level + 1),
    )
  const items = value as readonly unknown[]
  const columns = [...new Set(items.flatMap(item => (isFields(item) ? Object.keys(item) : [])))]
  const isTable =
    items.length > 1 &&
    columns.length > 0 &&
    items.every(item => isFields(item) && Object.values(item).every(isPlain))
  if (isTable) return ['', `${path}:`, '', ...writeRows(columns, items as readonly Fields[]), '']
  if (items.length > 0 && items.every(isPlain))
    return [`${path}: ${items.map(item => oneLine(String(item))).join('; ')}`]
  return items.flatMap((item, at) => writeValue(item, `${path}[${at + 1}]`, level + 1))
}

function writeRows(columns: readonly string[], rows: readonly Fields[]): string[] {
  const row = (cells: readonly unknown[]): string =>
    `| ${cells.map(cell => oneLine(String(cell ?? '')).replaceAll('|', '\\|')).join(' | ')} |`
  return [
    row(columns),
    row(columns.map(() => '---')),
    ...rows.map(fields => row(columns.map(name => fields[name]))),
  ]
}
