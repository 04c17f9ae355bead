import { expect, it } from 'vitest'
import { type DiscoveryInput, measureDiscovery } from '../../src/evidence/discovery.ts'
import { onlineViews } from '../../src/evidence/ledger.ts'
import type { ObservedAnswer } from '../../src/evidence/observed.ts'

const targets = ['annual-report.pdf', 'other.pdf'].map(hint => ({ hint, sha256: `sha of ${hint}`, text: '' }))
const opened: ObservedAnswer = {
  step: 1,
  text: '',
  observations: [
    {
      kind: 'body',
      url: 'http://site.example/',
      finalUrl: 'http://site.example/',
      sha256: 'x',
      textSha256: null,
      shown: [1],
      links: [],
    },
  ],
}

function lostAt(over: Partial<DiscoveryInput>): string[] {
  const discovery = measureDiscovery({
    targets,
    answers: [],
    textOf: () => null,
    webMap: null,
    correctItems: [],
    ...over,
  })
  return onlineViews(discovery, []).map(view => view.lostAt)
}

const tried = (url: string) => [{ step: 2, url }]

it('takes a document that the agent tried by its file name for not opened', () => {
  const failedFetches = tried('https://files.example/a%20b/Annual-Report.pdf?x=1')
  expect(lostAt({ answers: [opened], failedFetches })).toEqual(['not-opened', 'not-surfaced'])
})

it('takes a document that a search result named and the agent tried for not opened', () => {
  const hit = { url: 'http://files.example/d/17', title: 'Annual-report' }
  const hits: ObservedAnswer = {
    step: 1,
    text: '',
    observations: [{ kind: 'hits', query: 'q', hits: [hit] }],
  }
  expect(lostAt({ answers: [hits, opened] })).toEqual(['not-surfaced', 'not-surfaced'])
  const failedFetches = tried('https://files.example/d/17')
  expect(lostAt({ answers: [hits, opened], failedFetches })).toEqual(['not-opened', 'not-surfaced'])
})

it('says of no document that it was not surfaced where every fetch failed on the live web', () => {
  expect(lostAt({ failedFetches: tried('http://site.example/x') })).toEqual(['not-opened', 'not-opened'])
  expect(lostAt({})).toEqual(['not-surfaced', 'not-surfaced'])
})

it('knows on a sealed web which document was tried', () => {
  const webMap = targets.map(({ hint, sha256 }, at) => ({
    url: `http://site.example/${at}`,
    landingUrl: null,
    name: hint,
    sha256,
    hint,
    twinOf: null,
  }))
  const failedFetches = tried('http://site.example/1')
  expect(lostAt({ webMap, failedFetches })).toEqual(['not-surfaced', 'not-opened'])
})
