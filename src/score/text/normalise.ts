import { pythonFloat } from '../python/number.ts'

const fileExtension = /\.(?:md|markdown|pdf|txt|html?|docx?|xlsx?|csv|tsv|json|xml|rtf|htm)$/i

/** Text for comparing by rules: NFKC, lower case, without a leading `the` and punctuation that is no part of a number. */
export function normaliseText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[−‐‑‒–—]/g, '-')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/[\p{P}\p{S}\p{Z}\s\p{Cf}]+/gu, (run, at: number, whole: string) =>
      keptPunctuation(run, at, whole),
    )
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
    .trim()
    .replace(/^the (?=.)/, '')
}

/** Signs that change a value stay where they touch a digit; other punctuation parts words. */
function keptPunctuation(run: string, at: number, whole: string): string {
  const afterDigit = isDigit(whole[at - 1])
  const beforeDigit = isDigit(whole[at + run.length])
  let kept = ''
  for (const sign of run) {
    const inNumber = (/[.:/]/.test(sign) && afterDigit && beforeDigit) || (sign === '-' && beforeDigit)
    kept += inNumber || (/[%‰°]/.test(sign) && afterDigit) || /[$€£¥+<>=&@#]/.test(sign) ? sign : ' '
  }
  return kept.replace(/ +/g, ' ')
}

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character)

/** Is this a file's name, by its extension? */
export const hasFileExtension = (text: string): boolean => fileExtension.test(text.trim())

/**
 * A key for comparing by rules: as text, after its path and file extension are taken off.
 * @param isFileName whether a path goes although no extension shows that this is a file
 */
export function normaliseKey(text: string, isFileName: boolean): string {
  const composed = text.normalize('NFKC').trim()
  const withoutPath =
    isFileName || hasFileExtension(composed) ? composed.replace(/^.*[/\\](?=[^/\\])/s, '') : composed
  return normaliseText(withoutPath.replace(fileExtension, ''))
}

/** Do two texts hold the same number, whatever its spelling (36 and 36.0)? A code with a leading zero is no number. */
export function sameNumber(left: string, right: string): boolean {
  if (/^0\d/.test(left) || /^0\d/.test(right)) return false
  const a = pythonFloat(left.replaceAll(',', ''))
  return a !== null && a === pythonFloat(right.replaceAll(',', ''))
}
