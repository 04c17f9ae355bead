import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { guessSingleByte } from './guess-encoding.ts'

const marks: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
]

/** The encoding that servers and editors often declare without checking the text. */
const defaultEncoding = 'windows-1252'

/**
 * Valid UTF-8 with this many non-ASCII characters is UTF-8, even if another encoding is declared: saved pages keep an
 * old label.
 */
const tellingChars = 8

/** The most common characters of running text. Text decoded with a wrong encoding contains few of them. */
const common = new Set(
  '的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市' +
    '這來個們說為時會過對後麼沒於還發當無開頭見經動兩長樣現將與進實點種聲話問機給幾業間電門東聽氣關並內產萬書國學資負債總額報告營業收入股權淨利潤净润债总额报营权产' +
    '이다에의는로하을가고지서한은기도를사시어리대자인해정수나일부있아그들라장과제스원만보주상전으여세마년조구관것유공신게안진오동경우위적생선국와합차개소연회결업피금무계영문법성명월불현',
)

const controlSampleBytes = 65_536
/** Texts contain fewer control characters than one in this many bytes. Random bytes have one in ten. */
const bytesPerControl = 30

/** Returns whether bytes are text. Bytes with zeros or many control characters are text only when they are UTF-16. */
export function isText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, controlSampleBytes)
  const controls = sample.reduce((count, byte) => (isControl(byte) ? count + 1 : count), 0)
  if (!bytes.includes(0) && controls * bytesPerControl <= sample.length) return true
  return findMarkedEncoding(bytes) !== null || findWideEncoding(bytes) !== null
}

/** Whether a byte is a control character other than those of layout, backspace, and the escape and shifts of ISO 2022. */
const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 8 && byte <= 15) && byte !== 0x1b

/** A decoded text. */
export interface DecodedText {
  readonly text: string
  /** The encoding, when nothing declares it and the bytes leave a choice; null otherwise. */
  readonly guess: string | null
}

/**
 * Decodes bytes to text. The first rule that applies determines the encoding:
 *
 * 1. a byte order mark
 * 2. the zeros of UTF-16, or the signs between which ISO-2022-JP, ISO-2022-KR and HZ write characters of two bytes
 * 3. valid UTF-8 with enough non-ASCII characters
 * 4. the encoding that the header or the text declares, if the bytes do not contradict it
 * 5. UTF-8 with few damaged bytes
 * 6. the one of GB 18030, Big5, Shift JIS, EUC-JP and EUC-KR that yields enough common characters
 * 7. the declared encoding or UTF-8, if it fits most bytes
 * 8. Windows-1252 if it is declared, otherwise a guess by the letters (`guessSingleByte`)
 *
 * @param contentType - the header `content-type`; empty when there is none
 */
export function decodeOrGuess(bytes: Uint8Array, contentType = ''): DecodedText {
  const certain = findMarkedEncoding(bytes) ?? findWideEncoding(bytes)
  if (certain !== null) return { text: decode(bytes, certain), guess: null }
  const utf8 = decode(bytes, 'utf-8')
  if (!utf8.includes('\ufffd') && isTelling(bytes)) return { text: utf8, guess: null }
  const declared = [findLabel(contentType), labelInside(bytes)].flatMap(label => findEncoding(label) ?? [])
  if (!declared.includes('iso-2022-jp') && hasJapaneseEscapes(bytes))
    return decodeGuessed(bytes, 'iso-2022-jp')
  const shifted = decodeShifted(bytes)
  if (shifted !== null) return shifted
  for (const encoding of declared) {
    if (encoding === defaultEncoding) continue
    const text = withBadBelow(bytes, encoding, (chars, foreign) => Math.min(chars / 1000, foreign / 10))
    if (text !== null) return { text, guess: null }
  }
  const text = withBadBelow(bytes, 'utf-8', (_, foreign) => foreign / 10)
  return text === null ? guessEncoding(bytes, declared) : { text, guess: null }
}

/** Decodes bytes to text as `decodeOrGuess` does. */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  return decodeOrGuess(bytes, contentType).text
}

/**
 * Decodes a text of the web in a reading thread.
 *
 * @throws TooLargeError when it has more characters than `readingLimits` allow
 */
export function decodeBody({
  source,
  contentType,
}: {
  source: Uint8Array
  contentType: string
}): DecodedText {
  const decoded = decodeOrGuess(source, contentType)
  checkLimit(decoded.text.length, readingLimits.textChars, 'characters of text')
  return decoded
}

/** Says that an encoding was guessed, and how many characters are damaged; null when neither is so. */
export function guessNotice({ text, guess }: DecodedText): string | null {
  const notices = guess === null ? [] : [`its encoding is not declared: read as ${guess}`]
  let damaged = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) damaged++
  if (damaged > 0)
    notices.push(`${damaged} ${damaged === 1 ? 'character is' : 'characters are'} damaged and read as \ufffd`)
  return notices.length === 0 ? null : notices.join('; ')
}

