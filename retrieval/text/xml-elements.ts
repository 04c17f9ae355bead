/** An element of an XML text. */
export interface XmlElement {
  readonly attributes: ReadonlyMap<string, string>
  /** The content of the element, with its markup. */
  readonly inner: string
}

/**
 * Finds the elements of a name, with or without a namespace prefix. The elements must not be nested. Takes time in
 * proportion to the length, also when elements are not closed.
 */
export function* xmlElements(xml: string, name: string): Generator<XmlElement> {
  const opening = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])`, 'g')
  const closing = new RegExp(`</(?:\\w+:)?${name}>`, 'g')
  let isClosed = true
  for (let start = opening.exec(xml); start !== null; start = opening.exec(xml)) {
    const tagEnd = xml.indexOf('>', opening.lastIndex)
    if (tagEnd < 0) return
    const isEmpty = xml[tagEnd - 1] === '/'
    const attributes = attributesIn(xml.slice(opening.lastIndex, tagEnd))
    opening.lastIndex = closing.lastIndex = tagEnd + 1
    const end = isEmpty || !isClosed ? null : closing.exec(xml)
    if (end === null && !isEmpty) {
      isClosed = false
      continue
    }
    if (end !== null) opening.lastIndex = closing.lastIndex
    yield { attributes, inner: end === null ? '' : xml.slice(tagEnd + 1, end.index) }
  }
}

function attributesIn(tag: string): Map<string, string> {
  return new Map([...tag.matchAll(/([\w:]+)\s*=\s*"([^"]*)"/g)].map(pair => [pair[1]!, decodeXml(pair[2]!)]))
}

/** Returns the first element of a name; null when there is none. */
export function firstXmlElement(xml: string, name: string): XmlElement | null {
  return xmlElements(xml, name).next().value ?? null
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Resolves entities and character references. */
export function decodeXml(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      return entities[name ?? ''] ?? whole
    },
  )
}
