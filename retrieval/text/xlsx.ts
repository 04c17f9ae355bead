import { openZip, type ZipArchive } from './zip.ts'

/** A sheet as text: its rows a line each, cells apart by tabs at the columns they stand in. */
export interface SheetText {
  readonly name: string
  readonly text: string
}

/** The sheets of an Excel workbook in their order, hidden ones left out; throws where the file is damaged. */
export function readWorkbook(bytes: Uint8Array): SheetText[] {
  const zip = openZip(bytes)
  const workbook = part(zip, 'xl/workbook.xml')
  const shared = elements(zip.text('xl/sharedStrings.xml') ?? '', 'si').map(item => richText(item.inner))
  const dateStyles = readDateStyles(zip.text('xl/styles.xml') ?? '')
  const targets = new Map(
    elements(part(zip, 'xl/_rels/workbook.xml.rels'), 'Relationship').map(link => [
      link.attributes.get('Id') ?? '',
      link.attributes.get('Target') ?? '',
    ]),
  )
  return elements(workbook, 'sheet')
    .filter(sheet => !['hidden', 'veryHidden'].includes(sheet.attributes.get('state') ?? ''))
    .map(sheet => {
      const target = targets.get(sheet.attributes.get('r:id') ?? sheet.attributes.get('id') ?? '') ?? ''
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      return {
        name: sheet.attributes.get('name') ?? '',
        text: sheetText(part(zip, path), shared, dateStyles),
      }
    })
}

interface Element {
  readonly attributes: ReadonlyMap<string, string>
  readonly inner: string
}

function part(zip: ZipArchive, path: string): string {
  const text = zip.text(path)
  if (text === null) throw new Error(`the workbook has no ${path}`)
  return text
}

/** The elements of that name, with or without a namespace prefix; they do not nest in these files. */
function elements(xml: string, name: string): Element[] {
  const pattern = new RegExp(
    `<(?:\\w+:)?${name}((?:\\s[^>]*?)?)(?:/>|>([\\s\\S]*?)</(?:\\w+:)?${name}>)`,
    'g',
  )
  return [...xml.matchAll(pattern)].map(match => ({
    attributes: new Map(
      [...(match[1] ?? '').matchAll(/([\w:]+)\s*=\s*"([^"]*)"/g)].map(pair => [
        pair[1]!,
        decodeEntities(pair[2]!),
      ]),
    ),
    inner: match[2] ?? '',
  }))
}

/** Text runs joined, phonetic readings (rPh) of Japanese left out. */
function richText(xml: string): string {
  const plain = xml.replace(/<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g, '')
  return elements(plain, 't')
    .map(run => decodeEntities(run.inner))
    .join('')
}

function sheetText(xml: string, shared: readonly string[], dateStyles: ReadonlySet<number>): string {
  return elements(xml, 'row')
    .map(row => {
      const cells: string[] = []
      for (const cell of elements(row.inner, 'c')) {
        const column = columnOf(cell.attributes.get('r')) ?? cells.length
        while (cells.length < column) cells.push('')
        cells[column] = cellText(cell, shared, dateStyles)
      }
      return cells.join('\t').trimEnd()
    })
    .filter(line => line !== '')
    .join('\n')
}

function cellText(cell: Element, shared: readonly string[], dateStyles: ReadonlySet<number>): string {
  const value = decodeEntities(elements(cell.inner, 'v')[0]?.inner ?? '')
  const type = cell.attributes.get('t') ?? 'n'
  if (type === 'inlineStr') return oneLine(richText(cell.inner))
  if (type === 's') return oneLine(shared[Number(value)] ?? '')
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || value === '') return oneLine(value)
  if (dateStyles.has(Number(cell.attributes.get('s') ?? -1))) return dateText(Number(value))
  // 0.1 + 0.2 is stored as 0.30000000000000004; a sheet shows 15 digits at most.
  return Number.isFinite(Number(value)) ? String(Number(Number(value).toPrecision(15))) : value
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** 0-based column of a reference such as `AB12`. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  if (letters === undefined) return null
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Places in the style table whose number format shows a date. */
function readDateStyles(xml: string): Set<number> {
  const custom = new Set(
    elements(xml, 'numFmt')
      .filter(format =>
        /[ymd]/i.test((format.attributes.get('formatCode') ?? '').replace(/"[^"]*"|\[[^\]]*\]/g, '')),
      )
      .map(format => Number(format.attributes.get('numFmtId'))),
  )
  const styles = elements(/<(?:\w+:)?cellXfs[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(xml)?.[0] ?? '', 'xf')
  const isDate = (id: number): boolean => (id >= 14 && id <= 17) || id === 22 || custom.has(id)
  return new Set(
    styles.flatMap((style, index) => (isDate(Number(style.attributes.get('numFmtId'))) ? [index] : [])),
  )
}

const msPerDay = 86_400_000
/** Day 0 as Excel counts from 1 March 1900 on. */
const dayZero = Date.UTC(1899, 11, 30)

function dateText(days: number): string {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_465) return String(days)
  const [date, time] = new Date(dayZero + Math.round(days * msPerDay)).toISOString().split('T')
  return Number.isInteger(days) ? date! : `${date} ${time!.slice(0, 8)}`
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      return entities[name ?? ''] ?? whole
    },
  )
}