function decodeGuessed(bytes: Uint8Array, encoding: string): DecodedText {
  return { text: decode(bytes, encoding), guess: encoding }
}

/** ISO-2022-JP changes to two bytes per character with ESC $ B or ESC $ @. */
function hasJapaneseEscapes(bytes: Uint8Array): boolean {
  if (!bytes.includes(0x1b)) return false
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return /\x1b\$[@B][\x21-\x7e]{2}/.test(text) && !/[\x80-\xff]/.test(text)
}

/**
 * Encodings of seven bits that `TextDecoder` does not know. Between two signs they write characters of two bytes of another
 * encoding, without the highest bits.
 */
const shiftedEncodings: readonly {
  readonly name: string
  readonly sign: RegExp
  readonly part: RegExp
  readonly encoding: string
}[] = [
  { name: 'iso-2022-kr', sign: /\x1b\$\)C/, part: /\x0e([\x21-\x7e\s]*)\x0f?/g, encoding: 'euc-kr' },
  {
    name: 'hz-gb-2312',
    sign: /~\{(?:[\x21-\x77][\x21-\x7e])+~\}[\s\S]*~\{(?:[\x21-\x77][\x21-\x7e])+~\}/,
    part: /~(?:\{((?:[\x21-\x77][\x21-\x7e])+)~\}|\n)/g,
    encoding: 'gb18030',
  },
]

function decodeShifted(bytes: Uint8Array): DecodedText | null {
  if (!bytes.includes(0x0e) && !bytes.includes(0x7e)) return null
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const form = shiftedEncodings.find(({ sign }) => sign.test(text))
  if (form === undefined || /[\x80-\xff]/.test(text)) return null
  const widen = (pairs: string): string =>
    decode(
      Uint8Array.from(pairs, sign => sign.charCodeAt(0) | (sign > ' ' ? 0x80 : 0)),
      form.encoding,
    )
  const decoded = text.replace(form.part, (_all, pairs: string | undefined) => widen(pairs ?? ''))
  return { text: decoded.replaceAll('\x1b$)C', ''), guess: form.name }
}

/** Returns whether valid UTF-8 contains enough non-ASCII characters. */
function isTelling(utf8: Uint8Array): boolean {
  let left = tellingChars
  for (let index = 0; index < utf8.length; index++) if (utf8[index]! >= 0xc0 && --left === 0) return true
  return false
}

function findMarkedEncoding(bytes: Uint8Array): string | null {
  const mark = marks.find(({ bytes: lead }) => lead.every((byte, index) => bytes[index] === byte))
  return mark?.encoding ?? null
}

const minZeros = 2

/**
 * Recognises UTF-16 without a mark. In Western text nearly every second byte is zero; Chinese text has zeros in its
 * line ends.
 */
function findWideEncoding(bytes: Uint8Array): string | null {
  if (bytes.length % 2 === 1) return null
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (let index = 0; index < sample.length; index++) if (sample[index] === 0) zeros[index % 2]!++
  const [even, odd] = [zeros[0]!, zeros[1]!]
  const [fewer, more] = even < odd ? [even, odd] : [odd, even]
  if (more < Math.max(minZeros, sample.length / 100) || fewer * 20 > more) return null
  const encoding = odd > even ? 'utf-16le' : 'utf-16be'
  const text = decode(sample, encoding)
  const strange = text.match(/[\0-\x08\x0e-\x1f\ufffd\p{Co}\p{Cn}]/gu)?.length ?? 0
  return strange * 20 > text.length ? null : encoding
}

/** Bytes from the first non-ASCII byte on that are enough for a guess. */
const sampleBytes = 100_000
/** East Asian text that is decoded by single bytes fits the letters of a language at most this much better. */
const maxFitOfEastAsian = 0.35

function guessEncoding(bytes: Uint8Array, declared: readonly string[]): DecodedText {
  const sample = bytes.subarray(0, 200_000)
  const best = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']
    .map(encoding => ({ encoding, share: computeCommonShare(decode(sample, encoding), encoding) }))
    .reduce((first, second) => (second.share > first.share ? second : first))
  const start = Math.max(0, bytes.findIndex(byte => byte >= 0x80) - 100)
  const telling = bytes.subarray(start, start + sampleBytes)
  const singleByte = guessSingleByte(telling, encoding => decode(telling, encoding))
  // A few characters of a short text are common ones by chance.
  if (best.share > Math.max(0.1, singleByte.fit - maxFitOfEastAsian))
    return decodeGuessed(bytes, best.encoding)
  for (const encoding of [...declared, 'utf-8']) {
    const text = withBadBelow(bytes, encoding, (_, foreign) => foreign / 2)
    if (text !== null) return { text, guess: null }
  }
  if (declared.includes(defaultEncoding)) return { text: decode(bytes, defaultEncoding), guess: null }
  return decodeGuessed(bytes, singleByte.encoding)
}

