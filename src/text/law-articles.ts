import { readChineseNumeral } from './numbers.ts'

const numeral = '[零〇一二三四五六七八九十百千\\d]{1,12}'
const inserted = '之[一二三四五六七八九十]+'
const numbered = new RegExp(`第(${numeral})(?=[条款项])`, 'g')
const article = new RegExp(`第(${numeral})(条(?:${inserted})?)`, 'g')
const betweenArticles = new RegExp(`\\s*(?:[、，,和及与]|以及)\\s*(?=第${numeral}条)`)
const startsWithArticle = new RegExp(`^第${numeral}条`)
const arabicArticle = new RegExp(`第(\\d+)条(${inserted})?`, 'g')
const plainArticle = new RegExp(`第\\d+(?:${inserted})?条`, 'g')
/** The name of a law, perhaps with its year or number, and a list of articles, perhaps with paragraphs and items. */
const citation = new RegExp(
  `(《[^《》]{1,60}》)(?:[（(][^（()）]{1,30}[)）])?((?:[第款项〇零一二三四五六七八九十百千\\d、，,和及与以()（）\\s]{0,60}${plainArticle.source})+)`,
  'g',
)
const state = '中华人民共和国'
const stateOfLaw = new RegExp(`${state}(?=\\p{Script=Han}{1,30}(?:》|第\\d))`, 'gu')
const betweenHan = /(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu

/** Returns the articles of a Chinese citation, in Arabic numerals: 《刑法》第27条 and 《刑法》第64条 for `《刑法》第二十七条、第六十四条`. */
export function readLawArticles(citation: string): string[] {
  const law = citation.slice(0, citation.indexOf('》') + 1)
  return [...citation.matchAll(article)].map(
    ([, number = '', rest]) => `${law}第${writeArabic(number)}${rest}`,
  )
}

/**
 * Writes the numbers of articles, paragraphs and items in Arabic numerals, and removes the name of the state, which most
 * citations leave out: 《中华人民共和国刑法》第二百六十六条 becomes 《刑法》第266条.
 */
export function withPlainLaws(text: string): string {
  const arabicNumbers = text.includes('第')
    ? text.replace(numbered, (_, number: string) => `第${writeArabic(number)}`)
    : text
  return text.includes(state) ? arabicNumbers.replace(stateOfLaw, '') : arabicNumbers
}

/**
 * Writes each cited article of a law separately and in one spelling, also when a citation is broken over lines:
 * `《中华人民共和国刑法》第二十七条、第六十四条` becomes `《刑法》第27条、《刑法》第64条`. An inserted article (`第133条之一`) becomes
 * 第133之一条, so that the text of article 133 is not the beginning of it.
 */
export function withPlainCitations(text: string): string {
  if (!text.includes('第')) return text
  return withPlainLaws(text.replace(betweenHan, ''))
    .replace(arabicArticle, (_, number: string, part = '') => `第${number}${part}条`)
    .replace(citation, (_, law: string, row: string) =>
      row.replace(plainArticle, articleText => law + articleText),
    )
}

/** Splits the items of a list into single articles, each with the law that was named last: `《刑法》第266条、第27条` becomes two. */
export function withLawOfEach(items: readonly string[]): readonly string[] {
  if (!items.some(item => item.includes('》'))) return items
  let law = ''
  return items.flatMap(item =>
    item.split(betweenArticles).map(part => {
      law = /《[^》]*》/.exec(part)?.[0] ?? law
      return startsWithArticle.test(part.trim()) ? `${law}${part.trim()}` : part
    }),
  )
}

function writeArabic(number: string): string {
  return /^\d/.test(number) ? number : String(readChineseNumeral(number) ?? number)
}
