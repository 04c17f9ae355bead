/** A sheet's cells as text; columns that a row skips are ''. */
export interface Sheet {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
}

const maxColumns = 16_384
const msPerDay = 86_400_000

type NumberKind = 'number' | 'percent' | 'date' | 'time'

/** The sheets of a workbook in their order, from its XML parts by name (ECMA-376, SpreadsheetML). */
export function parseDocument(files: ReadonlyMap<string, string>): Sheet[] {
  const part = (name: string): string => withoutPrefixes(files.get(name) ?? '')
  const workbook = part('xl/workbook.xml')
  if (workbook === '') throw new Error('it has no workbook.xml')
  const targets = new Map(
    elements(part('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ attributes }) => [
      attribute(attributes, 'Id'),
      attribute(attributes, 'Target').replace(/^\/?(xl\/)?/, ''),
    ]),
  )
  const strings = elements(part('xl/sharedStrings.xml'), 'si').map(({ content }) => plainText(content))
  const kinds = numberKinds(part('xl/styles.xml'))
  const from1904 = /<workbookPr[^>]*date1904="(1|true)"/.test(workbook)
  return elements(workbook, 'sheet').map(({ attributes }) => ({
    name: attribute(attributes, 'name'),
    rows: rowsOf(part(`xl/${targets.get(attribute(attributes, 'r:id')) ?? ''}`), {
      strings,
      kinds,
      from1904,
    }),
  }))
}

interface Book {
  readonly strings: readonly string[]
  /** By the index of a cell's style. */
  readonly kinds: readonly NumberKind[]
  readonly from1904: boolean
}

function rowsOf(sheet: string, book: Book): string[][] {
  return elements(sheet, 'row').map(row => {
    const cells: string[] = []
    for (const { attributes, content } of elements(row.content, 'c')) {
      const column = columnOf(attribute(attributes, 'r')) ?? cells.length
      while (cells.length < column) cells.push('')
      cells[column] = cellText(attributes, content, book)
    }
    return cells
  })
}

/** `BC7` is column 54; null where the cell does not say. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]+/.exec(reference)?.[0]
  if (letters === undefined) return null
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  if (column > maxColumns) throw new Error(`it has a column ${letters}`)
  return column - 1
}

function cellText(attributes: string, content: string, book: Book): string {
  const type = attribute(attributes, 't')
  if (type === 'inlineStr') return plainText(content)
  const value = decoded(/<v[^>]*>([^<]*)<\/v>/.exec(content)?.[1] ?? '')
  if (type === 's') return book.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== '' && type !== 'n') return value
  const kind = book.kinds[Number(attribute(attributes, 's'))] ?? 'number'
  const number = Number(value)
  if (value === '' || Number.isNaN(number)) return value
  if (kind === 'percent') return `${rounded(number * 100)}%`
  if (kind === 'date' || kind === 'time') return dateText(number, kind, book.from1904)
  return /e/i.test(value) || value.length > 15 ? `${rounded(number)}` : value
}

/** Binary noise such as 0.30000000000000004 was never in the sheet. */
function rounded(number: number): number {
  return Number(number.toPrecision(12))
}

/** Excel counts days from 1899-12-30 (it takes 1900 for a leap year), or from 1904-01-01. */
function dateText(days: number, kind: 'date' | 'time', from1904: boolean): string {
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const moment = new Date(start + Math.round(days * msPerDay))
  if (Number.isNaN(moment.getTime())) return `${days}`
  const [date = '', time = ''] = moment.toISOString().split('T')
  const clock = time.slice(0, 8)
  if (kind === 'time' && days < 1) return clock
  return clock === '00:00:00' ? date : `${date} ${clock}`
}

function numberKinds(styles: string): NumberKind[] {
  const codes = new Map(
    elements(styles, 'numFmt').map(({ attributes }) => [
      attribute(attributes, 'numFmtId'),
      decoded(attribute(attributes, 'formatCode')),
    ]),
  )
  const formats = elements(styles, 'cellXfs')[0]?.content ?? ''
  return elements(formats, 'xf').map(({ attributes }) => {
    const id = attribute(attributes, 'numFmtId')
    return kindOf(Number(id), codes.get(id) ?? '')
  })
}

/** The built-in formats by number (ECMA-376 18.8.30), others by their letters outside quotes, brackets and escapes. */
function kindOf(id: number, code: string): NumberKind {
  if (id === 9 || id === 10) return 'percent'
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date'
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return 'time'
  const letters = code.replace(/"[^"]*"|\[[^\]]*\]|\\.|_./g, '').toLowerCase()
  if (letters.includes('%')) return 'percent'
  if (/[yd]|年|月/.test(letters)) return 'date'
  return /h|s/.test(letters) && !letters.includes('general') ? 'time' : 'number'
}

interface XmlElement {
  readonly attributes: string
  readonly content: string
}

/** Elements of a name that does not stand inside itself, in order. */
function elements(xml: string, name: string): XmlElement[] {
  const pattern = new RegExp(`<${name}(\\s[^>]*?)?(?:/>|>([\\s\\S]*?)</${name}>)`, 'g')
  return [...xml.matchAll(pattern)].map(match => ({ attributes: match[1] ?? '', content: match[2] ?? '' }))
}

function attribute(attributes: string, name: string): string {
  return decoded(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
}

/** The runs of a text, without the readings of its characters. */
function plainText(xml: string): string {
  const read = xml.replace(/<rPh[\s\S]*?<\/rPh>/g, '')
  return elements(read, 't')
    .map(({ content }) => decoded(content))
    .join('')
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

/** Some writers put a prefix before every element, such as `x:row`. */
function withoutPrefixes(xml: string): string {
  return xml.replace(/<(\/?)\w+:/g, '<$1')
}
