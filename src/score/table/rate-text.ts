import { isBlankValue } from '../../core/blank-value.ts'
import { areDifferentCodes } from '../../text/column-units.ts'
import { foldCase, mapWords } from '../../text/plain-text.ts'
import { readAnswerItems, readCommaItems, readGoldItems, scoreList } from '../text/lists.ts'
import { isSameNumber, normaliseText } from '../text/normalise.ts'
import { areDifferentAmounts, findMeaningRule } from '../text/same-meaning.ts'
import { type CellRating, makeRating, ratings } from './rating.ts'

/** Words and signs for yes and no. Short words with another meaning (si, da, ne) are left out. */
const words = mapWords([
  [
    foldCase(
      'true|wahr|vrai|vero|verdadero|verdadeiro|истина|yes|ja|oui|sí|sì|sim|да|так|tak|はい|是|예|네|evet|✓|✔|☑|✅|√',
    ),
    true,
  ],
  [
    foldCase(
      'false|falsch|faux|falso|ложь|no|nein|non|não|nee|nej|нет|ні|いいえ|否|不是|아니요|아니오|hayır|✗|✘|✕|✖|❌|☒',
    ),
    false,
  ],
])
/** What tables write beside a gold value of true or false. */
const letters = mapWords([
  ['y|t|1', true],
  ['n|f|0', false],
])

/** Whether a text of this many characters can be such a word. */
const longest = Math.max(...[...words.keys()].map(word => word.length)) + 1

/** Reads a word or sign for yes or no. `NO` in capitals may be a country, so it is read as a letter. Null for any other text. */
export function readBoolean(text: string): boolean | null {
  return text.length > longest || text === 'NO'
    ? null
    : (words.get(foldCase(text.replace(/(?:\ufe0f|(?<=\p{L})\.)$/u, ''))) ?? null)
}

/**
 * Whether two texts state the same truth value: `True` and `yes`, `✓` and `Ja`. A figure and `NO` count beside `True` and
 * `False` alone, a single letter also beside `Yes` and `No`.
 *
 * @param gold decides whether letters count
 */
function isSameBoolean(gold: string, predicted: string): boolean {
  const value = readBoolean(gold)
  if (value === null) return false
  const isLogical = /^(?:true|false)$/i.test(gold)
  const isShort = isLogical || (/^(?:yes|no)$/i.test(gold) && /^[YN]$/i.test(predicted))
  const prediction =
    readBoolean(predicted) ??
    (isShort ? (letters.get(predicted.toLowerCase().replace(/^no$/, 'n')) ?? null) : null)
  return value === prediction
}

/** Tables write a dash for an empty cell. */
const dashes = /^[-‐‑‒–—―－/]*$/

/** Rates two cells of which at least one is blank: empty, a dash, or a word such as `N/A`, 无, 未提及. Null for any other cells. */
export function rateEmpty(gold: string, predicted: string): CellRating | null {
  const [left, right] = [gold, predicted].map(text => dashes.test(text) || isBlankValue(text))
  return left && right ? ratings.bothEmpty : left || right ? ratings.oneEmpty : null
}

/** The rules by which `rateTextByRules` decides. */
export const textRules: ReadonlySet<string> = new Set([
  'normalised-equal',
  'boolean',
  'date',
  'amount',
  'duration',
  'time',
  'range',
  'bound',
  'coordinate',
  'written-number',
  'list',
])

/**
 * Rates two different texts by fixed rules. The score is 1 when they are equal after normalisation or as numbers, or when
 * they state the same amount, date or duration; lists score by the paper's 0.8 rule. Returns null when no rule decides.
 *
 * @param column the gold's name of the column, which may state a currency or a penalty
 */
export function rateTextByRules(gold: string, predicted: string, column: string): CellRating | null {
  const left = normaliseText(gold)
  const right = normaliseText(predicted)
  if (left === right && left !== '')
    return areDifferentAmounts(gold, predicted, column) ? null : ratings.normalisedEqual
  if (areDifferentCodes(gold, predicted, column)) return null
  if (isSameNumber(gold, predicted)) return ratings.normalisedEqual
  if (isSameBoolean(gold, predicted)) return makeRating(1, 'boolean')
  const rule = findMeaningRule(gold, predicted, column)
  if (rule !== null) return makeRating(1, rule)
  const items = readGoldItems(gold) ?? readCommaItems(gold, predicted)
  return items === null ? null : makeRating(scoreList(items, readAnswerItems(predicted, items)), 'list')
}
