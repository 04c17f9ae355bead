import { sha256 } from '../../src/system/hash.ts'
import { hashNumber } from './twin.ts'

/** The addresses of a document and its host. */
export interface Place {
  readonly host: string
  readonly url: string
  readonly landingUrl: string | null
}

interface Theme {
  readonly words: RegExp
  readonly hosts: readonly string[]
  readonly folder: string
}

const themes: readonly Theme[] = [
  {
    words: /被告人|原告|判决书|裁定|公诉机关|基本案情/,
    hosts: ['cases.court-records.example', 'wenshu.judgment-library.example', 'anli.case-law-digest.example'],
    folder: 'cases',
  },
  {
    words: /年度报告|季度报告|半年度|净资产收益率|营业收入/,
    hosts: [
      'static.listed-companies.example',
      'disclosure.exchange-notices.example',
      'ir.annual-reports-cn.example',
    ],
    folder: 'announcements',
  },
  {
    words: /credit agreement|lenders? party|indenture|borrower|hereinafter/i,
    hosts: [
      'contracts.deal-library.example',
      'exhibits.filings-archive.example',
      'docs.agreement-search.example',
    ],
    folder: 'agreements',
  },
  {
    words: /10-[qk]|annual report|quarterly (?:report|period)|fiscal|balance sheets?/i,
    hosts: ['investors.filings-hub.example', 'ir.company-reports.example', 'filings.market-archive.example'],
    folder: 'filings',
  },
  {
    words: /abstract|arxiv|references|proceedings|doi\b/i,
    hosts: [
      'papers.open-proceedings.example',
      'repository.preprint-mirror.example',
      'library.campus-archive.example',
    ],
    folder: 'papers',
  },
]
const otherPlaces: Theme = {
  words: /(?:)/,
  hosts: ['files.public-documents.example', 'www.town-library.example', 'downloads.records-office.example'],
  folder: 'documents',
}

/**
 * Chooses an address for a document: a host that fits its content, and the file name in the path only when it may
 * be shown.
 */
export function placeFor(document: {
  readonly name: string
  readonly text: string
  readonly sha256: string
  readonly seed: number
  readonly nameHidden: boolean
  /** '' for a page, which needs no landing page. */
  readonly extension: string
}): Place {
  const theme = themes.find(candidate => candidate.words.test(document.text.slice(0, 20_000))) ?? otherPlaces
  const id = sha256(`${document.seed}:${document.name}:${document.sha256}`).slice(0, 10)
  const host = theme.hosts[hashNumber(id) % theme.hosts.length] ?? otherPlaces.hosts[0]!
  const stem = document.nameHidden
    ? id
    : `${id.slice(0, 8)}/${encodeURIComponent(withoutExtension(document.name))}`
  const base = `https://${host}/${theme.folder}/${stem}`
  if (document.extension === '') return { host, url: base, landingUrl: null }
  return { host, url: `${base}${document.extension}`, landingUrl: base }
}

/** Returns a file name without its extension. */
export function withoutExtension(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,5}$/, '')
}
