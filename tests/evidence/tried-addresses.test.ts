import { expect, it } from 'vitest'
import { type DiscoveryInput, measureDiscovery } from '../../src/evidence/discovery.ts'
import { listOnlineViews } from '../../src/evidence/document-views.ts'
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
  return listOnlineViews(discovery, []).map(view => view.lostAt)
}

const tried = (url: string) => [{ step: 2, url }]

it('classifies a document as not opened when the agent tried its file name', () => {
  const failedFetches = tried('https://files.example/a%20b/Annual-Report.pdf?x=1')
  expect(lostAt({ answers: [opened], failedFetches })).toEqual(['not-opened', 'not-surfaced'])
})

it('classifies a document as not opened when a search result named it and the agent tried it', () => {
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

it('never classifies a document as not surfaced when every fetch failed on the live web', () => {
  expect(lostAt({ failedFetches: tried('http://site.example/x') })).toEqual(['not-opened', 'not-opened'])
  expect(lostAt({})).toEqual(['not-surfaced', 'not-surfaced'])
})

it('recognises on a sealed web which document was tried', () => {
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
