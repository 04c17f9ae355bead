import { analyse } from 'chardet'

/**
 * What the texts of an encoding look like: the letters of its languages. `frequent` lists the lower-case letters of a script
 * from the most to the least frequent. `languages` lists the accented letters of languages with Latin letters.
 */
type EncodingLook =
  | { readonly frequent: string; readonly vowels?: string; readonly final?: string }
  | { readonly languages: readonly string[] }

const cyrillic: EncodingLook = {
  frequent: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфіїєґёъўјљњћџђ',
  vowels: 'оеаиуяыюэёіїєъ',
}
const greek: EncodingLook = {
  frequent: 'αοιετσνηυρπκμλςωίόάέδήγύχθφώβξζψϊΐϋΰ',
  vowels: 'αοιεηυωίόάέήύώϊΐϋΰ',
  final: 'ς',
}
const hebrew: EncodingLook = { frequent: 'יוהלאמרשתבנםחדקעפטגזכןצסךץףַָּׁׂ', final: 'םןךץף' }
const arabic: EncodingLook = { frequent: 'اليمونرتبةعدسفهكقأحجشطصخضإىذزثغئءؤظآپچژگ', final: 'ةى' }
const thai: EncodingLook = { frequent: 'านรกอเงมยลวดทตสะปบคหแจพชขใไโผถซณศธษญภฟฉฐฎฏฝฬฑฒฆฮ่้ัิีืุูึ์็๋๊ๆำฯ' }
const centralEuropean: EncodingLook = {
  languages: ['áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'ąćęłńóśźż', 'áéíóöőúüű', 'ăâîşţșț', 'čćđšž', 'äöüß'],
}
const western: EncodingLook = {
  languages: ['äöüß', 'éèêëàâçîïôùûüœæ', 'áéíóúüñ¿¡ºª', 'áâãàçéêíóôõúºª', 'åäöé', 'åæøéóò', 'éëïóüöèá'],
}
const turkish: EncodingLook = { languages: ['çğıöşüâîûi̇'] }
const baltic: EncodingLook = { languages: ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'] }

/** Icelandic in Windows-1252 looks like Turkish, which is more frequent. */
const icelandic: EncodingLook = { languages: ['áéíóúýþæðö'] }

/** Encodings with one byte per character, with how much more or less likely each is by itself. */
const looks: readonly (readonly [encoding: string, look: EncodingLook, prior?: number])[] = [
  ['windows-1252', western, 0.12],
  ['windows-1252', icelandic, -0.05],
  ['windows-1250', centralEuropean],
  ['iso-8859-2', centralEuropean],
  ['windows-1254', turkish],
  ['windows-1257', baltic],
  ['windows-1251', cyrillic],
  ['koi8-u', cyrillic],
  ['ibm866', cyrillic],
  ['iso-8859-5', cyrillic],
  ['windows-1253', greek],
  ['iso-8859-7', greek],
  ['windows-1255', hebrew],
  ['windows-1256', arabic],
  ['iso-8859-6', arabic],
  ['windows-874', thai],
]

/** The names that chardet has for the same encodings, or for their older parts. */
const detectorNames: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': ['ISO-8859-1'],
  'windows-1253': ['ISO-8859-7'],
  'windows-1254': ['ISO-8859-9'],
  'windows-1250': ['ISO-8859-2'],
  'windows-1255': ['ISO-8859-8'],
  'koi8-u': ['KOI8-R'],
}

/** How much the statistics of chardet count beside the letters. Of short texts they know little. */
const detectorWeight = 0.15

/** The likeliest encoding, and how well the text fits it: about 1 when all letters are usual. */
export interface EncodingGuess {
  readonly encoding: string
  readonly fit: number
}

/**
 * Guesses the encoding of a text with one byte per character, by how well its words fit the languages that are written in
 * it, and by chardet's statistics.
 */
export function guessSingleByte(bytes: Uint8Array, decode: (encoding: string) => string): EncodingGuess {
  const matches = new Map(
    analyse(bytes).map(({ name, confidence }) => [name.toLowerCase(), confidence / 100]),
  )
  let best: EncodingGuess = { encoding: 'windows-1252', fit: 0 }
  for (const [encoding, look, prior = 0] of looks) {
    const names = [encoding, ...(detectorNames[encoding] ?? []).map(name => name.toLowerCase())]
    const detected = Math.max(...names.map(name => matches.get(name) ?? 0))
    const score = measureFit(decode(encoding), look) + detectorWeight * detected + prior
    if (score > best.fit + 0.001) best = { encoding, fit: score }
  }
  return best
}

/** Signs of all encodings that texts contain beside letters. */
const usualSigns = /[“”„‘’‚«»‹›–—…•€£§©®™°±²³¹½¼¾×·\u00a0№\u00ad]/
const foreignWord = /[\p{L}\p{M}'’]*[^\0-\x7f]+[\p{L}\p{M}]*/gu

/** Returns how well the words with non-ASCII characters fit a look: about 1 when all are usual, below 0 when few are. */
function measureFit(text: string, look: EncodingLook): number {
  const words = Array.from(text.matchAll(foreignWord), ([word]) => word)
  const mean = (fits: readonly number[]): number =>
    fits.length === 0 ? 0 : fits.reduce((sum, fit) => sum + fit, 0) / fits.length
  if ('frequent' in look) return mean(words.flatMap(word => computeScriptFit(word, look)))
  return Math.max(
    ...look.languages.map(letters => mean(words.flatMap(word => computeLatinFit(word, letters)))),
  )
}

/** Returns the fit of each non-ASCII character of a word of another script. */
function computeScriptFit(
  word: string,
  { frequent, vowels, final }: { frequent: string; vowels?: string; final?: string },
): number[] {
  const characters = [...word]
  const fit: number[] = []
  let letters = 0
  let hasVowel = false
  for (const [at, character] of characters.entries()) {
    if (character < '\x80') {
      // Words mix no scripts.
      if (/[a-z]/i.test(character)) fit.push(-0.5)
      continue
    }
    const lower = character.toLowerCase()
    const rank = frequent.indexOf(lower)
    if (rank < 0) {
      fit.push(usualSigns.test(character) ? 0.3 : /\p{L}|\p{M}/u.test(character) ? -0.3 : -1)
      continue
    }
    letters++
    if (vowels?.includes(lower) === true) hasVowel = true
    const isMisplacedCase = lower !== character && at > 0 && /\p{Ll}/u.test(characters[at - 1]!)
    const isMisplacedFinal = final?.includes(lower) === true && /\p{L}/u.test(characters[at + 1] ?? '')
    const isLooseMark = /\p{M}/u.test(character) && !/\p{L}|\p{M}/u.test(characters[at - 1] ?? '')
    fit.push(isMisplacedCase || isMisplacedFinal || isLooseMark ? -1 : 1 - (0.8 * rank) / frequent.length)
  }
  // Longer words have vowels.
  if (vowels !== undefined && letters > 3 && !hasVowel)
    fit.push(...Array.from({ length: letters }, () => -0.5))
  return fit
}

/** Returns the fit of each non-ASCII character of a word in Latin letters of a language. */
function computeLatinFit(word: string, letters: string): number[] {
  const characters = [...word]
  return characters.flatMap((character, at) => {
    if (character < '\x80') return []
    const lower = character.toLowerCase()
    if (usualSigns.test(character)) return [0.5]
    if (!/\p{L}/u.test(character)) return [-1]
    const [previous = '', next = ''] = [characters[at - 1], characters[at + 1]]
    if (characters.length === 1) return [0.3]
    if (isMisplaced(lower, next, letters)) return [-0.5]
    if (lower !== character && /\p{Ll}/u.test(previous)) return [-1]
    // Words of Latin letters have few accents in a row.
    const isCrowded = previous >= '\x80' && next >= '\x80'
    return [(letters.includes(lower) ? 1 : -0.3) - (isCrowded ? 0.6 : 0)]
  })
}

/** Some accented letters stand only at certain places of a language's words. */
function isMisplaced(letter: string, next: string, letters: string): boolean {
  const isEnd = !/\p{L}/u.test(next)
  if (letter === 'º' || letter === 'ª') return !isEnd
  if (letter === 'õ' && letters.includes('ã')) return next !== 'e'
  if (letters.includes('œ')) return isEnd && /[âîûôç]/.test(letter)
  return letters.includes('ì') && !isEnd && /[ìòù]/.test(letter)
}
