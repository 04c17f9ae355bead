const irregular: ReadonlyMap<string, string> = new Map([
  ...['sky', 'news', 'inning', 'outing', 'canning', 'howe', 'proceed', 'exceed', 'succeed'].map(
    word => [word, word] as const,
  ),
  ...[
    ['skies', 'sky'],
    ['dying', 'die'],
    ['lying', 'lie'],
    ['tying', 'tie'],
    ['innings', 'inning'],
    ['outings', 'outing'],
    ['cannings', 'canning'],
  ].map(([word, stem]) => [word!, stem!] as const),
])

type SuffixRule = readonly [suffix: string, replacement: string]

const step2: readonly SuffixRule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['fulli', 'ful'],
]
const step3: readonly SuffixRule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const step4 = 'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'.split(' ')

/**
 * Porter's stem of a lower-case word, with the extensions of NLTK, which the Python package rouge-score uses
 * (M. F. Porter, An algorithm for suffix stripping, 1980).
 */
export function porterStem(word: string): string {
  const exception = irregular.get(word)
  if (exception !== undefined) return exception
  if (word.length <= 2) return word
  const plain = withoutEnding(withoutPlural(word))
  const stem = withoutSuffixes(withPlainY(plain))
  return withoutDoubleL(withoutFinalE(stem))
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith('sses')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** Step 1b: the endings eed, ed and ing. */
function withoutEnding(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const ending = ['ed', 'ing'].find(
    suffix => word.endsWith(suffix) && classifyLetters(word.slice(0, -suffix.length)).includes('v'),
  )
  if (ending === undefined) return word
  const stem = word.slice(0, -ending.length)
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsWithDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

function withPlainY(word: string): string {
  const stem = word.slice(0, -1)
  return word.endsWith('y') && stem.length > 1 && classifyLetters(stem).endsWith('c') ? `${stem}i` : word
}

/** Steps 2 to 4. */
function withoutSuffixes(word: string): string {
  const third = applyRules(applySecondStep(word), step3)
  const suffix = step4.find(ending => third.endsWith(ending))
  if (suffix === undefined) return third
  const stem = third.slice(0, -suffix.length)
  const isKept = measure(stem) <= 1 || (suffix === 'ion' && !/[st]$/.test(stem))
  return isKept ? third : stem
}

function applySecondStep(word: string): string {
  if (word.endsWith('alli') && measure(word.slice(0, -4)) > 0) return applySecondStep(word.slice(0, -2))
  if (step2.some(([suffix]) => word.endsWith(suffix))) return applyRules(word, step2)
  return word.endsWith('logi') && measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
}

/** Applies the first rule whose suffix fits, when the rest of the word has a measure above 0. */
function applyRules(word: string, rules: readonly SuffixRule[]): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (rule === undefined) return word
  const stem = word.slice(0, -rule[0].length)
  return measure(stem) > 0 ? stem + rule[1] : word
}

function withoutFinalE(word: string): string {
  if (!word.endsWith('e')) return word
  const stem = word.slice(0, -1)
  const size = measure(stem)
  return size > 1 || (size === 1 && !endsShort(stem)) ? stem : word
}

const withoutDoubleL = (word: string): string =>
  word.endsWith('ll') && measure(word.slice(0, -1)) > 1 ? word.slice(0, -1) : word

/** One letter for each letter of a word: c for a consonant, v for a vowel. A y after a consonant is a vowel. */
function classifyLetters(word: string): string {
  let kinds = ''
  for (const letter of word) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && kinds.endsWith('c'))
    kinds += isVowel ? 'v' : 'c'
  }
  return kinds
}

const measure = (word: string): number => classifyLetters(word).split('vc').length - 1

const endsWithDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && classifyLetters(word).endsWith('c')

/** Consonant, vowel, consonant other than w, x and y; or two letters, a vowel and a consonant. */
function endsShort(word: string): boolean {
  const kinds = classifyLetters(word)
  return (kinds.endsWith('cvc') && !/[wxy]$/.test(word)) || kinds === 'vc'
}
