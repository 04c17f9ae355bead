import { Parser } from 'htmlparser2'
import { readingLimits, tooLargeError } from '../../src/system/reading-limits.ts'

/** An element of an XML text. Its children are elements and texts. */
export interface XmlNode {
  readonly name: string
  attributes: Readonly<Record<string, string>>
  children: (XmlNode | string)[]
}

/** Receives the elements and texts of an XML text in their order. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** The prefixes that names have after reading, by namespace. Files may use any other prefix. */
const prefixes = new Map<string, string>(
  (
    [
      ['w', 'wordprocessingml/main', 'wordprocessingml/2006/main'],
      ['m', 'officeDocument/math', 'officeDocument/2006/math'],
      ['r', 'officeDocument/relationships', 'officeDocument/2006/relationships'],
      ['p', 'presentationml/main', 'presentationml/2006/main'],
      ['a', 'drawingml/main', 'drawingml/2006/main'],
      ['wp', 'drawingml/wordprocessingDrawing', 'drawingml/2006/wordprocessingDrawing'],
      ['pic', 'drawingml/picture', 'drawingml/2006/picture'],
      ['c', 'drawingml/chart', 'drawingml/2006/chart'],
      ['dgm', 'drawingml/diagram', 'drawingml/2006/diagram'],
      ['xdr', 'drawingml/spreadsheetDrawing', 'drawingml/2006/spreadsheetDrawing'],
      ['', 'spreadsheetml/main', 'spreadsheetml/2006/main'],
    ] as const
  ).flatMap(([prefix, strict, transitional]) => [
    [`http://purl.oclc.org/ooxml/${strict}`, prefix],
    [`http://schemas.openxmlformats.org/${transitional}`, prefix],
  ]),
)
for (const name of ['office', 'style', 'text', 'table', 'presentation'])
  prefixes.set(`urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`, name)
prefixes.set('urn:oasis:names:tc:opendocument:xmlns:drawing:1.0', 'draw')
prefixes.set('http://schemas.openxmlformats.org/package/2006/relationships', '')
prefixes.set('http://schemas.openxmlformats.org/package/2006/content-types', '')
prefixes.set('http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc')
prefixes.set('urn:schemas-microsoft-com:vml', 'v')
prefixes.set('urn:schemas-microsoft-com:office:office', 'o')

/** The namespace declarations of the prefixes that `writeXml` may write. */
const declarations = [...prefixes]
  .filter(([uri, prefix]) => prefix !== '' && !uri.includes('purl.oclc.org'))
  .map(([uri, prefix]) => ` xmlns:${prefix}="${uri}"`)
  .join('')

/**
 * Reads an XML text from its beginning to its end. Names have the usual prefixes of Office Open XML, whichever prefixes
 * the text uses, and none in spreadsheets.
 *
 * @throws TooLargeError
 */
export function walkXml(xml: string, handler: XmlHandler, maxElements = Number.POSITIVE_INFINITY): void {
  const scopes: (ReadonlyMap<string, string | null> | null)[] = []
  let scope: ReadonlyMap<string, string | null> = new Map()
  let elements = 0
  const usualName = (name: string, isAttribute = false): string => {
    const colon = name.indexOf(':')
    if (colon < 0 && isAttribute) return name
    const written = colon < 0 ? '' : name.slice(0, colon)
    // Some programs write a prefix for spreadsheets and do not declare it.
    const prefix =
      scope.has(written) || usualPrefixes.has(written) || written === 'xml' ? scope.get(written) : ''
    if (prefix === undefined || prefix === null) return name
    return prefix === '' ? name.slice(colon + 1) : `${prefix}:${name.slice(colon + 1)}`
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++elements > maxElements) throw tooLargeError(maxElements, 'elements')
        if (scopes.length >= readingLimits.docxLevels)
          throw tooLargeError(readingLimits.docxLevels, 'levels of nested elements', `element ${elements}`)
        let count = 0
        let isDeclaring = false
        let isPrefixed = false
        for (const attribute in attributes) {
          count++
          if (attribute.startsWith('xmlns')) isDeclaring = true
          else if (attribute.includes(':')) isPrefixed = true
        }
        if (count > readingLimits.attributes)
          throw tooLargeError(readingLimits.attributes, 'attributes of one element', `element ${elements}`)
        scopes.push(isDeclaring ? scope : null)
        if (isDeclaring) scope = addDeclarations(scope, attributes)
        handler.open(
          usualName(name),
          isDeclaring || isPrefixed ? renameAttributes(attributes, usualName) : attributes,
        )
      },
      ontext: text => handler.text?.(text),
      onclosetag(name) {
        handler.close?.(usualName(name))
        scope = scopes.pop() ?? scope
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
}

