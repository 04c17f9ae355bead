import { seededRandom } from '../../src/core/runtime.ts'
import { escapePattern } from '../../src/text/plain-text.ts'

// A twin that shares more of the original's numbers than this could be taken for a copy.
const maxSharedNumbers = 0.75

/**
 * Writes a twin that discovery cannot mistake for the original: it shares less than three quarters of its
 * multi-digit numbers. When changing figures is not enough (a text with few numbers), every other paragraph is left
 * out. Less than 0.6 of the original's text then remains.
 */
export function makeTwin(original: TwinText, kind: TwinKind, variant: number, seed: number): TwinText {
  const twin = writeTwin(original, kind, variant, seed)
  if (countSharedNumbers(original.text, twin.text) < maxSharedNumbers) return twin
  return { ...twin, text: dropEveryOtherSentence(twin.text) }
}

/**
 * Returns the share of a text's multi-digit numbers, counting repetitions, that occur in another text; 1 when there
 * are none.
 */
export function countSharedNumbers(original: string, candidate: string): number {
  const numbers = listMultiDigitNumbers(original)
  const have = new Map<string, number>()
  for (const number of listMultiDigitNumbers(candidate)) have.set(number, (have.get(number) ?? 0) + 1)
  const distinct = [...new Set(numbers)]
  const counted = numbers.filter(number => {
    const left = have.get(number) ?? 0
    have.set(number, left - 1)
    return left > 0
  })
  if (numbers.length === 0) return 1
  const candidateNumbers = new Set(listMultiDigitNumbers(candidate))
  const distinctShare = distinct.filter(number => candidateNumbers.has(number)).length / distinct.length
  return Math.max(distinctShare, counted.length / numbers.length)
}

function listMultiDigitNumbers(text: string): string[] {
  return (text.match(/\d[\d,.]*\d/g) ?? []).map(number => number.replaceAll(',', ''))
}

function dropEveryOtherSentence(text: string): string {
  const pieces = text.match(/[^.。；;!?！？\n]+[.。；;!?！？\n]*\s*/g) ?? [text]
  return pieces.filter((_piece, index) => index % 2 === 0).join('')
}

/** What a twin changes besides its figures. */
type TwinKind = 'year' | 'company'

/** The name, title and text of a twin. */
export interface TwinText {
  readonly name: string
  readonly title: string | null
  readonly text: string
}

const inventedNames = [
  'Halden Brook', 'Northgate', 'Ostrava Pine', 'Calder Vale', 'Tessin', 'Mirafield', 'Ardenne Lake', 'Solvane',
  'Kestrel Bay', 'Ferrowick', 'Lindqvist', 'Marlowe Peak', 'Quillon', 'Redmarsh', 'Thornbury', 'Wexcombe',
] // biome-ignore format: a list of words
const inventedChineseNames = ['恒岳', '瑞澜', '景渡', '鸿砚', '泰樾', '嘉澍', '启珩', '云岫', '德泓', '安瀚']
const surnames = '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜'

