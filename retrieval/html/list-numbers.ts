import { moveChildren, type PageDocument, type PageElement } from './dom.ts'

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
    const labels = labelsOf(list, items)
    if (labels.every((label, index) => label === String(index + 1))) continue
    items.forEach((item, index) => {
      item.prepend(`${labels[index]}. `)
    })
    const plain = document.createElement('ul')
    moveChildren(list, plain)
    list.replaceWith(plain)
  }
}

function labelsOf(list: PageElement, items: readonly PageElement[]): string[] {
  const step = list.getAttribute('reversed') === null ? 1 : -1
  const style = list.getAttribute('type') ?? styleName(list)
  let next = wholeNumber(list, 'start') ?? (step === 1 ? 1 : items.length)
  return items.map(item => {
    const number = wholeNumber(item, 'value') ?? next
    next = number + step
    return labelOf(number, style)
  })
}

/** Returns the `type` that corresponds to a list-style-type; '1' for other styles. */
function styleName(list: PageElement): string {
  const style = /list-style(?:-type)?\s*:\s*(lower|upper)-(alpha|latin|roman)/i.exec(
    list.getAttribute('style') ?? '',
  )
  if (style === null) return '1'
  const name = style[2]?.toLowerCase() === 'roman' ? 'i' : 'a'
  return style[1]?.toLowerCase() === 'upper' ? name.toUpperCase() : name
}

function labelOf(number: number, style: string): string {
  if (number < 1 || number > 3999) return String(number)
  const label = /^i$/i.test(style) ? roman(number) : /^a$/i.test(style) ? lettered(number) : String(number)
  return /^[IA]$/.test(style) ? label.toUpperCase() : label
}

function lettered(number: number): string {
  const rest = Math.floor((number - 1) / 26)
  return (rest > 0 ? lettered(rest) : '') + letters.charAt((number - 1) % 26)
}

function roman(number: number): string {
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

function wholeNumber(element: PageElement, name: string): number | null {
  const written = element.getAttribute(name)?.trim() ?? ''
  return /^[+-]?\d{1,6}$/.test(written) ? Number(written) : null
}
