import { splitAtPageMarks } from '../src/text/page-marks.ts'
import type { GoalReader, ToolArtifact } from './tool.ts'

/**
 * Replaces a tool's answer by what a reader found in it for the goal: its summary, and the quotes that the text contains.
 * When the reader fails, the answer itself follows the reason. Without a goal, the answer stays as it is.
 */
export async function answerForGoal(
  { goal, url }: { readonly goal?: string | null | undefined; readonly url: string },
  { goalReader }: { readonly goalReader?: GoalReader },
  answer: () => Promise<[string, ToolArtifact]>,
): Promise<[string, ToolArtifact]> {
  const [text, artifact] = await answer()
  const hasText = artifact.observations.some(
    observation => observation.kind === 'body' && observation.shown.length > 0,
  )
  if (goalReader === undefined || !goal || !hasText) return [text, artifact]
  const reading = await goalReader({ goal, url, text })
  if ('problem' in reading)
    return [`[The page was not read for the goal: ${reading.problem} The page follows.]\n\n${text}`, artifact]
  const { summary, quotes, dropped } = verifyQuotes(reading.answer, text)
  const [head = ''] = text.split('\n\n')
  const sections = [head, `Goal: ${goal}`, summary === '' ? 'The reader wrote no summary.' : summary]
  if (quotes.length > 0) sections.push(['Quotes:', ...quotes.map(printQuote)].join('\n'))
  if (dropped > 0)
    sections.push(`[${dropped} ${dropped === 1 ? 'quote' : 'quotes'} left out: not in the text]`)
  sections.push('[This is an extract for the goal. Call the tool without goal to read the text itself.]')
  return [sections.join('\n\n'), keepShown(artifact, quotes)]
}

/** A passage that the text contains, up to white space. */
interface Quote {
  readonly text: string
  /** The page or part; null when the text has only one. */
  readonly page: number | null
}

const quoteMark = /^\s*[>＞]\s?/

/** Separates the quotes of a reader's answer from its summary, and drops those that the text does not contain. */
export function verifyQuotes(
  answer: string,
  text: string,
): { readonly summary: string; readonly quotes: readonly Quote[]; readonly dropped: number } {
  const pages = splitPages(text)
  const lines = answer.split('\n')
  const candidates = lines
    .filter(line => quoteMark.test(line))
    .map(line => line.replace(quoteMark, '').trim())
  const quotes: Quote[] = []
  let dropped = 0
  for (const quote of candidates.filter(line => line !== '')) {
    const plainQuote = withoutSpace(quote.replace(/^["“](.*)["”]$/s, '$1'))
    const page = pages.find(candidate => candidate.plain.includes(plainQuote))
    if (plainQuote === '' || page === undefined) dropped += 1
    else quotes.push({ text: quote, page: page.number })
  }
  const summary = lines
    .filter(line => !quoteMark.test(line))
    .join('\n')
    .trim()
  return { summary, quotes, dropped }
}

interface SearchedPage {
  readonly number: number | null
  readonly plain: string
}

/** Splits a tool's answer at its page marks. */
function splitPages(text: string): SearchedPage[] {
  const pages = splitAtPageMarks(text, 'pages and parts')
  if (pages.length === 0) return [{ number: null, plain: withoutSpace(text) }]
  return pages.map(({ number, text }) => ({ number, plain: withoutSpace(text) }))
}

function withoutSpace(text: string): string {
  return text.normalize('NFKC').replace(/[\s|]+/g, '')
}

function printQuote({ text, page }: Quote): string {
  return page === null ? `> ${text}` : `> [${page}] ${text}`
}

/** Reports only the pages whose quotes the agent sees as shown. Without page marks, this is the only part. */
function keepShown(artifact: ToolArtifact, quotes: readonly Quote[]): ToolArtifact {
  const isShown = (page: number): boolean => quotes.some(quote => quote.page === null || quote.page === page)
  const observations = artifact.observations.map(observation =>
    observation.kind === 'body' ? { ...observation, shown: observation.shown.filter(isShown) } : observation,
  )
  return { ...artifact, observations }
}
