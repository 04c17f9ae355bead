import { expect, it } from 'vitest'
import { canonicalLanguage, choosePromptLanguage, languageSentence } from '../../src/core/language.ts'

it.each([
  ['DE', 'de'],
  ['zh_CN', 'zh-CN'],
  ['pt-br', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['tlh', 'tlh'],
  ['German', null],
  ['xx-invalid', null],
  ['', null],
  ['en--x', null],
])('stores the language %s as %s', (given, stored) => {
  expect(canonicalLanguage(given)).toBe(stored)
})

it("uses the Chinese prompts for every form of Chinese, and for others the English ones with the language's name", () => {
  expect(['zh', 'zh-Hant-TW', 'en-GB', 'de'].map(choosePromptLanguage)).toEqual(['zh', 'zh', 'en', 'en'])
  expect(['zh-TW', 'en-GB', 'de', 'aaa'].map(languageSentence)).toEqual([
    null,
    null,
    'The documents and the question are in German (de).',
    'The documents and the question are in the language aaa.',
  ])
})