/**
 * Returns the share of non-ASCII characters that are common in East Asian text. Characters that could not be decoded are
 * subtracted. Single characters between ASCII are ignored: a quotation mark of Windows-1252 and the letter after it are a
 * Chinese character in Shift JIS.
 */
function computeCommonShare(text: string, encoding: string): number {
  // The other encodings have kana, too, but no texts with them.
  const isJapanese = /jis|jp/.test(encoding)
  let foreign = 0
  let hits = 0
  for (const [run] of text.matchAll(/[^\0-\x7f]+/gu)) {
    const characters = [...run]
    foreign += characters.length
    for (const character of characters) {
      // Only common Hangul syllables count, because most Chinese characters of GB 18030 are some syllable in EUC-KR.
      if (
        characters.length > 1 &&
        (common.has(character) || (isJapanese && /[\u3040-\u30ff]/.test(character)))
      )
        hits += 1
      if (character === '\ufffd') hits -= 1
    }
  }
  return foreign === 0 ? 0 : hits / foreign
}

function findLabel(contentType: string): string | null {
  return /charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(contentType)?.[1] ?? null
}

/** The most bytes in which a page declares its encoding, as the HTML Standard says. */
const prescanBytes = 1024

/**
 * Returns the encoding that an HTML page or XML text declares in its first bytes; null when it declares none. Follows
 * "prescan a byte stream to determine its encoding" of the HTML Standard, as html5lib does: declarations in comments and in
 * attributes of other elements do not count.
 */
function labelInside(bytes: Uint8Array): string | null {
  const head = decode(bytes.subarray(0, prescanBytes), 'latin1')
  const declared = /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1]
  if (declared !== undefined) return declared
  const tag = /<!--[\s\S]*?(?:-->|$)|<(\/?[a-z][^\s/>]*)|<[!/?][^>]*/gi
  for (let match = tag.exec(head); match !== null; match = tag.exec(head)) {
    if (match[1] === undefined) continue
    const { attributes, end } = readAttributes(head, tag.lastIndex)
    tag.lastIndex = end
    if (match[1].toLowerCase() !== 'meta') continue
    const content = /content-type/i.test(attributes.get('http-equiv') ?? '') ? attributes.get('content') : ''
    const label = attributes.get('charset') ?? findLabel(content ?? '')
    if (label === null) continue
    if (/^\s*x-user-defined\s*$/i.test(label)) return defaultEncoding
    const encoding = findEncoding(label)
    if (encoding === null) continue
    // A page whose declaration can be read as ASCII is not UTF-16.
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  }
  return null
}

/** Reads the attributes of a tag from a position. The first of each name counts. */
function readAttributes(head: string, start: number): { attributes: Map<string, string>; end: number } {
  const attribute = /[\s/]*(?:>|([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)?))?)/gy
  attribute.lastIndex = start
  const attributes = new Map<string, string>()
  let end = start
  for (let match = attribute.exec(head); match !== null; match = attribute.exec(head)) {
    end = attribute.lastIndex
    const name = match[1]?.toLowerCase()
    if (name === undefined) break
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '')
  }
  return { attributes, end }
}

/** Returns the encoding of a label by the Encoding Standard; null for unknown labels. */
function findEncoding(label: string | null): string | null {
  if (label === null) return null
  try {
    const { encoding } = new TextDecoder(label)
    return encoding === 'gbk' ? 'gb18030' : encoding
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * Decodes bytes; null when there are too many invalid sequences.
 *
 * @param limit - returns the number of invalid sequences that is too many, for a number of characters and of non-ASCII ones
 */
function withBadBelow(
  bytes: Uint8Array,
  encoding: string,
  limit: (chars: number, foreign: number) => number,
): string | null {
  if (encoding.startsWith('utf-16')) return null
  const text = decode(bytes, encoding)
  const bad = countMatches(text, /\ufffd/g)
  return bad === 0 || bad < limit(text.length, countForeignChars(text)) ? text : null
}

function countForeignChars(text: string): number {
  return countMatches(text, /[^\0-\x7f]/gu)
}

/** Counts without a list of the matches: a large text may have as many as characters. */
function countMatches(text: string, pattern: RegExp): number {
  let count = 0
  while (pattern.test(text)) count++
  return count
}

/** The characters 0x80 to 0x9f of Windows-1252. Some releases of Node decode them as control characters. */
const windowsSigns = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding).decode(bytes)
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return latin.replace(/[\x80-\x9f]/g, sign => windowsSigns[sign.charCodeAt(0) - 0x80]!)
}
