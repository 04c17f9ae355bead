/** A text and the charset it was read as. */
export interface Decoded {
  readonly text: string
  readonly charset: string
}

const byteOrderMarks: readonly { readonly bytes: readonly number[]; readonly charset: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], charset: 'utf-8' },
  { bytes: [0xff, 0xfe], charset: 'utf-16le' },
  { bytes: [0xfe, 0xff], charset: 'utf-16be' },
]

/**
 * Bytes as text: by byte-order mark, else UTF-8 if it is valid, else UTF-16 by its pattern of zeros, else the charset
 * that `declared` names, else GB18030 or Big5 (whichever gives the more common characters), else Windows-1252.
 * Null: not text.
 */
export function decodeText(bytes: Uint8Array, declared: string | null = null): Decoded | null {
  const mark = byteOrderMarks.find(({ bytes: lead }) => lead.every((byte, index) => bytes[index] === byte))
  if (mark !== undefined) return strictly(bytes, mark.charset) ?? loosely(bytes, mark.charset)
  const wide = wideCharset(bytes)
  if (wide !== null) return loosely(bytes, wide)
  if (bytes.includes(0)) return null
  const utf8 = strictly(bytes, 'utf-8')
  if (utf8 !== null) return utf8
  if (/^(?:windows-1252|iso-8859-1|latin1)$/i.test(declared ?? '')) return western(bytes)
  const named = declared === null ? null : strictly(bytes, declared)
  if (named !== null) return named
  if (isCutUtf8(bytes)) return loosely(bytes, 'utf-8')
  return looksWestern(bytes) ? western(bytes) : chinese(bytes)
}

function strictly(bytes: Uint8Array, charset: string): Decoded | null {
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes), charset }
  } catch {
    // Not valid in this charset, or a charset nobody knows: the caller tries the next.
    return null
  }
}

/** 0x80 to 0x9f of Windows-1252, which some releases of Node read as control characters. */
const windowsSigns = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Bytes of Windows-1252 as text, the same on every release. */
export function fromWindows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return latin.replace(/[\x80-\x9f]/g, sign => windowsSigns[sign.charCodeAt(0) - 0x80]!)
}

function western(bytes: Uint8Array): Decoded {
  return { text: fromWindows1252(bytes), charset: 'windows-1252' }
}

function loosely(bytes: Uint8Array, charset: string): Decoded {
  return { text: new TextDecoder(charset).decode(bytes), charset }
}

/** UTF-16 without a mark: nearly every other byte of Western text is zero; Chinese text has zeros in its line ends. */
function wideCharset(bytes: Uint8Array): string | null {
  if (bytes.length < 4 || bytes.length % 2 === 1) return null
  const sample = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (let index = 0; index < sample.length; index++) if (sample[index] === 0) zeros[index % 2]!++
  const [even, odd] = [zeros[0]!, zeros[1]!]
  if (Math.max(even, odd) < sample.length / 100 || Math.min(even, odd) * 20 > Math.max(even, odd)) return null
  const charset = odd > even ? 'utf-16le' : 'utf-16be'
  const text = new TextDecoder(charset).decode(sample)
  const strange = text.match(/[\0-\x08\x0e-\x1f\ufffd\p{Co}\p{Cn}]/gu)?.length ?? 0
  return strange * 20 > text.length ? null : charset
}

/** Valid UTF-8 with a little damage: better than any other guess. */
function isCutUtf8(bytes: Uint8Array): boolean {
  const { text } = loosely(bytes, 'utf-8')
  const broken = text.match(/\ufffd/g)?.length ?? 0
  const beyondAscii = text.match(/[^\x00-\x7f]/gu)?.length ?? 0
  return broken * 10 < beyondAscii
}

/** High bytes that are few and stand alone are accented letters. */
function looksWestern(bytes: Uint8Array): boolean {
  let high = 0
  let alone = 0
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index]! < 0x80) continue
    high++
    if ((bytes[index - 1] ?? 0) < 0x80 && (bytes[index + 1] ?? 0) < 0x80) alone++
  }
  return alone * 10 >= high * 9
}

const commonCharacters = new Set(
  '的一是不了在有人和这這中大为為上个個国國我以要他时時来來用们們生到作地于於出就分对對成会會可主发發年动動同工也能下过過子说說产產种種面而方后後多定行学學法所民得经經十三之进進着等部度家电電力里如水化高自二理起小物现現实實加量都两兩体體制机機当當使点點从從业業本去把性好应應开開它合还還因由其些然前外天政四日那社义義事平形相全表间間样樣与與关關各重新线線内內数數正心反你明看原又么麼利比或但质質第向道命此变變条條没沒结結解问問意建月公无無系係军軍很情者最立代想已通并並提直题題党黨程展五果料象员員革位入常文总總次品式活设設及管特件长長求老头頭基资資边邊流路级級少图圖山统統接知较較将將组組见見计計别別她手角期根论論运運农農指几幾九区區强強放决決西被干做必战戰先回则則任取据據处處告院判被罪刑犯金额額元万萬亿億股报報收净淨润潤',
)

function chinese(bytes: Uint8Array): Decoded | null {
  const candidates = ['gb18030', 'big5']
    .map(charset => loosely(bytes, charset))
    .map(decoded => ({ decoded, score: commonShare(decoded.text) }))
    .sort((a, b) => b.score - a.score)
  const best = candidates[0]!
  return best.score > 0 ? best.decoded : western(bytes)
}

/** Common characters less what only a wrong charset gives, per character beyond ASCII. */
function commonShare(text: string): number {
  let score = 0
  let beyondAscii = 0
  for (const character of text) {
    if (character <= '\x7f') continue
    beyondAscii++
    if (commonCharacters.has(character)) score++
    else if (character === '\ufffd' || /\p{Co}/u.test(character)) score -= 2
  }
  return score / Math.max(1, beyondAscii)
}
