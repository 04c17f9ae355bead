import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { createSerperScholar } from '../../tools/search/serper.ts'
import { pdfiumReader } from '../tools/support/pdfium-reader.ts'
import { testEveryEntry } from './every-entry.ts'

const pdf = await readFile(join(demoPaths.documents, 'calder-marine-annual-report-2023.pdf'))

testEveryEntry('tools', {
  web_search: { input: { queries: ['hotels', 'beds'] }, answer: /https:\/\/example\.org/ },
  fetch_page: {
    input: { url: 'https://example.org/hotels' },
    answer: /The Alder has 12 beds/,
    web: () => ({ headers: { 'content-type': 'text/html' }, body: '<p>The Alder has 12 beds.</p>' }),
  },
  read_pdf: {
    input: { url: 'https://example.org/report.pdf', pages: '1' },
    answer: /Calder Marine/,
    web: () => ({ headers: { 'content-type': 'application/pdf' }, body: pdf }),
    environment: { reader: pdfiumReader() },
  },
  calculate: { input: { expressions: ['1 + 1'] }, answer: /^1 \+ 1 = 2$/ },
  scholar_search: {
    input: { queries: ['attention'] },
    answer: /arxiv\.org\/pdf\/1706[\s\S]*A Vaswani · 2017 · cited by 9/,
    environment: { scholar: createSerperScholar({ apiKey: 'key', baseUrl: 'https://serper.example' }) },
    web: () => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        organic: [
          {
            title: 'Attention',
            link: 'https://arxiv.org/abs/1706',
            pdfUrl: 'https://arxiv.org/pdf/1706',
            publicationInfo: 'A Vaswani',
            year: 2017,
            citedBy: 9,
          },
        ],
      }),
    }),
  },
})
