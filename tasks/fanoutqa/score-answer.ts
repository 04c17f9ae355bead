import type { TableGold } from '../../src/core/gold.ts'
import type { ScoredCell, ScoredItem } from '../../src/core/scored-item.ts'
import { answerLimits } from '../../src/score/answer/limits.ts'
import { clipRecordedText, type Scored, type ScoringInput } from '../../src/score/contract/scorer.ts'
import { explainText } from '../../src/score/explain/explain-text.ts'
import { measureCommonSubsequence } from '../../src/score/fuzzy/common-subsequence.ts'
import { countCommon, measureOverlap, numberElements } from '../../src/score/fuzzy/overlap.ts'
import { createTally } from '../../src/score/judge/tally.ts'
import { listRowsWithHeader, readGoldTable } from '../../src/score/table/gold-table.ts'
import { escapePattern } from '../../src/text/plain-text.ts'
import { porterStem } from './porter-stem.ts'
import { type FanOutGold, listReferences, writeGoldAnswer } from './writing.ts'

const punctuation = String.raw`…|,|:|;|!|\?|¿|¡|\(|\)|\[|\]|\{|\}|<|>|_|#|\*|&`
const quotes = String.raw`'|"|\x60|´|»|«`
const currency = String.raw`us\$|c\$|a\$|\$|£|€|¥|฿|₽|₴|₹`
const ellipsis = String.raw`\.\.+`
const units = 'km²|km³|km|m²|m³|dm|cm|mm|µm|nm|ha|kg|mg|µg|lb|oz|kb|mb|gb|tb|mph|kmh|ft|in|mi|g|t|m|%'

const prefix = new RegExp(`^(?:§|%|=|—|–|\\+(?![0-9])|${ellipsis}|${punctuation}|${quotes}|${currency})`, 'u')
const suffix = new RegExp(
  `(?:${ellipsis}|${punctuation}|${quotes}|'s|—|–|(?<=[0-9])\\+|(?<=[0-9])(?:${currency})|(?<=[0-9])(?:${units})|(?<=[0-9\\p{Ll}%²\\-+'"])\\.)$`,
  'u',
)
const letter = String.raw`\p{L}`
const infix = new RegExp(
  [
    ellipsis,
    String.raw`(?<=[0-9])[+\-*^](?=[0-9-])`,
    `(?<=${letter}),(?=${letter})`,
    `(?<=[${letter}0-9])(?:-{1,3}|–|——?|~)(?=${letter})`,
    `(?<=[${letter}0-9])[:<>=/](?=${letter})`,
  ].join('|'),
  'gu',
)
const contraction = /^(.+)(n't|'(?:ll|re|ve|d|m))$/

/**
 * Divides a lower-case text into tokens by the main rules of spaCy's English tokenizer: punctuation, quotes, currency signs
 * and units are tokens of their own, and words with a hyphen are divided. Its list of abbreviations, emoticons and
 * web addresses is left out.
 */
function tokenize(text: string): string[] {
  return text
    .split(/[\s\x1c-\x1f\x85]+/)
    .filter(word => word !== '')
    .flatMap(divideWord)
}

function divideWord(word: string): string[] {
  const before: string[] = []
  const after: string[] = []
  let rest = word
  for (;;) {
    const start = prefix.exec(rest)?.[0]
    if (start !== undefined && start.length < rest.length) {
      before.push(start)
      rest = rest.slice(start.length)
      continue
    }
    const end = suffix.exec(rest)?.[0]
    if (end === undefined || end.length === rest.length) break
    after.unshift(end)
    rest = rest.slice(0, -end.length)
  }
  const [, stem, ending] = contraction.exec(rest) ?? []
  const middle = stem === undefined || ending === undefined ? splitWord(rest) : [stem, ending]
  return [...before, ...middle, ...after]
}

function splitWord(word: string): string[] {
  const tokens: string[] = []
  let from = 0
  for (const match of word.matchAll(infix)) {
    if (match.index > from) tokens.push(word.slice(from, match.index))
    tokens.push(match[0])
    from = match.index + match[0].length
  }
  return [...tokens, word.slice(from)].filter(token => token !== '')
}

const irregularForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    be: ['am', 'is', 'are', 'was', 'were', 'been', 'being', "'m", "'re"],
    have: ['has', 'had', 'having', "'ve"],
    do: ['does', 'did', 'done', 'doing'],
    will: ["'ll"],
    not: ["n't"],
    good: ['best'],
    man: ['men'],
    woman: ['women'],
    child: ['children'],
    person: ['people'],
    foot: ['feet'],
  }).flatMap(([lemma, forms]) => forms.map(form => [form, lemma] as const)),
)

/**
 * Normalises a text as FanOutQA's published code does (`fanoutqa` 1.1.1): lower case, repaired characters, numbers without
 * separators, one lemma for each token, no punctuation, single blanks. Its lemmas come from a statistical model
 * (spaCy), and its repairs from ftfy. docs/fanoutqa.md says which parts are equal.
 */
export function normalise(text: string): string {
  const plain = repairCharacters(text.toLowerCase()).replace(/(?:\p{Nd}+,)+\p{Nd}+(?:\.\p{Nd}+)?/gu, number =>
    number.replaceAll(',', ''),
  )
  return tokenize(plain)
    .map(lemmatise)
    .join(' ')
    .replace(/[,.?!:;]/g, '')
    .replace(/[\s\x1c-\x1f\x85]+/g, ' ')
}

