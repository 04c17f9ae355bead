import { createBm25Index } from '../../retrieval/bm25.ts'
import type { Corpus, CorpusItem, CorpusRanker, CorpusRankers } from './corpus.ts'
import { containsFileName, findPassage, type Lead, nameWords } from './corpus-text.ts'

/** One result of a corpus search. */
export interface CorpusHit {
  readonly title: string
  readonly link: string
  readonly snippet: string
  /** 1-based across all pages. */
  readonly position: number
}

/** A search over a corpus. */
export interface CorpusSearch {
  /**
   * Returns one page of results, best first. `site:` and `filetype:` narrow the search. Quotes and minus signs have
   * no effect.
   */
  search(query: string, page: number, perPage: number): Promise<CorpusHit[]>
}

// Passages are taken from the beginning of a text; scanning a whole long text would slow every search.
const passageChars = 30_000
const maxCachedLeads = 2_000

/** Returns what searches a corpus: what was built with it, or an index of words in memory. */
export async function openRankers(corpus: Corpus): Promise<CorpusRankers> {
  return corpus.rankers ?? { bm25: await rankInMemory(corpus) }
}

/** Builds an index of words in memory, over the titles, texts and file names of a corpus. */
async function rankInMemory(corpus: Corpus): Promise<CorpusRanker> {
  const documents: { text: string; title: string }[] = []
  for (const item of corpus.items) {
    const { title, name } = item.entry
    documents.push({ text: await item.text(), title: `${title} ${nameWords(name)}` })
  }
  const index = createBm25Index(documents)
  return (query, limit, accepts) => Promise.resolve(index.search(query, limit, accepts))
}

/** Creates the search of a corpus, whose results a ranker puts in order. */
export function createCorpusSearch({ items }: Corpus, rank: CorpusRanker): CorpusSearch {
  const leads = createLeads()
  return {
    async search(query, page, perPage) {
      const { words, fits } = readQuery(query)
      const from = (page - 1) * perPage
      const accepts = fits === null ? undefined : (place: number): boolean => fits(items[place]!)
      const places = await rank(words, from + perPage, accepts)
      return await Promise.all(
        places.slice(from).map(async (place, at) => ({
          title: items[place]!.entry.title,
          link: items[place]!.entry.resultUrl,
          snippet: await writeSnippet(items[place]!, words, leads),
          position: from + at + 1,
        })),
      )
    },
  }
}

/** Returns the words of a query and its filter; a null filter accepts every document. */
function readQuery(query: string): { words: string; fits: ((item: CorpusItem) => boolean) | null } {
  const sites: string[] = []
  const types: string[] = []
  const words = query
    .replace(/(?<!\S)(site|filetype|ext):(\S+)/gi, (_all, operator: string, value: string) => {
      ;(operator.toLowerCase() === 'site' ? sites : types).push(value.toLowerCase())
      return ' '
    })
    .replace(/["“”]|(?<!\S)[-+](?=\S)/g, ' ')
    .trim()
  const fits = ({ entry }: CorpusItem) =>
    (sites.length === 0 || sites.some(site => `${entry.host}/`.includes(site.replace(/^www\./, '')))) &&
    (types.length === 0 || types.some(type => entry.url.endsWith(`.${type}`)))
  return { words, fits: sites.length + types.length === 0 ? null : fits }
}

async function writeSnippet(item: CorpusItem, words: string, leads: Leads): Promise<string> {
  const { entry } = item
  if (!entry.hasText) return entry.snippet
  const passage = findPassage(await leads(item), words)
  return entry.nameHidden && containsFileName(passage, entry.name) ? entry.snippet : passage
}

type Leads = (item: CorpusItem) => Promise<Lead>

/** Creates a cache for the beginnings of texts, which keeps the most recently used. */
function createLeads(): Leads {
  const cache = new Map<string, Lead>()
  return async item => {
    const key = item.entry.url
    const cached = cache.get(key)
    const lead = cached ?? asLead((await item.text(passageChars)).slice(0, passageChars))
    cache.delete(key)
    cache.set(key, lead)
    if (cache.size > maxCachedLeads) cache.delete(cache.keys().next().value!)
    return lead
  }
}

function asLead(text: string): Lead {
  return { text, lower: text.toLowerCase() }
}
