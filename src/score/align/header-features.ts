import { lruCache } from '../../system/lru-cache.ts'
import { foldCase } from '../../text/plain-text.ts'
import { synonyms } from './synonyms.ts'

/** The parts of a column name that are compared. */
export interface HeaderFeatures {
  /** The name as written. */
  readonly exact: string
  /** After NFKC normalisation, in lower case, without punctuation and spaces. Text in brackets is kept. */
  readonly plain: string
  /** Like `plain`, without brackets, units, plurals and small words. */
  readonly bare: string
  /** The text in brackets. */
  readonly unit: string
  readonly concepts: readonly string[]
  /** Words, and pairs of CJK characters, that do not belong to a concept. */
  readonly words: readonly string[]
  /** Those of `words` that denote another quantity (growth, rate, per share, net, …). */
  readonly qualifiers: string
  /** Like `words` and `qualifiers`, including the words of concepts. */
  readonly allWords: readonly string[]
  readonly allQualifiers: string
}

const brackets = /\([^()]*\)|\[[^[\]]*\]|【[^【】]*】|\{[^{}]*\}|<[^<>]*>/g
const smallWords = new Set(['of', 'the', 'a', 'an', 'and', 'in', 'for', 'by', 'from', 'to', 'on', 'at', 'as'])
const unitWords = new Set([
  'usd',
  'cny',
  'rmb',
  'eur',
  'gbp',
  'jpy',
  'hkd',
  'yuan',
  'dollar',
  'euro',
  'million',
  'billion',
  'thousand',
  'mn',
  'bn',
  'percent',
  'percentage',
  'pct',
  '元',
  '万元',
  '亿元',
  '百万元',
  '千元',
  '人民币',
  '美元',
  '港元',
  '单位',
])
const qualifierWords = new Set([
  'growth',
  'rate',
  'ratio',
  'margin',
  'per',
  'change',
  'increase',
  'decrease',
  'yoy',
  'qoq',
  'previou',
  'previous',
  'prior',
  'last',
  'next',
  'average',
  'median',
  'net',
  'gross',
  'cost',
  'operating',
  'investing',
  'financing',
  'diluted',
  'basic',
  'current',
  'noncurrent',
  'deferred',
  'comprehensive',
  'before',
  'after',
  'minimum',
  'maximum',
  'min',
  'max',
  'first',
  'second',
  'third',
  'fourth',
  'start',
  'end',
  'opening',
  'closing',
  'beginning',
  'number',
  'count',
  'id',
  'percent',
  'tax',
  'short',
  'long',
  'other',
  'issue',
  'expiry',
  'maturity',
  'birth',
  'death',
  'minority',
  'noncontrolling',
])
const cjkQualifiers = [
  '增长',
  '增幅',
  '率',
  '比',
  '每股',
  '同比',
  '环比',
  '上期',
  '上年',
  '本期',
  '净',
  '毛',
  '稀释',
  '扣除',
  '投资',
  '筹资',
  '经营',
  '非',
  '其他',
  '平均',
  '期初',
  '期末',
  '少数',
  '流动',
  '成本',
]

const featuresByName = lruCache<HeaderFeatures>(10_000)

/** Analyses a column name. Results are kept, because names recur throughout a run. */
export function readHeaderFeatures(name: string): HeaderFeatures {
  return featuresByName(name, () => analyse(name))
}

function analyse(name: string): HeaderFeatures {
  const text = name.normalize('NFKC')
  const outside = text.replace(brackets, ' ')
  const tokens = splitPhrase(outside.trim() === '' ? text : outside)
  const { concepts, rest } = extractConcepts(tokens)
  return {
    exact: name,
    plain: foldCase(text).replace(/[^\p{L}\p{N}%]+/gu, ''),
    bare: tokens.join(' '),
    unit: (text.match(brackets) ?? [])
      .map(foldCase)
      .join(' ')
      .replace(/[^\p{L}\p{N}%/]+/gu, ''),
    concepts,
    words: rest.flatMap(listOverlapUnits),
    qualifiers: readQualifiers(rest),
    allWords: tokens.flatMap(listOverlapUnits),
    allQualifiers: readQualifiers(tokens),
  }
}

