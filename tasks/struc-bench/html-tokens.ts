import { parseHTML } from 'linkedom'

/** A part of an HTML source. */
type HtmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly isClosed: boolean; readonly isCut: boolean }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string; readonly isRaw: boolean }
  | { readonly kind: 'comment' }

/** Elements whose content is text up to their closing tag. The texts of `title` and `textarea` have entities. */
const rawContent = /^(?:script|style|xmp|iframe|noembed|noframes|title|textarea)$/
const attributes = String.raw`(?:[^>"'=]|=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"']|$)|["'])*?`
const openTag = new RegExp(String.raw`<([a-zA-Z][^\t\n\f\r />]*)(${attributes})(\/?>|$)`, 'y')
const closeTag = new RegExp(String.raw`<\/([a-zA-Z][^\t\n\f\r />]*)${attributes}(?:\/?>|$)`, 'y')
const comment = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<\/>|<(?:[!?]|\/[^a-zA-Z])[^>]*(?:>|$)/y
const plainText = /<?[^<]+|<$|<(?=<)/y

/** Divides an HTML source into tokens, by the rules of HTML 5. */
export function* splitHtmlTokens(source: string): Generator<HtmlToken> {
  const html = source.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
  let at = 0
  const matchAt = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(html)
    if (match !== null) at += match[0].length
    return match
  }
  while (at < html.length) {
    const open = matchAt(openTag)
    if (open !== null) {
      const name = open[1]!.toLowerCase()
      yield { kind: 'open', name, isClosed: open[3] === '/>', isCut: open[3] === '' }
      if (rawContent.test(name) && open[3] !== '/>') {
        const end = html.slice(at).search(new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'i'))
        const text = end < 0 ? html.slice(at) : html.slice(at, at + end)
        at += text.length
        const isRaw = name !== 'title' && name !== 'textarea'
        if (text !== '') yield { kind: 'text', text: isRaw ? text : withoutEntities(text), isRaw }
      }
      continue
    }
    const close = matchAt(closeTag)
    if (close !== null) yield { kind: 'close', name: close[1]!.toLowerCase() }
    else if (matchAt(comment) !== null) yield { kind: 'comment' }
    else {
      const text = matchAt(plainText)?.[0] ?? html[at++]!
      yield { kind: 'text', text: withoutEntities(text), isRaw: false }
    }
  }
}

function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  const { document } = parseHTML('<html><body><p></p></body></html>')
  const holder = document.querySelector('p')!
  holder.innerHTML = text.replaceAll('<', '&lt;')
  return holder.textContent ?? text
}