/** Straight quotes, plain ligatures and widths, composed letters. */
function repairCharacters(text: string): string {
  return text
    .replace(/[ʼ‘-‛]/g, "'")
    .replace(/[“-‟]/g, '"')
    .replace(/[ﬀ-ﬆ\uff01-\uff5e\u3000]/g, sign => sign.normalize('NFKC'))
    .normalize('NFC')
}

const word = String.raw`[\p{L}\p{N}_]`
const boundary = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`

/** Returns a test whether a normalised text contains another one between word boundaries, as Python's `\b` sees them. */
export function containsPhrase(text: string, phrase: string): boolean {
  return new RegExp(`${boundary}${escapePattern(phrase)}${boundary}`, 'u').test(text)
}

/**
 * Returns the lemma of a lower-case token by simple rules: the forms of common verbs, and the singular of a regular
 * plural. spaCy decides by the word's part of speech in its sentence, which rules cannot.
 */
function lemmatise(token: string): string {
  const irregular = irregularForms.get(token)
  if (irregular !== undefined) return irregular
  if (!/^\p{Ll}{3,}s$/u.test(token) || /(?:ss|us|is)$/.test(token)) return token
  if (token.endsWith('ies')) return `${token.slice(0, -3)}y`
  return token.slice(0, /(?:x|ch|sh|ss|zz)es$/.test(token) ? -2 : -1)
}

/** F1 of words (`rouge1`), pairs of words (`rouge2`) and the longest common subsequence of words (`rougeL`). */
interface Rouge {
  readonly rouge1: number
  readonly rouge2: number
  readonly rougeL: number
}

/** ROUGE as the Python package rouge-score 0.1.2 computes it with a stemmer. Words are runs of a-z and 0-9. */
export function computeRouge(reference: string, answer: string): Rouge {
  const [left, right] = [stemWords(reference), stemWords(answer)]
  const [leftPairs, rightPairs] = [pairWords(left), pairWords(right)]
  const longest = measureCommonSubsequence(...numberElements(left, right))
  return {
    rouge1: measureOverlap(countCommon(left, right), right.length, left.length).f1,
    rouge2: measureOverlap(countCommon(leftPairs, rightPairs), rightPairs.length, leftPairs.length).f1,
    rougeL: measureOverlap(longest, right.length, left.length).f1,
  }
}

function stemWords(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.map(word => (word.length > 3 ? porterStem(word) : word))
}

const pairWords = (words: readonly string[]): string[] =>
  words.slice(1).map((word, at) => `${words[at]} ${word}`)

/**
 * Scores the text of an answer as the model wrote it: the share of the reference texts that it contains, and ROUGE. An answer
 * that is too large scores 0.
 */
export function scoreFanOutAnswer({ gold, answerText, termination }: ScoringInput<FanOutGold>): Scored {
  const answer = answerText === null || answerText.length > answerLimits.chars ? '' : answerText
  const normal = normalise(answer)
  const isInAnswer = (text: string): boolean => answer !== '' && containsPhrase(normal, normalise(text))
  const references = listReferences(gold)
  const matched = references.filter(isInAnswer).length
  const loose = references.length === 0 ? 0 : matched / references.length
  const { rouge1, rouge2, rougeL } = computeRouge(writeGoldAnswer(gold), answer)
  const items = gold.kind === 'table' ? scoreCells(gold, isInAnswer) : scoreItems(references, isInAnswer)
  const isAnswered = answer.trim() !== ''
  return {
    status: 'scored',
    answered: isAnswered,
    metrics: { looseAccuracy: loose, strictAccuracy: Number(loose === 1), rouge1, rouge2, rougeL },
    items,
    success: loose === 1,
    explanation:
      gold.kind === 'text'
        ? explainText({ items: items as ScoredItem[], isList: true, note: null, termination })
        : [
            isAnswered
              ? `The answer contains ${matched} of ${references.length} keys and values.`
              : 'There is no answer.',
          ],
    counts: { goldItems: references.length },
    judgeUsage: createTally().usage(),
  }
}

function scoreCells(
  { rows, targetColumns, numericColumns }: TableGold,
  isInAnswer: (text: string) => boolean,
): ScoredCell[] {
  return rows.flatMap((row, goldRow) =>
    targetColumns.map(column => {
      const [, [text = ''] = []] = listRowsWithHeader(
        readGoldTable({ keyColumns: [], targetColumns: [column], numericColumns, rows: [row] }),
      )
      const isFound = isInAnswer(text)
      return {
        ...{
          goldRow,
          column,
          gold: clipRecordedText(text),
          predicted: isFound ? clipRecordedText(text) : null,
        },
        score: Number(isFound),
        rule: isFound ? 'in-text' : 'not-in-text',
        class: null,
        matched: null,
      }
    }),
  )
}

function scoreItems(references: readonly string[], isInAnswer: (text: string) => boolean): ScoredItem[] {
  return references.map((text, index) => {
    const isFound = isInAnswer(text)
    return {
      id: String(index),
      index,
      gold: clipRecordedText(text),
      predicted: isFound ? clipRecordedText(text) : null,
      score: Number(isFound),
      rule: isFound ? 'in-text' : 'not-in-text',
      class: null,
    }
  })
}
