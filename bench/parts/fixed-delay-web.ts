import type { Web } from '../../src/run/open-run/web.ts'
import { searchServices } from '../../tools/search/registry.ts'

const hits = Array.from({ length: 5 }, (_, index) => ({
  title: `Annual figures ${index + 1}`,
  link: `https://host-${index}.example/figures.txt`,
  snippet: 'Revenue, operating income and net income by year, in millions.',
  position: index + 1,
}))
const pageText = Array.from(
  { length: 10 },
  (_, index) => `Revenue ${2010 + index}: ${1_000 + 37 * index} million`,
)

/** A web inside this process that answers every request with fixed contents after a fixed time. */
export function fixedDelayWeb(delayMs: number): Web {
  const resultBody = Buffer.from(JSON.stringify({ organic: hits, credits: 1 }))
  const page = Buffer.from(pageText.join('\n'))
  return {
    transport: {
      name: 'fixed-delay',
      async send(request) {
        if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
        const service = request.purpose === 'service'
        return {
          status: 200,
          headers: { 'content-type': service ? 'application/json' : 'text/plain; charset=utf-8' },
          body: service ? resultBody : page,
          finalUrl: request.url,
        }
      },
    },
    search: searchServices.get('serper').create({ apiKey: 'bench', baseUrl: 'http://search.invalid' }),
    hash: null,
    entries: null,
    notice: `web: inside this process, ${delayMs} ms a request`,
    close: async () => {},
  }
}
