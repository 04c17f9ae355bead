import { readChineseNumeral } from './values.ts'

/** The articles of a Chinese citation, in Arabic numerals: `《刑法》第二十七条、第六十四条` are 《刑法》第27条 and 《刑法》第64条. */
export function readLawArticles(citation: string): string[] {
  const law = citation.slice(0, citation.indexOf('》') + 1)
  const articles = citation.matchAll(/第([零一二三四五六七八九十百千\d]+)(条(?:之[一二三])?)/g)
  return [...articles].map(([, number = '', rest]) => {
    const digits = /^\d/.test(number) ? number : readChineseNumeral(number)
    return `${law}第${digits}${rest}`
  })
}
