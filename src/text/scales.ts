import { foldCase, mapWords } from './plain-text.ts'

/**
 * Every scale word with its factor. Words with several meanings are left out: `mil` is a thousand in Spanish and a million
 * in Czech. Letters are in `scaleLetters`.
 */
const scaleWords = mapWords<number>([
  ['trillion|tn|trn|万亿|兆|조|billionen|billones|billón|biljoen|трлн|триллион|триллиона|триллионов', 1e12],
  ['billion|bn|bln|mrd|md|mld|mia|milliard|milliarde|milliarden|milliarder|miljard|miljarden|miljarder', 1e9],
  ['miliardo|miliardi|miliard|miliardy|miliardów|miliarda|miliardů|milliárd|milyar|bilhão|bilhões', 1e9],
  ['mil millones|mil milhões|млрд|миллиард|миллиарда|миллиардов|мільярд|мільярдів|十亿|十億', 1e9],
  ['亿|億|억', 1e8],
  ['crore|cr', 1e7],
  [
    'million|mn|mln|mio|milj|millionen|millioner|miljoen|miljon|miljoner|milione|milioni|millón|millones',
    1e6,
  ],
  ['milhão|milhões|milion|miliony|milionów|milionu|milionů|millió|milyon', 1e6],
  ['млн|миллион|миллиона|миллионов|мільйон|мільйонів|百万|百萬|백만', 1e6],
  ['lakh|lac', 1e5],
  ['万|萬|만', 1e4],
  ['thousand|tausend|tsd|tys|tysiąc|tysięcy|tis|tisíc|mila|ezer|tusen|tusind|duizend', 1e3],
  ['тыс|тысяча|тысячи|тысяч|тис|тисяч|千|천', 1e3],
  ['dozen|dutzend|douzaine|docena|dozzina', 12],
])

/** Letters that state a scale beside money and counts, and are units elsewhere: 5 m is 5 million or 5 metres. */
const scaleLetters = mapWords([
  ['t|T', 1e12],
  ['b|B', 1e9],
  ['m|M|mm|MM|MN', 1e6],
  ['k|K', 1e3],
])

/** Reads a word that only states a scale, such as `millions` or 万. MN may be a unit, and mN is one. */
export function readScaleWord(text: string): number | null {
  if (text === 'mN' || text === 'MN') return null
  const folded = foldCase(text).replace(/\.$/, '')
  return scaleWords.get(folded) ?? scaleWords.get(folded.replace(/s$/, '')) ?? null
}

/** Reads letters that may state a scale: k, m, mm, b, t in either case, or MN. In mM and Mm the case shows a unit. */
export const readScaleLetter = (text: string): number | null => scaleLetters.get(text) ?? null

/**
 * Reads the factor in the unit line of a table: 1e6 for `(in millions, except per share amounts)`, 1e4 for `单位：万元`, 1 for
 * `单位：元`. Returns null when the text states no unit.
 */
export function readUnitLine(text: string): number | null {
  const chineseLine =
    /(?:单位|單位|金额单位)\s*[:：]?\s*(?:人民币|人民幣)?\s*(亿|億|百万|百萬|万|萬|千|仟)?\s*元/.exec(text)
  if (chineseLine !== null) {
    const word = chineseLine[1]
    return word === undefined ? 1 : word === '仟' ? 1e3 : (readScaleWord(word) ?? 1)
  }
  const english =
    /(?:\bin\s+|\(|\$\s*|\bunits?\s*[:：]\s*|amounts? (?:stated |expressed )?in\s+)(?:(?:us|u\.s\.|rmb|cny|usd)?\s*(?:dollars|yuan|\$)?\s*)(thousand|million|billion)s?\b/i.exec(
      text,
    )
  if (english !== null) return readScaleWord(english[1]!)
  return /\bunits?\s*[:：]\s*(?:rmb|cny|usd|yuan|dollars)/i.test(text) ? 1 : null
}