const englishOrganisation =
  /((?:[A-Z][\w&.'’-]*[ ,]+){1,4})(?:Inc|INC|Corp|CORP|Corporation|CORPORATION|Company|COMPANY|Co|LLC|Ltd|LTD|plc|PLC)\b/g
const chineseOrganisation =
  /([\p{Script=Han}]{2,4})(?=(?:科技|实业|集团|控股|股份)*(?:股份)?有限(?:责任)?公司)/gu
const commonWords = /^(the|of|and|bank|american|general|united|first|national|new|international|by|among)$/i

/**
 * Writes a twin of a document: the same text with another year or company (in a case, other people) and other
 * figures. Equal figures stay equal and keep their size. Dates keep day and month, so that the twin looks real. The
 * caller must check that it differs enough.
 *
 * @param variant - 0, 1, 2 … for different twins
 */
function writeTwin(original: TwinText, kind: TwinKind, variant: number, seed: number): TwinText {
  const rename = kind === 'company' ? renaming(original.text, variant, seed) : null
  const shift = rename === null ? computeYearShift(variant) : 0
  const change = (text: string) => changeFigures(rename === null ? text : rename(text), shift, seed + variant)
  const text = change(original.text)
  const title = original.title === null ? null : change(original.title)
  const name = makeTwinName(original.name, { shift, rename, variant, seed })
  if (title === null || title !== original.title) return { name, title, text }
  // With the same title, a reader could not distinguish the two at first sight.
  const edition = `${title} (${findCommonYear(text) ?? 2015 + (variant % 9)})`
  return { name, title: edition, text: `${edition}\n${text}` }
}

function findCommonYear(text: string): string | null {
  return findMostFrequent(text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? [])
}

function computeYearShift(variant: number): number {
  return variant % 2 === 0 ? -1 - variant / 2 : (variant + 1) / 2
}

function renaming(text: string, variant: number, seed: number): ((text: string) => string) | null {
  const english = findMostFrequent(
    [...text.slice(0, 60_000).matchAll(englishOrganisation)].map(hit => hit[1] ?? ''),
  )
  const chinese = findMostFrequent([...text.matchAll(chineseOrganisation)].map(hit => hit[1] ?? ''))
  const people = /[\p{Script=Han}]某/u.test(text)
  if (english === null && chinese === null && !people) return null
  const pick = <T>(list: readonly T[]) => list[(hashNumber(`${seed}:names`) + variant) % list.length] as T
  const word = english?.split(/[\s,;:]+/).find(part => part.length > 2 && !commonWords.test(part)) ?? null
  return input => {
    let output = input
    if (word !== null)
      output = output.replace(makeWordPattern(word), name => copyCase(pick(inventedNames), name))
    if (chinese !== null) output = output.replaceAll(chinese, pick(inventedChineseNames))
    return output.replace(/([\p{Script=Han}])(?=某)/gu, surname => pickSurname(surname, variant, seed))
  }
}

function makeWordPattern(word: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escapePattern(word)}(?![\p{L}\p{N}])`, 'giu')
}

function copyCase(name: string, like: string): string {
  if (like === like.toUpperCase()) return name.toUpperCase()
  return like === like.toLowerCase() ? name.toLowerCase().replaceAll(' ', '') : name
}

function pickSurname(surname: string, variant: number, seed: number): string {
  const at = surnames.indexOf(surname)
  if (at < 0) return surname
  return surnames[(at + 1 + variant + (seed % 7)) % surnames.length] ?? surname
}

function findMostFrequent(candidates: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const candidate of candidates) {
    const name = candidate.replace(/[ ,]+$/g, '').trim()
    if (name !== '' && !commonWords.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  let best: string | null = null
  for (const [name, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = name
  return best
}

const figures =
  /(?<kept>第[一二三四五六七八九十百千零]+[条款项章节]|(?:[Ss]ections?|SECTIONS?|Item|ITEM|Rule|Article|ARTICLE|Note|NOTE|Exhibit|EXHIBIT|EX-|Part|PART|§|第)\s?\d[\d.]*(?: (?:or|OR|and|AND) \d+)?|\d{1,2}(?=[日条款章节])|(?<=年)\d{1,2}(?=月)|(?<=\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.?\s)\d{1,2}\b|\b100(?=\s?%))|(?<year>(?<![\d,.])(?:19|20)\d\d(?!\d|[,.]\d))|(?<chinese>[一二三四五六七八九](?=年|个月|万|千|百))|(?<number>\d[\d,.]*\d)/gu

/** Changes the figures and years of a text. Words, dates and numbered names stay unchanged. */
export function changeFigures(text: string, shift: number, seed: number): string {
  return text.replace(figures, (figure: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    if (groups.kept !== undefined) return figure
    if (groups.year !== undefined) return String(Number(figure) + shift)
    if (groups.chinese !== undefined) return pickChineseDigit(figure, seed)
    const offset = rest.at(-3) as number
    return insideName(text, offset, figure.length) ? figure : pickNumber(figure, seed)
  })
}

// 10-K, Q12, 3M, B22, ISO-9001: a number attached to letters is a name, not a figure.
function insideName(text: string, offset: number, length: number): boolean {
  const before = text[offset - 1] ?? ' '
  const after = text.slice(offset + length, offset + length + 2)
  return /[A-Za-z_]/.test(before) || /^(?:[A-Za-z_]|-[A-Za-z])/.test(after)
}

/**
 * Returns another number of the same size and shape: the first digit and trailing zeros stay, and another digit
 * changes.
 */
function pickNumber(number: string, seed: number): string {
  const random = seededRandom(hashNumber(`${seed}:${number}`))
  const tail = /[.,]/.test(number) && number.includes('.') ? '' : (/(?:[0,])*$/.exec(number)?.[0] ?? '')
  const head = number.slice(0, number.length - tail.length)
  let changed = false
  let digits = 0
  const output = head.replace(/\d/g, digit => {
    digits++
    if (digits === 1) return digit
    const changedDigit = String((Number(digit) + 1 + Math.floor(random() * 9)) % 10)
    changed = true
    return changedDigit === '0' && digits === head.replace(/\D/g, '').length ? '5' : changedDigit
  })
  if (changed && output !== head) return output + tail
  return String((Number(head[0]) % 9) + 1) + head.slice(1) + tail
}

function pickChineseDigit(digit: string, seed: number): string {
  const digits = '一二三四五六七八九'
  const at = digits.indexOf(digit)
  return digits[(at + 1 + (hashNumber(`${seed}:${digit}`) % 8)) % 9] ?? digit
}

interface TwinChanges {
  /** Years added to every year. */
  readonly shift: number
  /** Replaces names of organisations and people; null when the twin differs in years only. */
  readonly rename: ((text: string) => string) | null
  readonly variant: number
  readonly seed: number
}

function makeTwinName(name: string, { shift, rename, variant, seed }: TwinChanges): string {
  const [, stem = name, extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,5})?$/s.exec(name) ?? []
  const shifted = stem.replace(/(?<!\d)(?:19|20)\d\d(?!\d)/g, year => String(Number(year) + shift))
  if (rename === null) return (shifted === stem ? `${stem}_${2016 + variant}` : shifted) + extension
  const renamed = rename(stem)
  if (renamed !== stem) return renamed + extension
  const tag = (inventedNames[(hashNumber(`${seed}:names`) + variant) % inventedNames.length] ?? '')
    .toLowerCase()
    .replaceAll(' ', '')
    .slice(0, 6)
  const first = /^[A-Za-z]+(?=[^A-Za-z])/.exec(stem)?.[0]
  return `${first === undefined ? `${tag}_${stem}` : tag + stem.slice(first.length)}${extension}`
}

/** Returns an integer from 0 to 2^32 - 1 that depends only on the text: FNV-1a with a final mixing step. */
export function hashNumber(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