/** The words of a name: lower case, camel case separated, singular, without small words and trailing units. */
function splitPhrase(text: string): string[] {
  const tokens = foldCase(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replace(/[’']s\b|[’']/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap(splitScripts)
    .map(makeSingular)
    .filter(token => token !== '' && !smallWords.has(token))
  const withoutUnits = tokens.filter(token => !unitWords.has(token))
  return withoutUnits.length === 0 ? tokens : withoutUnits
}

const cjk = /\p{Script=Han}/u
const splitScripts = (token: string): string[] => token.match(/\p{Script=Han}+|[^\p{Script=Han}]+/gu) ?? []

function makeSingular(token: string): string {
  if (token.length < 4 || cjk.test(token)) return token
  if (token.endsWith('ies')) return `${token.slice(0, -3)}y`
  return token.endsWith('s') && !/(?:ss|us|is)$/.test(token) ? token.slice(0, -1) : token
}

const conceptOf: ReadonlyMap<string, string> = new Map(
  Object.entries(synonyms).flatMap(([concept, phrases]) =>
    phrases.map(phrase => [splitPhrase(phrase).join(' '), concept] as const),
  ),
)
/** Concepts whose one-word names are too common to be recognised inside a longer name. */
const wholeNameConcepts = new Set([
  'file-name',
  'case-name',
  'defendant',
  'crime',
  'sentence',
  'probation',
  'fine',
  'confiscation',
  'other-judgment',
  'related-index',
  'paper-name',
  'method',
  'result',
  'label',
  'period',
  'assets',
  'company',
  'person-name',
])
const longestPhrase = Math.max(...[...conceptOf.keys()].map(phrase => phrase.split(' ').length))

/** Replaces known phrases by their concepts, longest first, from left to right. */
function extractConcepts(tokens: readonly string[]): { concepts: string[]; rest: string[] } {
  const concepts: string[] = []
  const rest: string[] = []
  let at = 0
  while (at < tokens.length) {
    const length = measurePhrase(tokens, at)
    if (length > 0) {
      concepts.push(conceptOf.get(tokens.slice(at, at + length).join(' '))!)
      at += length
    } else {
      const token = tokens[at]!
      if (cjk.test(token)) extractCjk(token, concepts, rest)
      else rest.push(token)
      at += 1
    }
  }
  return { concepts, rest }
}

function measurePhrase(tokens: readonly string[], at: number): number {
  for (let length = Math.min(longestPhrase, tokens.length - at); length > 0; length -= 1) {
    const concept = conceptOf.get(tokens.slice(at, at + length).join(' '))
    if (concept === undefined) continue
    if (length > 1 || tokens.length === 1 || !wholeNameConcepts.has(concept)) return length
  }
  return 0
}

function extractCjk(run: string, concepts: string[], rest: string[]): void {
  let pending = ''
  let at = 0
  while (at < run.length) {
    let length = Math.min(24, run.length - at)
    while (length > 1 && !isPhraseIn(run, at, length)) length -= 1
    if (length > 1) {
      concepts.push(conceptOf.get(run.slice(at, at + length))!)
      if (pending !== '') rest.push(pending)
      pending = ''
      at += length
    } else {
      pending += run[at]
      at += 1
    }
  }
  if (pending !== '') rest.push(pending)
}

function isPhraseIn(run: string, at: number, length: number): boolean {
  const concept = conceptOf.get(run.slice(at, at + length))
  return concept !== undefined && (length > 2 || length === run.length || !wholeNameConcepts.has(concept))
}

function listOverlapUnits(token: string): string[] {
  if (!cjk.test(token) || token.length < 3) return [token]
  return Array.from({ length: token.length - 1 }, (_, i) => token.slice(i, i + 2))
}

function readQualifiers(rest: readonly string[]): string {
  const qualifiers = rest.flatMap(token =>
    cjk.test(token)
      ? cjkQualifiers.filter(word => token.includes(word))
      : qualifierWords.has(token)
        ? [token]
        : [],
  )
  return [...new Set(qualifiers)].sort().join(' ')
}
