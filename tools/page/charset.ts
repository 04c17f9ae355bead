import { fromWindows1252 } from '../../retrieval/text/decode.ts'

const boms: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Headers that servers send without looking at the page. */
const defaultLabels = new Set(['windows-1252'])

/** The commonest characters of running text; what is decoded with the wrong table hits few of them. */
const common = new Set(
  '的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市' +
    '這來個們說為時會過對後麼沒於還發當無開頭見經動兩長樣現將與進實點種聲話問機給幾業間電門東聽氣關並內產萬書國學資負債總額報告營業收入股權淨利潤净润债总额报营权产' +
    '이다에의는로하을가고지서한은기도를사시어리대자인해정수나일부있아그들라장과제스원만보주상전으여세마년조구관것유공신게안진오동경우위적생선국와합차개소연회결업피금무계영문법성명월불현',
)

/**
 * A page's bytes as text, and the encoding taken: byte order mark, then the header, then the page's own meta tag,
 * then strict UTF-8, then whichever of GB 18030, Big5, Shift JIS, EUC-JP and EUC-KR gives the commonest characters,
 * then what was declared or UTF-8 where most of the bytes bear it out, else Windows-1252. A declared encoding that the
 * bytes contradict is not believed.
 */
export function decodeText(bytes: Uint8Array, contentType: string): { text: string; encoding: string } {
  for (const [encoding, mark] of boms) {
    if (mark.every((byte, index) => bytes[index] === byte)) return { text: decode(bytes, encoding), encoding }
  }
  for (const label of [labelIn(contentType), metaLabel(bytes)]) {
    const encoding = label === null ? null : encodingOf(label)
    if (encoding === null || defaultLabels.has(encoding)) continue
    const text = strictly(bytes, encoding)
    if (text !== null) return { text, encoding }
  }
  const utf8 = strictly(bytes, 'utf-8')
  if (utf8 !== null) return { text: utf8, encoding: 'utf-8' }
  return guessed(bytes, contentType)
}

function guessed(bytes: Uint8Array, contentType: string): { text: string; encoding: string } {
  const sample = bytes.subarray(0, 200_000)
  const best = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']
    .map(encoding => ({ encoding, share: commonShare(decode(sample, encoding)) }))
    .reduce((first, second) => (second.share > first.share ? second : first))
  if (best.share > 0.1) return { text: decode(bytes, best.encoding), encoding: best.encoding }
  for (const label of [labelIn(contentType), metaLabel(bytes), 'utf-8']) {
    const encoding = label === null ? null : encodingOf(label)
    const text = encoding === null ? null : loosely(bytes, encoding)
    if (encoding !== null && text !== null) return { text, encoding }
  }
  return { text: fromWindows1252(bytes), encoding: 'windows-1252' }
}

/**
 * How much of what is not ASCII is common East Asian text; characters that could not be decoded count against it. One
 * that stands alone in ASCII is no sign: a quotation mark of Windows-1252 and the letter behind it are a Chinese
 * character in Shift JIS.
 */
function commonShare(text: string): number {
  let foreign = 0
  let hits = 0
  for (const [run] of text.matchAll(/[^\0-\x7f]+/gu)) {
    const characters = [...run]
    foreign += characters.length
    for (const character of characters) {
      // Of Hangul the common syllables alone: most Chinese characters of GB 18030 are some syllable in EUC-KR.
      if (characters.length > 1 && (common.has(character) || /[\u3040-\u30ff]/.test(character))) hits += 1
      if (character === '\ufffd') hits -= 1
    }
  }
  return foreign === 0 ? 0 : hits / foreign
}

function labelIn(contentType: string): string | null {
  return /charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(contentType)?.[1] ?? null
}

function metaLabel(bytes: Uint8Array): string | null {
  const head = decode(bytes.subarray(0, 4096), 'latin1')
  const meta = /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1]
  return meta ?? /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1] ?? null
}

/** The decoder's own name for a label, as the Encoding Standard maps them; null for one it does not know. */
function encodingOf(label: string): string | null {
  try {
    const { encoding } = new TextDecoder(label)
    return encoding === 'gbk' ? 'gb18030' : encoding
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * Null where the bytes are not of that encoding: more than one bad sequence in 1,000 characters, or in ten that are not
 * ASCII, so that the few accents and currency signs of a long page are not taken for damage.
 */
function strictly(bytes: Uint8Array, encoding: string): string | null {
  return withBadBelow(bytes, encoding, (chars, foreign) => Math.min(chars / 1000, foreign / 10))
}

/** Null where half of what is not ASCII, or more, is not of that encoding. */
function loosely(bytes: Uint8Array, encoding: string): string | null {
  return withBadBelow(bytes, encoding, (_, foreign) => foreign / 2)
}

function withBadBelow(
  bytes: Uint8Array,
  encoding: string,
  limit: (chars: number, foreign: number) => number,
): string | null {
  if (encoding.startsWith('utf-16')) return null
  const text = decode(bytes, encoding)
  const bad = text.match(/\ufffd/g)?.length ?? 0
  if (bad === 0) return text
  const foreign = text.match(/[^\0-\x7f]/gu)?.length ?? 0
  return bad < limit(text.length, foreign) ? text : null
}

function decode(bytes: Uint8Array, encoding: string): string {
  return encoding === 'windows-1252' ? fromWindows1252(bytes) : new TextDecoder(encoding).decode(bytes)
}
