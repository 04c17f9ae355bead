import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { joinToOneLine, withoutBreakSigns } from '../../src/text/plain-text.ts'
import type { PartedText } from '../office/markup.ts'
import { isElement, isInline, isText, type PageDocument, type PageElement, type PageNode } from './dom.ts'
import { chooseFormulas, markFormulas } from './formulas.ts'
import { type HiddenContent, removeHidden } from './hidden.ts'
import { checkMarkup, flattenBelow, parsePage } from './parse-page.ts'
import { markRaised, struckMark } from './raised.ts'
import { copyLook, placeShadowTrees, writeFields, writePictures } from './replaced-elements.ts'
import { collectDataScripts, writeScriptData } from './script-data.ts'
import { applyStyleSheets } from './style-sheets.ts'
import { findTablePart } from './table-cells.ts'
import { extractTables, tableMarks } from './tables.ts'
import { numberLists, writeTree } from './to-markdown.ts'

const parts = 'a, abbr, b, bdi, cite, data, em, i, label, mark, small, span, strong, time, u'
const partNames = new Set(parts.split(', '))
/** Styles that programs write around any piece of a word, and thin margins between the digits of one number. */
const exported = /font|color|letter-spacing|mso-|margin|padding/i
/** Classes of an old price and of decimals that a page sets apart without a sign. */
const priceParts = /(?:^|[\s_-])(?:old|was|before|new|now|sale|cents?|decimals?|fraction)(?:$|[\s_-])/i
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

/** An amount with the code of its currency, or a figure; and a word that is neither its unit nor the end of an ordinal. */
const endsWithAmount = /\d\s?(?:\p{Lu}{3})?$/u
const endsWithWord = /\p{L}{3}$/u
const startsWithWord = /^\p{Ll}{3}|^\p{Ll}{2} /u

/**
 * Separates the words of adjacent elements that a page sets apart by its style alone, such as a price and its note.
 * Figures are separated by a slash, because `88 777` would read as one number.
 */
function separateInlines(root: PageElement): void {
  for (const element of root.querySelectorAll(`${parts}, [style*="inline"]`)) {
    let before = element.previousSibling
    while (before !== null && !isElement(before) && !isText(before)) before = before.previousSibling
    if (before !== null) separate(before, element)
    const after = element.nextSibling
    if (after !== null && isText(after)) separate(element, after)
  }
}

function separate(left: PageNode, right: PageNode): void {
  const [last, first] = [findEdgeText(left, -1), findEdgeText(right, 0)]
  const [before, after] = [last?.textContent ?? '', first?.textContent ?? '']
  if (!/(?:[\p{L}\p{N}]|\p{N}[\p{Sc}%])$/u.test(before) || !/^(?:[\p{L}\p{N}]|\p{Sc}\p{N})/u.test(after))
    return
  // Raised and lowered figures belong to what is before them.
  if (/^[\u2070-\u209c¹²³]/.test(after)) return
  const areFigures = /\d[\p{Sc}%]?$/u.test(before) && /^\p{Sc}?\d/u.test(after)
  if (!areFigures && unspaced.test(before.slice(-1) + after.slice(0, 1))) return
  if (!areApart(left, right, before, after)) return
  const gap = areFigures && !isFraction(right) ? ' / ' : ' '
  if (isElement(right)) right.prepend(gap)
  else right.textContent = gap + after
}

const isFraction = (node: PageNode): boolean =>
  isElement(node) && /^\d+\s*[/\u2044]\s*\d+$/.test(joinToOneLine(node.textContent ?? ''))

/** Whether two nodes, of which one is an element, end and begin different words or figures. */
function areApart(left: PageNode, right: PageNode, before: string, after: string): boolean {
  const elements = [left, right].filter(isElement)
  if (!elements.every(isPart)) return false
  if (elements.length === 2) return !isOneWord(before, after, left, right)
  if (/\d[\p{Sc}%]?$/u.test(before) && /^\p{Sc}?\d/u.test(after))
    return isFraction(right) || elements.some(node => priceParts.test(node.getAttribute('class') ?? ''))
  const isNote = endsWithAmount.test(before) && startsWithWord.test(after)
  return (isNote || (endsWithWord.test(before) && /^\d/.test(after))) && !isInCode(right)
}

const isPart = (node: PageNode): node is PageElement =>
  isElement(node) &&
  (partNames.has(node.tagName.toLowerCase()) ||
    (/^(?:div|section)$/i.test(node.tagName) && isInline(node))) &&
  findTablePart(node) === null &&
  !exported.test(node.getAttribute('style') ?? '')

