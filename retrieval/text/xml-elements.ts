/** An element of an XML text. */
export interface XmlElement {
  readonly attributes: ReadonlyMap<string, string>
  /** The content of the element, with its markup. */
  readonly inner: string
}

/** Returns the elements of a name, with or without a namespace prefix. The elements must not be nested. */
export function xmlElements(xml: string, name: string): XmlElement[] {
  const pattern = new RegExp(
    `<(?:\\w+:)?${name}((?:\\s[^>]*?)?)(?:/>|>([\\s\\S]*?)</(?:\\w+:)?${name}>)`,
    'g',
  )
  return [...xml.matchAll(pattern)].map(match => ({
    attributes: new Map(
      [...(match[1] ?? '').matchAll(/([\w:]+)\s*=\s*"([^"]*)"/g)].map(pair => [
        pair[1]!,
        decodeXml(pair[2]!),
      ]),
    ),
    inner: match[2] ?? '',
  }))
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
