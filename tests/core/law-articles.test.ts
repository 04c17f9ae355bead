import { expect, it } from 'vitest'
import { readLawArticles } from '../../src/core/law-articles.ts'

it('articles of a citation are given in Arabic numerals, each with its law', () => {
  expect(readLawArticles('《刑法》第二百六十四条、第六十七条第一款、第133条之一')).toEqual([
    '《刑法》第264条',
    '《刑法》第67条',
    '《刑法》第133条之一',
  ])
})
