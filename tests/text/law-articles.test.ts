import { expect, it } from 'vitest'
import {
  readLawArticles,
  withLawOfEach,
  withPlainCitations,
  withPlainLaws,
} from '../../src/text/law-articles.ts'

it('returns the articles of a citation in Arabic numerals, each with its law', () => {
  expect(readLawArticles('《刑法》第二百六十四条、第六十七条第一款、第133条之一')).toEqual([
    '《刑法》第264条',
    '《刑法》第67条',
    '《刑法》第133条之一',
  ])
})

it('writes numbers of articles in Arabic numerals, and changes nothing else', () => {
  expect(withPlainLaws('《民法典》第一千二百五十四条第一款、第133条之一')).toBe(
    '《民法典》第1254条第1款、第133条之一',
  )
  expect(withPlainLaws('第二十届三中全会，二百六十六人')).toBe('第二十届三中全会，二百六十六人')
})

it('assigns consecutive articles to the law that was named last', () => {
  expect(
    withLawOfEach(['《刑法》第27条、第64条和第67条第一款', '第70条', '《民法典》第1条', '第2条']),
  ).toEqual([
    ...['《刑法》第27条', '《刑法》第64条', '《刑法》第67条第一款', '《刑法》第70条'],
    ...['《民法典》第1条', '《民法典》第2条'],
  ])
  const plain = ['第27条', 'a, b']
  expect(withLawOfEach(plain)).toBe(plain)
})

it.each([
  [
    '《中华人民共和国刑法》第二百六十四条、第六十七条第三款之规定',
    '《刑法》第264条、《刑法》第67条第3款之规定',
  ],
  ['《刑法》第六十七条第一款、第三款，第七十二条', '《刑法》第67条第1款、第3款，《刑法》第72条'],
  ['《刑法》第二百\n六十四条及第 52 条', '《刑法》第264条及第 52 条'],
  ['《民法典》（2020年）第五百七十七条，《刑法》第一条', '《民法典》第577条，《刑法》第1条'],
  ['《刑法》第一百三十三条之一、第十二条', '《刑法》第133之一条、《刑法》第12条'],
  ['第三节 《公司章程》的修改：第四条', '第三节 《公司章程》的修改：第4条'],
])('cites an article by itself: %s', (text, cited) => {
  expect(withPlainCitations(text)).toBe(cited)
})
