import { groupBy } from '../../src/core/group-by.ts'
import { joinTextLines, joinToOneLine } from '../../src/text/plain-text.ts'
import {
  findOutermost,
  isElement,
  isInline,
  type PageDocument,
  type PageElement,
  type PageNode,
  readStyle,
  writeOnLine,
} from './dom.ts'
import { applyStyleSheets } from './style-sheets.ts'
import { cellSelector } from './table-cells.ts'

/** Types of `input` whose value a browser does not write as text. */
const withoutText = /^(?:hidden|password|submit|button|reset|image|file|color)$/i

/**
 * Replaces the fields of forms by the text that a browser shows in them: values, the chosen options of lists, ☒ and ☐ for
 * boxes, and the figure of an empty meter.
 */
export function writeFields(document: PageDocument): void {
  for (const field of document.querySelectorAll('input, select, textarea, meter, progress')) {
    const text = writeField(field)
    if (text === '' || text === null) continue
    const shown = document.createElement('span')
    copyLook(field, shown)
    const { previousSibling, nextSibling, parentNode } = field
    const isAlone = parentNode === null || !isInline(parentNode)
    const endsApart =
      previousSibling === null ? isAlone : !/[\p{L}\p{N}]$/u.test(previousSibling.textContent ?? '')
    const startsApart = nextSibling === null ? isAlone : !/^[\p{L}\p{N}]/u.test(nextSibling.textContent ?? '')
    shown.append(`${endsApart ? '' : ' '}${text}${startsApart ? '' : ' '}`)
    field.replaceWith(shown)
  }
}

/** Gives an element what decides whether and how another one is shown. */
export function copyLook(from: PageElement, to: PageElement): void {
  for (const name of ['hidden', 'style', 'class']) {
    const value = from.getAttribute(name)
    if (value !== null) to.setAttribute(name, value)
  }
}

/** Returns what a field shows; null when it is no text or the element has text of its own. */
function writeField(field: PageElement): string | null {
  const value = field.getAttribute('value')?.trim() ?? ''
  switch (field.tagName.toLowerCase()) {
    case 'input': {
      const type = field.getAttribute('type') ?? 'text'
      if (/^(?:checkbox|radio)$/i.test(type)) return field.getAttribute('checked') === null ? '☐' : '☒'
      return withoutText.test(type) ? null : value
    }
    case 'textarea':
      return joinTextLines(field.textContent ?? '')
    case 'select':
      return listChosenOptions(field).join('; ')
    default: {
      if (/\S/.test(field.textContent ?? '')) return null
      const most = field.getAttribute('max')?.trim() ?? '1'
      return value === '' || most === '1' ? value : `${value} of ${most}`
    }
  }
}

/** Returns the chosen options of a list, or the first one, which a browser shows in a list of one line. */
function listChosenOptions(list: PageElement): string[] {
  const options = [...list.querySelectorAll('option')]
  const chosen = options.filter(option => option.getAttribute('selected') !== null)
  const isOneLine = list.getAttribute('multiple') === null && /^1?$/.test(list.getAttribute('size') ?? '')
  const shown = isOneLine ? [chosen.at(-1) ?? options[0]] : chosen
  return shown.flatMap(option => {
    const text = (option?.getAttribute('label') || option?.textContent)?.replace(/\s+/g, ' ').trim()
    return text ? [text] : []
  })
}

/**
 * Puts the content of `<template shadowrootmode>`, once written `shadowroot`, into the place where a browser shows it: in the element around it, with
 * the other children of that element in its slots. Children without a slot are not shown and become hidden.
 */
export function placeShadowTrees(document: PageDocument): void {
  const selector = 'template[shadowrootmode], template[shadowroot]'
  // A template in another one is found when that one has been placed.
  for (let next = document.querySelector(selector); next !== null; next = document.querySelector(selector))
    for (const template of document.querySelectorAll(selector)) placeTree(template, document)
}