/** Emphasis, which a word processor may begin and end within a word. */
const isEmphasis = (node: PageNode): boolean =>
  isElement(node) && /^(?:b|em|i|strong|u)$/i.test(node.tagName) && (node.getAttribute('class') ?? '') === ''

/** Whether two elements are letters of one word, such as a large first letter, or pieces of code. */
function isOneWord(before: string, after: string, left: PageNode, right: PageNode): boolean {
  if (isEmphasis(left) && isEmphasis(right)) return true
  const isFirstLetter = before.length === 1 && /^\p{Lu}\p{Ll}/u.test(before + after)
  const isLink = [left, right].some(node => isElement(node) && node.tagName === 'A')
  if (isFirstLetter || (before.length === 1 && after.length === 1 && !isLink)) return true
  return isInCode(right)
}

function isInCode(node: PageNode): boolean {
  for (let around = node.parentNode; around !== null; around = around.parentNode)
    if (/^(?:pre|code)$/i.test(around.tagName)) return true
  return false
}

/** Returns the first or last text of a node. */
function findEdgeText(node: PageNode, at: 0 | -1): PageNode | null {
  let edge: PageNode | null = node
  while (edge !== null && !isText(edge)) edge = [...edge.childNodes].at(at) ?? null
  return edge
}

/** The readers of a tree are recursive. */
const maxLevels = 400

/** A page of which the text can be written. */
export interface PreparedPage {
  readonly document: PageDocument
  /** The most levels of nested elements. */
  readonly levels: number
  /** What the page does not show although it is content, such as a closed tab. It is no longer in the document. */
  readonly hidden: readonly HiddenContent[]
  /** What of the page is left out. */
  readonly notices: readonly string[]
  /** The data of the page's scripts as text; '' when the page shows enough text of its own. */
  readonly scriptData: string
}

/** Parses HTML, with the pages in its frames (`srcdoc`) up to a number of levels. Private characters, which mark links and tables, are removed. */
export function parseHtml(html: string, frameLevels = 3): PageDocument {
  const source = html.replace(/[\0\ue000-\ue003]/g, '')
  checkMarkup(source, readingLimits.htmlLevels)
  const document = parsePage(source)
  if (frameLevels === 0) return document
  for (const frame of document.querySelectorAll('iframe[srcdoc]')) {
    const { body } = parseHtml(frame.getAttribute('srcdoc') ?? '', frameLevels - 1)
    showFrame(frame, body, document)
  }
  return document
}

/** Replaces a frame by the page that its `srcdoc` contains. The style sheets of that page say nothing of the elements outside it. */
function showFrame(frame: PageElement, body: PageElement, document: PageDocument): void {
  applyStyleSheets(body)
  for (const part of body.querySelectorAll('style, title')) part.remove()
  const block = document.createElement('div')
  copyLook(frame, block)
  block.innerHTML = body.innerHTML
  frame.replaceWith(block)
}

/**
 * Changes a page so that its text is what a reader sees: without hidden content, with marks for raised, struck and
 * numbered text, and with each formula once. Every setting reads pages and documents in this way.
 */
export function prepareText(document: PageDocument): PreparedPage {
  const scripts = collectDataScripts(document)
  placeShadowTrees(document)
  const generatedTexts = applyStyleSheets(document)
  chooseFormulas(document)
  writeFields(document)
  writePictures(document)
  const { content: hidden, shortTexts } = removeHidden(document)
  const levels = flattenBelow(document.body, maxLevels)
  const roots = hidden.map(({ element }) => element)
  for (const element of roots) flattenBelow(element, maxLevels)
  for (const root of [document.body, ...roots]) {
    markFormulas(root)
    markRaised(root)
    markStruck(root)
    separateInlines(root)
    markRuby(root)
    removeRepeatedAlts(root)
  }
  numberLists(document)
  const notices = [
    ...describeLeftOut(shortTexts, 'short hidden text', 'with figures that the page does not show'),
    ...describeLeftOut(generatedTexts, 'text', 'that style sheets write before or after elements'),
  ]
  return { document, levels, hidden, notices, scriptData: writeScriptData(document, scripts) }
}

const describeLeftOut = (count: number, what: string, where: string): string[] =>
  count === 0 ? [] : [`left out: ${count} ${what}${count === 1 ? '' : 's'} ${where}`]

