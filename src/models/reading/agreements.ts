import type { Asked, SeenDocument } from './asked.ts'
import type { Table } from './table.ts'

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
const written = new RegExp(`\\b(${months.join('|')})\\s+(\\d{1,2})\\s*,\\s*(\\d{4})`, 'i')
const yearWords = [
  /^(?:first|one|1)$/,
  /^(?:second|two|2)$/,
  /^(?:third|three|3)$/,
  /^(?:fourth|four|4)$/,
  /^(?:fifth|five|5)$/,
  /^(?:sixth|six|6)$/,
  /^(?:seventh|seven|7)$/,
]
const later =
  /(?:(first|second|third|fourth|fifth|sixth|seventh) anniversary of|(one|two|three|four|five|six|seven|[1-7])(?: \(\d\))? years? (?:after|from|following)) (?:the )?((?:[A-Z][\w-]+ )*Date|date hereof)/

/** Credit agreements: their parties and terms, a row each, or a row a lender where the question asks for lenders. */
export function agreementsTable(asked: Asked, documents: readonly SeenDocument[]): Table {
  const byLender = /\blenders?\b.*(?:per|each|every|row)|\b(?:every|each|all) (?:\w+ )?lenders?\b/i.test(
    asked.query,
  )
  const terms = [
    'Borrower',
    'Administrative Agent',
    'Agreement Date',
    'Maturity Date',
    'Total Commitment (USD)',
    'Governing Law',
  ]
  const rows = documents.flatMap(document => {
    const lines = withoutRunningHeads(document.text)
    const values = readTerms(lines)
    if (!byLender) return [[document.name, ...values]]
    const lenders = readLenders(lines)
    return (lenders.length === 0 ? [null] : lenders).map(lender => [document.name, lender, ...values])
  })
  return { columns: byLender ? ['Filename', 'Lender', ...terms] : ['Filename', ...terms], rows }
}

/** Lines without what is printed on every page: a numbered line that comes back, numbers aside, is no text of the agreement. */
function withoutRunningHeads(text: string): string[] {
  const lines = text.split('\n').map(line => line.trim())
  const shape = (line: string): string => line.replace(/\d+/g, '#')
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(shape(line), (counts.get(shape(line)) ?? 0) + 1)
  return lines.filter(
    line =>
      line !== '' &&
      !/^-?\d+-?$/.test(line) &&
      (!/^[^$]*\d/.test(line) || line.length < 20 || counts.get(shape(line))! < 5),
  )
}

function readTerms(lines: readonly string[]): (string | null)[] {
  const text = lines.join(' ')
  const start = Math.max(
    0,
    text.search(/\bCREDIT AGREEMENT\b[^.]{0,40}\b(?:is (?:entered|made|dated)|dated as of)/),
  )
  const preamble = text.slice(start, start + 3_000)
  const signed = written.exec(/dated (?:as of|this)?.{0,60}/i.exec(text)?.[0] ?? '') ?? written.exec(preamble)
  const date = signed === null ? null : isoDate(signed)
  const maturity =
    resolveDate(text, 'Maturity Date', date, 0) ??
    resolveDate(text, '(?:[A-Z]\\w+ )?Termination Date', date, 0)
  return [
    onCover(lines, /^(?:the )?(?:initial |parent )?(?:company and )?borrowers?\b/i) ??
      partyIn(preamble, /among\s+(.{3,80}?),? an? [A-Z]/),
    onCover(lines, /^(?:the |sole )?(?:co-)?administrative agents?\b/i) ??
      partyIn(
        preamble,
        /.*(?:\band\s|\)\s*,\s|hereto,\s)([^()“”]{3,90}?),?\s+as\s+(?:the\s+)?(?:designated |sole )?administrative agent/i,
      ),
    date,
    maturity,
    readCommitment(lines, text),
    /governed by[^.]{0,140}?laws? of\s+((?:the )?(?:state|commonwealth|province) of (?:new )?\w+|england(?: and wales)?|new york)/i.exec(
      text,
    )?.[1] ?? null,
  ]
}

/** The names that stand above `as ROLE` on the cover. */
function onCover(lines: readonly string[], role: RegExp): string | null {
  for (const [index, line] of lines.slice(0, 120).entries()) {
    const match = /^(.*?),?\s*\bas\s+(.+)$/.exec(line)
    if (match === null || line.length > 80 || !role.test(match[2]!)) continue
    if (match[1] !== '' && (match[2]!.length > 45 || !isName(match[1]!))) continue
    const names = match[1] === '' ? [] : [match[1]!]
    for (let above = index - 1; above >= 0 && above >= index - 3; above--) {
      const name = lines[above]!
      const goesOn = names.length === 0 || /(?:\band|&|,)$/.test(name)
      if (!goesOn || !isName(name) || /^as\b|^(?:and|among|between|with)$/i.test(name)) break
      names.unshift(name)
    }
    const named = names
      .join(' ')
      .replace(/^(?:among|between|and)\s+/i, '')
      .replace(/,$/, '')
      .trim()
    if (named !== '') return named
  }
  return null
}

