import { describe, expect, it } from 'vitest'
import { planOpenQuestion } from '../../../src/models/extractive/extractive-source.ts'

const query = 'Which inns are open? List all.\n\nWrite one Markdown table with these columns: Inn, Beds.\n'
const result = (url: string) => `1. A page\n   URL: ${url}\n   Words`
const search = {
  name: 'web_search',
  args: { queries: ['Which inns are open'] },
  result: `${result('https://a.example/inns')}\n${result('https://b.example/inns')}`,
}
const page = (url: string, body: string) => ({
  ...{ name: 'fetch_page', args: { url } },
  result: `URL: ${url}\nTitle: Inns\nPart 1 of 1\n\n${body}`,
})

describe('extractive asked for a table without documents', () => {
  it('searches for the first sentence, then opens every hit', () => {
    expect(planOpenQuestion(query, [])!.calls).toEqual([
      { name: 'web_search', args: { queries: ['Which inns are open'] } },
    ])
    expect(planOpenQuestion(query, [search])!.calls.map(({ args }) => args.url)).toEqual([
      'https://a.example/inns',
      'https://b.example/inns',
    ])
  })

  it('copies the rows of tables that have every asked column, in the order of the question', () => {
    const inns =
      'Inns:\n\n| Beds | Town | Inn |\n| --- | --- | --- |\n| 12 | Ulm | Alder |\n| 30 | Graz | Birch |\n\nOpen all year.'
    const others = '| Inn | Rooms |\n| --- | --- |\n| Cedar | 4 |'
    const made = [search, page('https://a.example/inns', inns), page('https://b.example/inns', others)]
    expect(planOpenQuestion(query, made)).toEqual({
      calls: [],
      text: '```markdown\n| Inn | Beds |\n| --- | --- |\n| Alder | 12 |\n| Birch | 30 |\n```',
      isFound: true,
    })
  })

  it('leaves questions that name no columns to the other rules', () => {
    expect(planOpenQuestion('Which inns are open?', [])).toBeNull()
  })
})