/** Writes a part of a prepared page as Markdown. Its tables are removed from the document. */
export function writeMarkdown(root: PageElement, document: PageDocument): string {
  // A hidden table is a root itself.
  const isTable =
    root.tagName === 'TABLE' || /^(?:table|(?:tree)?grid)$/.test(root.getAttribute('role') ?? '')
  const body = isTable ? document.createElement('div') : root
  if (isTable) body.append(root)
  const tables = extractTables(body, document)
  const text = withoutBreakSigns(
    writeTree(body).replace(tableMarks, (_mark, index: string) => tables[Number(index)] ?? ''),
  )
  checkLimit(text.length, readingLimits.textChars, 'characters of text')
  return text
}

/** Writes each part of `hidden`, in its order. */
export function writeHiddenTexts({ hidden, document }: PreparedPage): string[] {
  return hidden.map(({ element }) => writeMarkdown(element, document))
}

/** A line with fewer characters may be said twice. */
const minRepeatedChars = 40

/**
 * Joins what a page shows and the texts that it does not show, under a heading. Of these, lines that were written before, as in a
 * copy for another screen, are left out.
 */
export function joinTexts(shown: string, hidden: readonly string[], scriptData: string): string {
  const written = new Set(shown.split('\n'))
  const isNew = (line: string): boolean => {
    if (line.length < minRepeatedChars || line.startsWith('|')) return true
    return !written.has(line) && written.add(line) !== undefined
  }
  const texts = hidden
    .map(text => text.split('\n').filter(isNew).join('\n').trim())
    .filter(text => text !== '')
  const sections = texts.length === 0 ? [] : ['## Not visible on the page', ...texts]
  return [shown, ...sections, scriptData].filter(text => text !== '').join('\n\n')
}

/**
 * Reads an HTML document as Markdown. `fetch_page` writes a page by the same rules, with links.
 *
 * @throws TooLargeError when it exceeds one of `readingLimits`
 */
export function readHtmlDocument(html: string): PartedText {
  const page = prepareText(parseHtml(html))
  const shown = writeMarkdown(page.document.body, page.document)
  return { parts: [joinTexts(shown, writeHiddenTexts(page), page.scriptData)], notices: page.notices }
}

/** Returns the text of HTML without notices, such as that of a Word document which was written as HTML. */
export function readHtmlText(html: string): string {
  return readHtmlDocument(html).parts.join('\n')
}

/** Puts `~~` around struck text, so that a figure that no longer holds does not join the one that does. */
function markStruck(root: PageElement): void {
  for (const struck of root.querySelectorAll('del, s, strike, [role="deletion"], [style*="line-through"]'))
    strike(struck)
}

/** Marks the text of an element, or the texts of the blocks and cells in it. */
function strike(element: PageElement): void {
  const text = element.textContent ?? ''
  if (!/\S/.test(text) || text.startsWith(struckMark)) return
  if ([...element.querySelectorAll('*')].every(isInline)) {
    element.prepend(struckMark)
    element.append(`${struckMark} `)
    return
  }
  for (const child of [...element.childNodes]) {
    if (isElement(child)) strike(child)
    else if (isText(child) && /\S/.test(child.textContent ?? ''))
      child.textContent = `${struckMark}${(child.textContent ?? '').trim()}${struckMark} `
  }
}

/** Puts the reading of a word in brackets behind it: 漢字(かんじ). */
function markRuby(root: PageElement): void {
  for (const reading of root.querySelectorAll('rt')) {
    reading.prepend('(')
    reading.append(')')
  }
}

/** A longer text around a picture is not compared with its alt text. */
const maxTextAround = 1_000

/** Removes the alt text of a picture whose own surroundings say the same, such as a flag before the country's name. */
function removeRepeatedAlts(root: PageElement): void {
  const texts = new Map<PageElement, string>()
  const wordsIn = (element: PageElement): string => {
    const words = texts.get(element) ?? formatSpacedWords((element.textContent ?? '').slice(0, maxTextAround))
    texts.set(element, words)
    return words
  }
  for (const picture of root.querySelectorAll('img[alt]')) {
    const alt = formatSpacedWords(picture.getAttribute('alt') ?? '')
    let around = picture.parentNode
    for (let level = 0; level < 3 && around !== null && wordsIn(around) === ' '; level++)
      around = around.parentNode
    if (alt !== ' ' && around !== null && wordsIn(around).includes(alt)) picture.setAttribute('alt', '')
  }
}

/** Returns the words of a text between single spaces, with one at both ends; ' ' when it has none. */
function formatSpacedWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{S}]+/gu, ' ')
    .trim()} `.replace(/^ {2}$/, ' ')
}
