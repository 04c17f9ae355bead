import { foldCase } from './plain-text.ts'

/** Words and signs for yes and no. Short words with another meaning (si, da, ne) are left out. */
const words = new Map<string, boolean>(
  (
    [
      ['true|yes|ja|oui|sí|sì|sim|да|так|tak|はい|是|예|네|evet|✓|✔|☑|✅|√', true],
      ['false|no|nein|non|não|nee|nej|нет|ні|いいえ|否|不是|아니요|아니오|hayır|✗|✘|✕|❌|☒', false],
    ] as const
  ).flatMap(([list, value]) => list.split('|').map(word => [foldCase(word), value] as const)),
)
/** What tables write beside a gold value of true or false. */
const letters = new Map<string, boolean>([
  ...(['y', 't', '1'] as const).map(letter => [letter, true] as const),
  ...(['n', 'f', '0'] as const).map(letter => [letter, false] as const),
])

/** Whether a text of this many characters can be such a word. */
const longest = 8

/** Reads a word or sign for yes or no. `NO` in capitals may be a country, so it is read as a letter. Null for any other text. */
function readBoolean(text: string): boolean | null {
  return text.length > longest || text === 'NO'
    ? null
    : (words.get(foldCase(text.replace(/\ufe0f$/, ''))) ?? null)
}

/**
 * Whether two texts state the same truth value: `True` and `yes`, `✓` and `Ja`. A single letter, a figure and `NO` count
 * beside `True` and `False` alone.
 *
 * @param gold decides whether letters count
 */
export function isSameBoolean(gold: string, predicted: string): boolean {
  const value = readBoolean(gold)
  if (value === null) return false
  const isLogical = /^(?:true|false)$/i.test(gold)
  const prediction =
    readBoolean(predicted) ??
    (isLogical ? (letters.get(predicted.toLowerCase().replace(/^no$/, 'n')) ?? null) : null)
  return value === prediction
}
