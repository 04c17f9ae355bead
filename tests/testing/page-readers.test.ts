import { testEveryEntry } from './every-entry.ts'

const page = {
  html: '<html><head><title>Hotels</title></head><body><p>The Alder has 12 beds, see <a href="/alder">its page</a>.</p></body></html>',
  text: /The Alder has 12 beds, see its page\./,
  links: ['https://pages.example.org/alder'],
}
const content = 'The Alder has 12 beds, see [its page](https://pages.example.org/alder).'

testEveryEntry('pageReaders', {
  own: page,
  jina: { ...page, web: () => JSON.stringify({ data: { title: 'Hotels', content } }) },
})