function isName(line: string): boolean {
  const words = line.split(/\s+/).filter(word => !/^(?:and|of|the|de|for|a)$/.test(word))
  return (
    !/[()]/.test(line) &&
    words.length > 0 &&
    words.length < 12 &&
    words.every(word => /^[\p{Lu}\d("&$]/u.test(word)) &&
    !/\.[a-z]|[.:;]$/.test(line.replace(/(?:N\.A|Inc|Corp|Ltd|Co|L\.P|S\.A|PLC)\.,?$/i, ''))
  )
}

function partyIn(preamble: string, pattern: RegExp): string | null {
  return pattern.exec(preamble)?.[1]?.trim() ?? null
}

function isoDate([, month = '', day = '', year = '']: readonly string[]): string {
  return `${year}-${String(months.indexOf(month.toLowerCase()) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The date that a defined term stands for, through anniversaries, terms of years and other terms. */
function resolveDate(text: string, term: string, signed: string | null, depth: number): string | null {
  const meaning = new RegExp(`[“"]${term}[”"]\\s*(?:means|:|shall mean)(.{0,400})`).exec(text)?.[1]
  if (meaning === undefined || depth > 3) return null
  const own = meaning.split(/[“"][A-Z][^”"]{1,60}[”"]\s*(?:means|:|has)/)[0]!
  const years = later.exec(own)
  const date = written.exec(own)
  if (years !== null && (date === null || years.index < date.index)) {
    const from = /closing|effective|hereof/i.test(years[3]!)
      ? signed
      : resolveDate(text, years[3]!, signed, depth + 1)
    const number = yearWords.findIndex(words => words.test(years[1] ?? years[2]!)) + 1
    return from === null ? null : `${Number(from.slice(0, 4)) + number}${from.slice(4)}`
  }
  if (date !== null) return isoDate(date)
  const other = /(?:[A-Z][\w-]+ )*(?:Termination|Maturity|Expiration) Date/.exec(own)?.[0]
  return other === undefined || other === term ? null : resolveDate(text, other, signed, depth + 1)
}

function readCommitment(lines: readonly string[], text: string): string | null {
  const schedule = commitmentLines(lines).at(-1) ?? ''
  const amount = /\$\s*([\d,]*\d{3}(?!\d))/
  const said =
    /^total\b\D*\$\s*([\d,]{7,})/i.exec(schedule)?.[1] ??
    /(?:aggregate|total)[^.“$]{0,60}\bcommitments?\b[^.“$]{0,80}?(?:equals?|is|are|was|of)\s+(?:US)?\$\s*([\d,]{9,})/i.exec(
      text,
    )?.[1] ??
    amount.exec(
      lines
        .slice(0, 120)
        .join(' ')
        .replace(/\$[\d,]{1,8}(?![\d,])/g, ''),
    )?.[1]
  return said?.replace(/,$/, '') ?? null
}

/** The schedule of commitments, from its heading to its total. */
function commitmentLines(lines: readonly string[]): string[] {
  for (let index = lines.length - 1; index >= 0; index--) {
    const heading = /^(?:schedule|annex|appendix)\b.{0,40}$/i.test(lines[index]!)
    if (!heading || !/commitment/i.test(lines.slice(index, index + 6).join(' '))) continue
    const rest = lines.slice(index + 1, index + 200)
    const end = rest.findIndex(line => /^total\b/i.test(line))
    const next = rest.findIndex(line => /^(?:schedule|exhibit|annex)\b/i.test(line))
    if (end < 0 || (next >= 0 && next < end)) continue
    const total = /\d/.test(rest[end]!) ? rest[end]! : `${rest[end]} ${rest[end + 1] ?? ''}`
    return [...rest.slice(0, end), total]
  }
  return []
}

const tableHeading =
  /^(?:(?:name|of|the|initial|lenders?|banks?|institutions?|commitments?|applicable|percentages?|total|revolving|credit|form|amounts?|and|to|364-day|agreement|schedule|loans?|term|facility|pro|rata|share|tranche|[a-d]|[\d.()I]+)[\s,:()]*)+$/i

function readLenders(lines: readonly string[]): string[] {
  const names: string[] = []
  let beside = false
  for (const line of commitmentLines(lines)) {
    const [name = '', amount = ''] = line.split(/\s*\t\s*|\s+(?=(?:US)?\$)/)
    if (/^(?:US)?[$\d#]/.test(name) || tableHeading.test(name) || name === '') continue
    if (amount.includes('$')) beside = true
    if (beside && !amount.includes('$') && names.length > 0) names[names.length - 1] += ` ${name}`
    else names.push(name)
  }
  return names.length > 0 ? names : signedLenders(lines)
}

/** Names over signatures: those that sign `as a Lender`, and those under a heading LENDERS. */
function signedLenders(lines: readonly string[]): string[] {
  const names: string[] = []
  const heading = lines.findLastIndex(line => /^(?:the )?lenders:?$/i.test(line))
  let block: string[] = []
  for (const [index, line] of lines.entries()) {
    if (/^(?:by:?|name:|title:|an? \w+ (?:limited|corporation|company|bank)|in witness)/i.test(line)) {
      const lender = /\bas an? (?:initial )?(?:lender|bank)\b/i.test(block.join(' '))
      if (lender || (heading >= 0 && index > heading)) names.push(...splitNames(block))
      block = []
    } else if (/^(?:the )?lenders:?$/i.test(line)) block = []
    else
      block =
        isName(line.replace(/,? as an? (?:initial )?(?:lender|bank).*$/i, '')) || /^as an? /i.test(line)
          ? [...block.slice(-2), line]
          : []
  }
  return [...new Set(names)]
}

/** Lines of one name are joined; a line that ends a name (a company form) starts another. */
function splitNames(block: readonly string[]): string[] {
  const names: string[] = []
  let open = ''
  for (const line of block) {
    open = `${open} ${line.replace(/,? ?\bas an? .*$/i, '')}`.trim().replace(/,$/, '')
    if (
      /(?:L\.P\.|LLC|Inc\.|Company|COMPANY|N\.A\.|Ltd\.|Association|Bank|plc|PLC|Branch|Corp\.|Corporation)$/.test(
        open,
      )
    ) {
      names.push(open)
      open = ''
    }
  }
  if (open !== '') names.push(open)
  return names
}
