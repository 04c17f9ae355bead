import { testEveryEntry } from './every-entry.ts'

const hit = { url: 'https://a.example/1', title: 'One', snippet: 'S' }
const withContent = JSON.stringify({ results: [{ url: hit.url, title: 'One', content: 'S' }] })
const withDescription = { results: [{ url: hit.url, title: 'One', description: 'S' }] }

const ofSerper = {
  answer: JSON.stringify({ organic: [{ link: hit.url, title: 'One', snippet: 'S', position: 1 }] }),
  hit,
  noHits: '{"organic": []}',
}

testEveryEntry('searchServices', {
  serper: ofSerper,
  bm25: ofSerper,
  dense: ofSerper,
  searxng: { answer: withContent, hit, noHits: '{"results": []}' },
  brave: { answer: JSON.stringify({ web: withDescription }), hit, noHits: '{"type": "search"}' },
  tavily: { answer: withContent, hit, noHits: '{"results": []}' },
})
