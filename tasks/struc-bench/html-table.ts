import { type HtmlElement, readHtml } from './html-tree.ts'

const recognised: ReadonlySet<string> = new Set(
  'table tr th td ul ol li div span p a img embed pre h1 h2 h3 h4 h5 h6 input button'.split(' '),
)
const hidden = /^(?:script|style|template)$/
/** The list of tags doubles with each level of nesting. */
const mostTags = 500_000

/** The parts of an HTML source that Struc-Bench compares. */
interface PublishedHtmlTable {
  /** The texts of the cells as they are, not trimmed. */
  readonly cells: readonly string[]
  /** Opening and closing tags. A tag is repeated once for each chain of its recognised ancestors. */
  readonly tags: readonly string[]
}

/** The parts of an answer and of the gold. The gold decides which elements are cells. */
export function readPublishedHtmlTables(
  prediction: string,
  gold: string,
): { readonly predicted: PublishedHtmlTable; readonly gold: PublishedHtmlTable } {
  const tree = readHtml(gold)
  const elements = listDescendants(tree)
  const names = new Set(elements.map(({ name }) => name))
  const cellNames = names.has('table')
    ? ['th', 'td']
    : ['ul', 'ol', 'li'].some(name => names.has(name))
      ? ['li']
      : null
  const partsOf = (root: HtmlElement, elements: readonly HtmlElement[]): PublishedHtmlTable => ({
    cells: readCells(elements, cellNames),
    tags: listTags(root),
  })
  const predicted = readHtml(prediction)
  return { predicted: partsOf(predicted, listDescendants(predicted)), gold: partsOf(tree, elements) }
}

function listDescendants(element: HtmlElement): HtmlElement[] {
  const descendants: HtmlElement[] = []
  const pending = listChildren(element).reverse()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    descendants.push(next)
    pending.push(...listChildren(next).reverse())
  }
  return descendants
}

const listChildren = (element: HtmlElement): HtmlElement[] =>
  element.children.filter((child): child is HtmlElement => typeof child !== 'string')

function readCells(elements: readonly HtmlElement[], names: readonly string[] | null): string[] {
  if (names !== null) return elements.filter(({ name }) => names.includes(name)).map(readText)
  return elements
    .filter(({ name }) => recognised.has(name))
    .map(readText)
    .filter(text => text !== '')
}

/** The texts inside an element. Those of scripts and styles count only for the element itself. */
function readText(element: HtmlElement): string {
  return element.children
    .map(child => (typeof child === 'string' ? child : hidden.test(child.name) ? '' : readText(child)))
    .join('')
}

/**
 * For each recognised descendant: its opening tag, the same list for what it contains, and its closing tag.
 *
 * @throws RangeError when the list has too many tags
 */
function listTags(root: HtmlElement): string[] {
  const tags: string[] = []
  const add = (element: HtmlElement): void => {
    for (const descendant of listDescendants(element)) {
      if (!recognised.has(descendant.name)) continue
      if (tags.length > mostTags) throw new RangeError(`too large: more than ${mostTags} tags`)
      tags.push(`<${descendant.name}>`)
      add(descendant)
      tags.push(`</${descendant.name}>`)
    }
  }
  add(root)
  return tags
}
