import { oneLine } from '../../src/text/plain-text.ts'
import { isElement, type PageDocument, type PageElement } from './dom.ts'

/** A link or a button says what it does, which is no value. */
const control = /^(?:a|button|summary)$/i
/** A picture of a link or a button is at most this many levels below it. */
const levelsInControl = 4
const keptAttributes = ['hidden', 'style', 'role', 'aria-label', 'title']

/**
 * Writes pictures that are not `img` as text: the words of drawings, and the names of icons, such as a tick in a table of
 * plans. The style sheets of the page must have been applied.
 */
export function writePictures(document: PageDocument): void {
  for (const drawing of document.querySelectorAll('svg')) writeDrawing(drawing, document)
  for (const icon of document.querySelectorAll('[role="img"][aria-label]'))
    if (!/^img$/i.test(icon.tagName) && isBlank(icon) && isValue(icon))
      icon.append(pictureOf(nameOfIcon(icon), document))
  for (const cell of document.querySelectorAll('td, th, [role="cell"], [role="gridcell"]')) {
    if (!isBlank(cell)) continue
    const icons = [...cell.querySelectorAll('[aria-label], [title]')].filter(icon => isValue(icon))
    const names = [...new Set(icons.map(nameOfIcon))].filter(name => name !== '')
    if (names.length > 0) cell.append(pictureOf(names.join(' '), document))
  }
}

/** Replaces a drawing by its words, or by an empty element with its name. A drawing without either stays. */
function writeDrawing(drawing: PageElement, document: PageDocument): void {
  for (const part of drawing.querySelectorAll('defs, symbol')) part.remove()
  const words = [...drawing.querySelectorAll('text, foreignObject')]
    .map(textOnLine)
    .filter(text => text !== '')
  const name = nameOfIcon(drawing) || textOnLine(drawing.querySelector('title'))
  if (words.length === 0 && name === '') return
  const written = document.createElement(words.length > 1 ? 'div' : 'i')
  for (const attribute of keptAttributes) {
    const value = drawing.getAttribute(attribute)
    if (value !== null) written.setAttribute(attribute, value)
  }
  if (words.length === 0) written.setAttribute('aria-label', name)
  else written.append(words.join('; '))
  drawing.replaceWith(written)
}

const textOnLine = (element: PageElement | null): string => oneLine(element?.textContent ?? '')

const nameOfIcon = (icon: PageElement): string =>
  oneLine(icon.getAttribute('aria-label') ?? icon.getAttribute('title') ?? '')

const isBlank = (element: PageElement): boolean =>
  !/\S/.test(element.textContent ?? '') && element.querySelector('img[alt]:not([alt=""])') === null

/** Returns whether an icon is shown, and belongs to no link or button. */
function isValue(icon: PageElement): boolean {
  let element: PageElement | null = icon
  for (
    let level = 0;
    level <= levelsInControl && element !== null && isElement(element);
    level++, element = element.parentNode
  ) {
    const isHidden =
      element.getAttribute('hidden') !== null ||
      /display\s*:\s*none/i.test(element.getAttribute('style') ?? '')
    if (isHidden || control.test(element.tagName)) return false
  }
  return true
}

function pictureOf(name: string, document: PageDocument): PageElement {
  const picture = document.createElement('img')
  picture.setAttribute('alt', name)
  return picture
}
