import { choosePromptLanguage } from '../../src/core/language.ts'
import type { SearchRequest } from './provider.ts'

/** The language and the country of a search; null where the service decides. */
export type SearchLocale = Pick<SearchRequest, 'language' | 'region'>

/** The locale of searches for Chinese questions: Google's `hl` and `gl`. */
const chinese: SearchLocale = { language: 'zh-cn', region: 'cn' }

/**
 * Returns the locale of searches that name none. It follows the question: Chinese questions are searched in China, and
 * the service decides for all others.
 *
 * @param questionLanguage absent outside an attempt
 */
export function searchLocale(questionLanguage: string | undefined): SearchLocale {
  const isChinese = questionLanguage !== undefined && choosePromptLanguage(questionLanguage) === 'zh'
  return isChinese ? chinese : { language: null, region: null }
}

/** The locales of a run's questions by language, for its manifest. Languages for which the service decides are absent. */
export function searchLocales(
  languages: readonly string[],
): Record<string, { language: string; region: string }> {
  const named = [...new Set(languages)].flatMap(name => {
    const { language, region } = searchLocale(name)
    return language === null || region === null ? [] : [[name, { language, region }] as const]
  })
  return Object.fromEntries(named)
}

/** The names and values by which the services receive the Chinese locale, as query parameters or JSON fields. */
const chineseParameters: Readonly<Record<string, string>> = {
  gl: 'cn',
  hl: 'zh-cn',
  search_lang: 'zh-hans',
  country: 'CN',
  language: 'zh-cn',
}

/** Returns whether a parameter of a search request only repeats the locale of Chinese questions. */
export function isQuestionLocale(name: string, value: unknown): boolean {
  return chineseParameters[name] === value
}