function placeTree(template: PageElement, document: PageDocument): void {
  const host = template.parentNode
  template.remove()
  if (host === null) return
  // The sheets of a tree say nothing of the elements outside it.
  applyStyleSheets(template)
  for (const sheet of template.querySelectorAll('style')) sheet.remove()
  const shadow = [...template.childNodes]
  const children = [...host.childNodes]
  host.replaceChildren(...shadow)
  const rest = fillSlots(host, children)
  if (rest.length === 0) return
  const hidden = document.createElement('div')
  hidden.setAttribute('hidden', '')
  hidden.append(...rest)
  host.append(hidden)
}

/**
 * Replaces the slots of a shadow tree by the nodes that name them. A slot that nothing names keeps its own content.
 *
 * @returns the nodes without a slot
 */
function fillSlots(host: PageElement, nodes: readonly PageNode[]): PageNode[] {
  const waiting = groupBy(nodes, node => (isElement(node) ? (node.getAttribute('slot') ?? '') : ''))
  for (const slot of host.querySelectorAll('slot')) {
    const name = slot.getAttribute('name') ?? ''
    const filling = waiting.get(name) ?? []
    waiting.delete(name)
    const hasContent = filling.some(node => isElement(node) || /\S/.test(node.textContent ?? ''))
    slot.replaceWith(...(hasContent ? filling : [...slot.childNodes]))
  }
  return [...waiting.values()].flat()
}

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
  for (const drawing of findOutermost(document.querySelectorAll('svg'), document.body))
    writeDrawing(drawing, document)
  for (const icon of document.querySelectorAll('[role="img"][aria-label]'))
    if (!/^img$/i.test(icon.tagName) && isBlank(icon) && isValue(icon))
      icon.append(createPicture(nameIcon(icon), document))
  for (const cell of document.querySelectorAll(cellSelector)) {
    if (!isBlank(cell)) continue
    const icons = [...cell.querySelectorAll('[aria-label], [title]')].filter(icon => isValue(icon))
    const names = [...new Set(icons.map(nameIcon))].filter(name => name !== '')
    if (names.length > 0) cell.append(createPicture(names.join(' '), document))
  }
}

/** Replaces a drawing by its words, or by an empty element with its name. A drawing without either stays. */
function writeDrawing(drawing: PageElement, document: PageDocument): void {
  for (const part of drawing.querySelectorAll('defs, symbol')) part.remove()
  for (const part of drawing.querySelectorAll('tspan'))
    if (isPlacedApart(part)) part.prepend(/\d$/.test(part.previousSibling?.textContent ?? '') ? ' / ' : ' ')
  const words = findOutermost(drawing.querySelectorAll('text, foreignObject'), drawing)
    .filter(text => !isHiddenIn(text, drawing))
    .map(text => (/^text$/i.test(text.tagName) ? readLine(text) : writeOnLine(text)))
    .filter(text => text !== '')
  const name = nameIcon(drawing) || readLine(drawing.querySelector('title'))
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

/** Returns whether a part of a drawing's text has a place of its own. Single characters are letters of one word. */
function isPlacedApart(part: PageElement): boolean {
  const lengths = [part, part.previousSibling].map(node => readLine(node).length)
  const isPlaced = ['x', 'y', 'dx', 'dy'].some(name => part.getAttribute(name) !== null)
  return isPlaced && Math.min(...lengths) > 0 && Math.max(...lengths) > 1
}

const isHidden = (element: PageElement): boolean =>
  element.getAttribute('hidden') !== null ||
  readStyle(element, 'display') === 'none' ||
  element.getAttribute('display') === 'none'

function isHiddenIn(element: PageElement, root: PageElement): boolean {
  for (let part: PageElement | null = element; part !== null && part !== root; part = part.parentNode)
    if (isHidden(part)) return true
  return false
}

const readLine = (element: PageNode | null): string => joinToOneLine(element?.textContent ?? '')

const nameIcon = (icon: PageElement): string =>
  joinToOneLine(icon.getAttribute('aria-label') ?? icon.getAttribute('title') ?? '')

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
    if (isHidden(element) || control.test(element.tagName)) return false
  }
  return true
}

function createPicture(name: string, document: PageDocument): PageElement {
  const picture = document.createElement('img')
  picture.setAttribute('alt', name)
  return picture
}
