import { isObject, parseJsonOrNull, readText } from '../../src/text/json.ts'
import type { SeenPage } from './foreign-log.ts'

const searchResult = /\*\*\*Web Page \d+:\*\*\*\n(\{[\s\S]*?\n\})/g
const openedPage =
  /<\|begin_click_link\|>([\s\S]*?)<\|end_click_link\|>\s*<\|begin_click_result\|>([\s\S]*?)<\|end_click_result\|>/g
const address = /https?:\/\/[^\s<>()[\]{}"'`，。；（）「」【】]+/g

/** Texts in place of a page that could not be opened, or was opened before. */
const noPage = /^(?:Can not fetch|Unable to fetch|You have already clicked|You have reached the limit)/

/** Returns search results, each with the part of the page around its excerpt. */
function readResults(text: string): SeenPage[] {
  return [...text.matchAll(searchResult)].flatMap(([, json = '']): SeenPage[] => {
    const result = parseJsonOrNull(json)
    if (!isObject(result)) return []
    const url = readText(result.url)
    const page = readText(result.page_info)
    const hit = {
      kind: 'hit',
      url,
      title: readText(result.title),
      snippet: readText(result.snippet),
    } as const
    return page === '' || noPage.test(page) ? [hit] : [hit, { kind: 'page', url, text: page }]
  })
}

/** Returns the pages that the explorer opened, with their summaries. */
function listOpened(text: string): SeenPage[] {
  return [...text.matchAll(openedPage)].flatMap(([, url = '', summary = '']): SeenPage[] => {
    const shown = summary.trim()
    return shown === '' || noPage.test(shown) ? [] : [{ kind: 'page', url: url.trim(), text: shown }]
  })
}

/** Returns the addresses in a report, each with the line that cites it. */
function listCited(report: string): SeenPage[] {
  return report.split('\n').flatMap(line =>
    [...line.matchAll(address)].map(
      ([match]): SeenPage => ({
        kind: 'hit',
        url: match.replace(/[.,;:!?*]+$/, ''),
        title: '',
        snippet: line.trim(),
      }),
    ),
  )
}

/**
 * Reads what the explorer of a search saw. The explorer is a model that searches and opens pages itself.
 *
 * @param texts - the explorer's input, which has the first search results, and its output
 * @param report - what the explorer returned to the main model
 */
export function listExploredPages(texts: readonly string[], report: string): SeenPage[] {
  return [...texts.flatMap(text => [...readResults(text), ...listOpened(text)]), ...listCited(report)]
}
