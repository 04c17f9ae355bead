import { splitHtmlTokens } from './html-tokens.ts'

/** An element and what it contains, in order. */
export interface HtmlElement {
  readonly name: string
  readonly children: (HtmlElement | string)[]
}

/** The elements that an opening tag closes, by the open element, as in libxml2 2.14 (MIT licence). */
const closedByNext: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    a: 'a fieldset table td th',
    address: 'dd dl dt form li ul',
    b: 'center p td th',
    big: 'p',
    caption: 'col colgroup tbody tfoot thead tr',
    col: 'col colgroup tbody tfoot thead tr',
    colgroup: 'colgroup tbody tfoot thead tr',
    dd: 'dt',
    dir: 'dd dl dt form ul',
    dl: 'form li',
    dt: 'dd dl',
    font: 'center td th',
    form: 'form',
    h1: 'fieldset form li p table',
    h2: 'fieldset form li p table',
    h3: 'fieldset form li p table',
    h4: 'fieldset form li p table',
    h5: 'fieldset form li p table',
    h6: 'fieldset form li p table',
    head: 'a abbr acronym address b bdo big blockquote body br center cite code dd dfn dir div dl dt em fieldset font form frameset h1 h2 h3 h4 h5 h6 hr i iframe img kbd li listing map menu ol p pre q s samp small span strike strong sub sup table tt u ul var xmp',
    hr: 'form',
    i: 'center p td th',
    legend: 'fieldset',
    li: 'li',
    link: 'body frameset',
    listing: 'dd dl dt fieldset form li table ul',
    menu: 'dd dl dt form ul',
    ol: 'form',
    option: 'optgroup option',
    p: 'address blockquote body caption center col colgroup dd dir div dl dt fieldset form frameset h1 h2 h3 h4 h5 h6 head hr li listing menu ol p pre table tbody td tfoot th title tr ul xmp',
    pre: 'dd dl dt fieldset form li table ul',
    s: 'p',
    script: 'noscript',
    small: 'p',
    span: 'td th',
    strike: 'p',
    style: 'body frameset',
    tbody: 'tbody tfoot',
    td: 'tbody td tfoot th tr',
    tfoot: 'tbody',
    th: 'tbody td tfoot th tr',
    thead: 'tbody tfoot',
    title: 'body frameset',
    tr: 'tbody tfoot tr',
    tt: 'p',
    u: 'p td th',
    ul: 'address form menu pre',
    xmp: 'dd dl dt fieldset form li table ul',
  }).map(([name, next]) => [name, new Set(next.split(' '))]),
)
const priorities: Readonly<Record<string, number>> = {
  div: 150,
  td: 160,
  th: 160,
  tr: 170,
  thead: 180,
  tbody: 180,
  tfoot: 180,
  table: 190,
  head: 200,
  body: 200,
  html: 220,
}
const findPriority = (name: string): number => (Object.hasOwn(priorities, name) ? priorities[name]! : 100)
const empty = /^(?:area|base|basefont|br|col|frame|hr|img|input|isindex|link|meta|param)$/
const headContent = /^(?:script|style|meta|link|title|base)$/

/**
 * Reads an HTML source into a tree as lxml does, with libxml2's rules for missing tags: an opening tag closes what
 * cannot contain it, and a closing tag closes what is open inside.
 */
export function readHtml(source: string): HtmlElement {
  const root: HtmlElement = { name: '', children: [] }
  const builder = new TreeBuilder(root)
  for (const token of splitHtmlTokens(source)) {
    if (token.kind === 'open') builder.open(token)
    else if (token.kind === 'close') builder.close(token.name)
    else if (token.kind === 'text') builder.text(token.text, token.isRaw)
    else builder.endText()
  }
  builder.endText()
  return root
}

class TreeBuilder {
  readonly #open: HtmlElement[]
  #sawHead = false
  #sawBody = false
  /** Misplaced html, head and body tags, whose closing tags are skipped too. */
  #misplaced = 0
  #text = ''

  constructor(root: HtmlElement) {
    this.#open = [root]
  }

  open({ name, isClosed, isCut }: { name: string; isClosed: boolean; isCut: boolean }): void {
    while (closedByNext.get(this.#current)?.has(name) === true) this.#pop()
    this.#addImplied(name)
    const depth = this.#open.length - 1
    const isMisplaced =
      (name === 'html' && depth > 0) ||
      (name === 'head' && depth !== 1) ||
      (name === 'body' && this.#isOpen('body'))
    if (isMisplaced) this.#misplaced += 1
    if (isMisplaced || isCut) return
    this.#push(name)
    if (isClosed || empty.test(name)) this.#pop()
  }

  close(name: string): void {
    if (this.#misplaced > 0 && /^(?:html|head|body)$/.test(name)) {
      this.#misplaced -= 1
      return
    }
    const at = this.#open.findLastIndex(element => element.name === name)
    if (at < 1) return
    const priority = findPriority(name)
    if (this.#open.slice(at + 1).some(element => findPriority(element.name) > priority)) return
    while (this.#open.length > at) this.#pop()
  }

  text(text: string, isRaw: boolean): void {
    const isOutside = /^(?:|html|head)$/.test(this.#current)
    if (isOutside && !isRaw) {
      const space = /^[\t\n\f\r ]*/.exec(text)![0]
      this.#text += space
      if (space.length === text.length) return
      if (this.#current === 'head') this.#pop()
      this.#addImplied('p')
      this.#text += text.slice(space.length)
    } else this.#text += text
  }

  /** Beautiful Soup shortens a text of spaces to one line feed or space. Texts on both sides of a comment stay apart. */
  endText(): void {
    const text = this.#text
    this.#text = ''
    if (text === '') return
    const isPreserved = this.#open.some(({ name }) => name === 'pre' || name === 'textarea')
    const isBlank = !isPreserved && /^[\t\n\f\r ]+$/.test(text)
    this.#open.at(-1)!.children.push(isBlank ? (text.includes('\n') ? '\n' : ' ') : text)
  }

  get #current(): string {
    return this.#open.at(-1)!.name
  }

  #isOpen(name: string): boolean {
    return this.#open.some(element => element.name === name)
  }

  #push(name: string): void {
    this.endText()
    if (name === 'head') this.#sawHead = true
    if (name === 'body') this.#sawBody = true
    const element: HtmlElement = { name, children: [] }
    this.#open.at(-1)!.children.push(element)
    this.#open.push(element)
  }

  #pop(): void {
    this.endText()
    this.#open.pop()
  }

  /** Opens html, head and body where the source leaves them out. */
  #addImplied(name: string): void {
    if (name === 'html') return
    if (this.#open.length === 1) this.#push('html')
    if (name === 'body' || name === 'head') return
    if (this.#open.length <= 2 && headContent.test(name)) {
      if (!this.#sawHead) this.#push('head')
    } else if (!/^(?:noframes|frame|frameset)$/.test(name)) {
      if (!this.#sawBody && !this.#isOpen('head')) this.#push('body')
    }
  }
}
