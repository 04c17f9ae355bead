import { joinTextLines } from '../../src/text/plain-text.ts'
import {
  isElement,
  isInline,
  isText,
  moveChildren,
  type PageDocument,
  type PageElement,
  type PageNode,
} from './dom.ts'

/**
 * Writes a tree as Markdown: headings, list items, quotations and code as blocks, and everything else as lines. Emphasis
 * is not marked. Tables must have been replaced by marks. Takes time in proportion to the size of the tree.
 */
export function writeTree(root: PageElement): string {
  return tidyLines(writeChildren(root))
}

function writeChildren(node: PageElement): string {
  const parts: string[] = []
  let isBehindPicture = false
  for (const child of node.childNodes) {
    const text = writeNode(child)
    const isPicture = isElement(child) && child.tagName.toLowerCase() === 'img'
    // White space at the start of a line separates nothing.
    const startsLine = parts.at(-1)?.endsWith('\n') ?? false
    if (isPicture || isBehindPicture) {
      const touches = /[\p{L}\p{N}]$/u.test(parts.at(-1) ?? '') && /^[\p{L}\p{N}]/u.test(text)
      if (touches) parts.push(' ')
    }
    isBehindPicture = isPicture || (isBehindPicture && text === '')
    if (text !== '') parts.push(startsLine && text.startsWith(' ') ? text.slice(1) : text)
  }
  return parts.join('')
}

function writeNode(node: PageNode): string {
  if (isText(node)) return (node.textContent ?? '').replace(/\s+/g, ' ')
  return isElement(node) ? writeElement(node) : ''
}

function writeElement(element: PageElement): string {
  const tag = element.tagName.toLowerCase()
  switch (tag) {
    case 'br':
      return '\n'
    case 'hr':
      return '\n\n'
    case 'img':
      return (element.getAttribute('alt') ?? '').trim()
    case 'pre':
      return `\n\n\`\`\`\n${writeLines(element).trimEnd().replace(/^\n/, '')}\n\`\`\`\n\n`
    case 'ul':
    case 'ol':
      return writeList(element, tag === 'ol')
    case 'dt':
      return `\n${joinTextLines(writeChildren(element))}:`
    case 'dd':
      return ` ${joinTextLines(writeChildren(element))}\n`
    case 'blockquote':
      return `\n\n${addPrefixes(tidyLines(writeChildren(element)), '> ', '> ')}\n\n`
    case 'dl':
      return `\n\n${writeChildren(element).replace(/\n{2,}/g, '\n')}\n\n`
    case 'p':
      return `\n\n${writeChildren(element).trimStart()}\n\n`
    default:
  }
  const text = writeChildren(element)
  if (/^h[1-6]$/.test(tag)) return writeHeading(Number(tag[1]), text)
  return isInline(element) ? text : `\n${text.replace(/^ /, '')}\n`
}

/** Returns the text of an element with its white space. Line breaks and blocks begin lines of their own. */
function writeLines(element: PageElement): string {
  let text = ''
  for (const child of element.childNodes) {
    if (isText(child)) text += child.textContent ?? ''
    if (!isElement(child)) continue
    const isLine = !isInline(child)
    if (isLine && text !== '' && !text.endsWith('\n')) text += '\n'
    text += writeLines(child)
    if (isLine && child.nextSibling !== null && !text.endsWith('\n')) text += '\n'
  }
  return text
}

function writeHeading(level: number, text: string): string {
  const line = joinTextLines(text)
  return line === '' ? '' : `\n\n${'#'.repeat(level)} ${line}\n\n`
}

/** One item a line or block. A nested list is indented below its item. */
function writeList(list: PageElement, isNumbered: boolean): string {
  let number = 0
  const items: string[] = []
  for (const child of list.childNodes) {
    const isItem = isElement(child) && child.tagName.toLowerCase() === 'li'
    const text = tidyLines(isItem ? writeChildren(child) : writeNode(child))
    if (isItem) number++
    if (text === '') continue
    const mark = isNumbered ? `${number}. ` : '- '
    items.push(isItem ? addPrefixes(text, mark, ' '.repeat(mark.length)) : text)
  }
  const isNested = list.parentNode?.tagName.toLowerCase() === 'li'
  const around = isNested ? '\n' : '\n\n'
  return `${around}${items.join('\n')}${around}`
}

/** Puts a prefix before the first line and another before each further line with text. */
function addPrefixes(text: string, first: string, indent: string): string {
  return first + text.replace(/\n(?=[^\n])/g, `\n${indent}`)
}

/** Removes white space at the end of lines, and all but one of several empty lines. */
function tidyLines(text: string): string {
  const lines: string[] = []
  for (const line of text.replaceAll('\u00a0', ' ').split('\n')) {
    const trimmed = line.trimEnd()
    if (trimmed !== '' || (lines.at(-1) ?? '') !== '') lines.push(trimmed)
  }
  return lines.join('\n').trim()
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const romans: readonly (readonly [string, number])[] = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
]

/**
 * Writes the number of each item into ordered lists that do not simply count from 1 (`start`, `value`, `reversed`,
 * letters, Roman numerals). Such a list becomes an unordered list, because the conversion to Markdown counts every
 * ordered list from 1.
 */
export function numberLists(document: PageDocument): void {
  for (const list of document.querySelectorAll('ol')) {
    const items = [...list.children].filter(child => child.tagName.toLowerCase() === 'li')
    const labels = numberItems(list, items)
    if (labels.every((label, index) => label === String(index + 1))) continue
    items.forEach((item, index) => {
      item.prepend(`${labels[index]}. `)
    })
    const plain = document.createElement('ul')
    moveChildren(list, plain)
    list.replaceWith(plain)
  }
}

function numberItems(list: PageElement, items: readonly PageElement[]): string[] {
  const step = list.getAttribute('reversed') === null ? 1 : -1
  const style = list.getAttribute('type') ?? pickListType(list)
  let next = readWholeNumber(list, 'start') ?? (step === 1 ? 1 : items.length)
  return items.map(item => {
    const number = readWholeNumber(item, 'value') ?? next
    next = number + step
    return writeNumber(number, style)
  })
}

/** Returns the `type` that corresponds to a list-style-type; '1' for other styles. */
function pickListType(list: PageElement): string {
  const style = /list-style(?:-type)?\s*:\s*(lower|upper)-(alpha|latin|roman)/i.exec(
    list.getAttribute('style') ?? '',
  )
  if (style === null) return '1'
  const name = style[2]?.toLowerCase() === 'roman' ? 'i' : 'a'
  return style[1]?.toLowerCase() === 'upper' ? name.toUpperCase() : name
}

function writeNumber(number: number, style: string): string {
  if (number < 1 || number > 3999) return String(number)
  const label = /^i$/i.test(style)
    ? writeRoman(number)
    : /^a$/i.test(style)
      ? writeLetters(number)
      : String(number)
  return /^[IA]$/.test(style) ? label.toUpperCase() : label
}

function writeLetters(number: number): string {
  const rest = Math.floor((number - 1) / 26)
  return (rest > 0 ? writeLetters(rest) : '') + letters.charAt((number - 1) % 26)
}

function writeRoman(number: number): string {
  let rest = number
  let numeral = ''
  for (const [sign, value] of romans) {
    while (rest >= value) {
      numeral += sign
      rest -= value
    }
  }
  return numeral
}

function readWholeNumber(element: PageElement, name: string): number | null {
  const written = element.getAttribute(name)?.trim() ?? ''
  return /^[+-]?\d{1,6}$/.test(written) ? Number(written) : null
}
