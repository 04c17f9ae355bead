const recognized = new Set([
  'table',
  'tr',
  'th',
  'td',
  'ul',
  'ol',
  'li',
  'div',
  'span',
  'p',
  'a',
  'img',
  'embed',
  'pre',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'input',
  'button',
])
const empty = new Set(['img', 'embed', 'input', 'br', 'hr', 'meta', 'link'])
/** The elements that an opening tag closes implicitly. */
const closedBy = new Map<string, readonly string[]>([
  ['td', ['td', 'th']],
  ['th', ['td', 'th']],
  ['tr', ['td', 'th', 'tr']],
  ['li', ['li']],
  ['p', ['p']],
])
const container = new Set(['table', 'ul', 'ol'])

/** The parts of HTML that Struc-Bench compares. */
export interface HtmlStructure {
  /** Texts of the data cells: th and td of tables, li of lists, else all recognised tags with text. */
  readonly cells: readonly string[]
  /** Opening and closing recognised tags in document order. */
  readonly tags: readonly string[]
}

interface Element {
  readonly name: string
  text: string
}

/**
 * Reads the structure of an HTML text.
 *
 * @param like the gold's HTML, which decides the kind of cells
 */
export function htmlStructure(html: string, like: string): HtmlStructure {
  const wanted = cellTags(like)
  const tags: string[] = []
  const elements: Element[] = []
  const open: Element[] = []
  const close = (index: number): void => {
    for (const element of open.splice(index).reverse())
      if (recognized.has(element.name)) tags.push(`</${element.name}>`)
  }
  const source = html.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
  for (const token of source.matchAll(/<(\/?)([a-zA-Z][\w-]*)[^<>]*?(\/?)>|[^<]+|</g)) {
    const name = token[2]?.toLowerCase()
    if (name === undefined) for (const element of open) element.text += decoded(token[0])
    else if (token[1] === '/') {
      const index = open.findLastIndex(element => element.name === name)
      if (index >= 0) close(index)
    } else {
      const index = implicitlyClosed(open, name)
      if (index >= 0) close(index)
      const element = { name, text: '' }
      elements.push(element)
      if (recognized.has(name)) tags.push(`<${name}>`)
      if (!empty.has(name) && token[3] !== '/') open.push(element)
      else if (recognized.has(name)) tags.push(`</${name}>`)
    }
  }
  close(0)
  const cells = elements.filter(element =>
    wanted === null
      ? recognized.has(element.name) && element.text.trim() !== ''
      : wanted.includes(element.name),
  )
  return { cells: cells.map(cell => cell.text.replace(/\s+/g, ' ').trim()), tags }
}

function cellTags(html: string): readonly string[] | null {
  if (/<table\b/i.test(html)) return ['th', 'td']
  return /<(?:ul|ol|li)\b/i.test(html) ? ['li'] : null
}

/**
 * The index of the outermost open element that a new one closes, within the nearest table or list; -1 when there is
 * none.
 */
function implicitlyClosed(open: readonly Element[], name: string): number {
  const closed = closedBy.get(name)
  if (closed === undefined) return -1
  let found = -1
  for (let i = open.length - 1; i >= 0 && !container.has(open[i]!.name); i -= 1)
    if (closed.includes(open[i]!.name)) found = i
  return found
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

const decoded = (text: string): string =>
  text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, entity: string) => {
    if (entity[0] !== '#') return named[entity] ?? whole
    const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
