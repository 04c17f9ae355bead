import { readChineseNumeral } from './values.ts'

const numeral = '[零〇一二三四五六七八九十百千\\d]{1,12}'
const numbered = new RegExp(`第(${numeral})(?=[条款项])`, 'g')
const article = new RegExp(`第(${numeral})(条(?:之[一二三])?)`, 'g')
const betweenArticles = new RegExp(`\\s*(?:[、，,和及与]|以及)\\s*(?=第${numeral}条)`)
const startsWithArticle = new RegExp(`^第${numeral}条`)

/** The articles of a Chinese citation, in Arabic numerals: `《刑法》第二十七条、第六十四条` are 《刑法》第27条 and 《刑法》第64条. */
export function readLawArticles(citation: string): string[] {
  const law = citation.slice(0, citation.indexOf('》') + 1)
  return [...citation.matchAll(article)].map(([, number = '', rest]) => `${law}第${arabic(number)}${rest}`)
}

/** Text with the numbers of articles, paragraphs and items in Arabic numerals: `第二百六十六条` becomes 第266条. */
export function withArabicArticles(text: string): string {
  return text.includes('第') ? text.replace(numbered, (_, number: string) => `第${arabic(number)}`) : text
}

/** Items of a list with each article apart, under the law that was named last: `《刑法》第266条、第27条` is two. */
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

function arabic(number: string): string {
  return /^\d/.test(number) ? number : String(readChineseNumeral(number) ?? number)
}
