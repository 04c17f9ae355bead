import { setTimeout as sleep } from 'node:timers/promises'
import type { Web } from '../../src/run/open-run/web.ts'
import { searchServices } from '../../tools/search/registry.ts'

const hits = [1, 2, 3, 4, 5].map(position => ({
  title: `Annual figures ${position}`,
  link: `https://host-${position - 1}.example/figures.txt`,
  snippet: 'Revenue, operating income and net income by year, in millions.',
  position,
}))
const lines = Array.from({ length: 10 }, (_, at) => `Revenue ${2010 + at}: ${1_000 + 37 * at} million`)
const answers = {
  service: { type: 'application/json', body: Buffer.from(JSON.stringify({ organic: hits, credits: 1 })) },
  page: { type: 'text/plain; charset=utf-8', body: Buffer.from(lines.join('\n')) },
}

/** A web inside this process that answers every request with fixed contents after a fixed time. */
export function fixedDelayWeb(delayMs: number): Web {
  return {
    transport: {
      name: 'fixed-delay',
      async send({ purpose, url }) {
        if (delayMs > 0) await sleep(delayMs)
        const { type, body } = answers[purpose === 'service' ? 'service' : 'page']
        return { status: 200, headers: { 'content-type': type }, body, finalUrl: url }
      },
    },
    search: searchServices.get('serper').create({ apiKey: 'bench', baseUrl: 'http://search.invalid' }),
    hash: null,
    entries: null,
    notice: `web: inside this process, ${delayMs} ms a request`,
    close: async () => {},
  }
}