function renameAttributes(
  attributes: Readonly<Record<string, string>>,
  usualName: (name: string, isAttribute: boolean) => string,
): Record<string, string> {
  const usual: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes))
    if (!name.startsWith('xmlns')) usual[usualName(name, true)] = value
  return usual
}

function addDeclarations(
  scope: ReadonlyMap<string, string | null>,
  attributes: Readonly<Record<string, string>>,
): Map<string, string | null> {
  const inner = new Map(scope)
  for (const [name, uri] of Object.entries(attributes)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    inner.set(name.slice(6), prefixes.get(uri.trim()) ?? null)
  }
  return inner
}

/**
 * Returns the root element of an XML text; an element without a name when it has none.
 *
 * @throws TooLargeError
 */
export function parseXml(xml: string): XmlNode {
  const top: XmlNode = { name: '', attributes: {}, children: [] }
  const path = [top]
  walkXml(
    xml,
    {
      open(name, attributes) {
        const node: XmlNode = { name, attributes, children: [] }
        path.at(-1)!.children.push(node)
        path.push(node)
      },
      text(text) {
        path.at(-1)!.children.push(text)
      },
      close() {
        path.pop()
      },
    },
    readingLimits.elements,
  )
  return listElements(top)[0] ?? top
}

/** Returns the child elements of an element, or those of a name. */
export function listElements(node: XmlNode | null | undefined, name?: string): XmlNode[] {
  return (node?.children ?? []).filter(
    (child): child is XmlNode => typeof child !== 'string' && (name === undefined || child.name === name),
  )
}

/** Returns the first child element of a name; null when there is none. */
export function findElement(node: XmlNode | null | undefined, name: string): XmlNode | null {
  for (const child of node?.children ?? []) if (typeof child !== 'string' && child.name === name) return child
  return null
}

/** Returns the elements of the given names below an element, in their order. Those inside of another are left out. */
export function* walkElements(node: XmlNode, ...names: readonly string[]): Generator<XmlNode> {
  for (const child of listElements(node)) {
    if (names.includes(child.name)) yield child
    else yield* walkElements(child, ...names)
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Escapes a text for XML and HTML. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, sign => escapes[sign]!)

/** Returns an element as an XML text that declares the usual prefixes. Elements with other prefixes are left out. */
export function writeXml(root: XmlNode): string {
  const parts: string[] = ['<?xml version="1.0" encoding="UTF-8"?>']
  const write = (node: XmlNode, extra: string): void => {
    const attributes = Object.entries(node.attributes)
      .filter(([name]) => isUsual(name))
      .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    parts.push(`<${node.name}${extra}${attributes.join('')}>`)
    for (const child of node.children) {
      if (typeof child === 'string') parts.push(escapeXml(child))
      else if (isUsual(child.name)) write(child, '')
    }
    parts.push(`</${node.name}>`)
  }
  write(root, declarations)
  return parts.join('')
}

const usualPrefixes = new Set(prefixes.values())

function isUsual(name: string): boolean {
  const colon = name.indexOf(':')
  return colon < 0 || usualPrefixes.has(name.slice(0, colon)) || name.startsWith('xml:')
}
