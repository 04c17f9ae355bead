const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
// Every repetition is bounded, because the regular expression engine stores a backtracking position for each character.
const maxRepeats = 1_000
const piece = new RegExp(
  `(?<run>[${cjk}]{1,${maxRepeats}})|(?<number>\\d{1,3}(?:,\\d{3}){1,20}(?:\\.\\d{1,60})?|\\d{1,60}\\.\\d{1,60})|(?:(?![${cjk}])[\\p{L}\\p{M}\\p{N}]){1,${maxRepeats}}`,
  'gu',
)
const plainWord = /^(?:\p{L}+|\p{N}+)$/u
const letterOrDigitRun = /\p{N}{2,}|[^\p{N}]{2,}/gu

/**
 * Returns the words of a text for a search index, in NFKC form and lower case.
 * - Numbers lose their thousands separators.
 * - Runs of Chinese, Japanese or Korean script become single characters and pairs of characters.
 * - A word that mixes letters and digits (`fy2025q2`) is returned whole, followed by its parts of two or more characters.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = []
  for (const match of text.normalize('NFKC').toLowerCase().matchAll(piece)) {
    const word = match[0]
    if (match.groups?.run !== undefined) pushCharactersAndPairs(word, tokens)
    else if (match.groups?.number !== undefined) tokens.push(word.replaceAll(',', ''))
    else {
      tokens.push(word)
      if (!plainWord.test(word)) for (const part of word.match(letterOrDigitRun) ?? []) tokens.push(part)
    }
  }
  return tokens
}

function pushCharactersAndPairs(run: string, tokens: string[]): void {
  let previous = ''
  for (const character of run) {
    tokens.push(character)
    if (previous !== '') tokens.push(previous + character)
    previous = character
  }
}
