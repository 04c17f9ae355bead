import type { CharacterLook } from '../office/markup.ts'
import { lower, raise } from '../text/formula-text.ts'
import { isElement, isText, type PageElement, type PageNode } from './dom.ts'

/** What may be raised or lowered: by its tag, or by its style. */
const shifted =
  'sup, sub, [style*="vertical-align"], [style*="font-variant-position"], [style*="top:"], [style*="top :"]'
const raisedStyle = /(?:vertical-align|font-variant-position)\s*:\s*super/i
const loweredStyle = /(?:vertical-align|font-variant-position)\s*:\s*sub/i
/** Type that is moved up by less than a line without being called raised. */
const movedUp =
  /(?:^|;)\s*(?:vertical-align\s*:\s*(?:text-top|top|[1-9.][\d.]*(?:px|pt|r?em|ex|%)|0\.\d+(?:r?em|ex))|top\s*:\s*-\d{0,2}(?:\.\d+)?(?:px|pt|r?em|ex|%))/i
const numeral = /^[\d\s,;+\-−–()*∗†‡§]*\d[\d\s,;+\-−–()*∗†‡§]*$/
const decimal = /^[+\-−–±]?\d*\.?\d+$/
/** A power of several terms, such as `n+1` and `1/2`. */
const expression = /^[\p{L}\d.]+(?:[+\-−–/][\p{L}\d.]+)+$/u
const letters = /^\p{L}(?:\s*,\s*\p{L})*$/u
/** A longer text is not a mark at a number or word. */
const maxRaisedChars = 100
/** Elements that always end a word. */
const block =
  /^(?:td|th|tr|table|caption|p|div|li|dt|dd|h[1-6]|section|article|blockquote|pre|body|br|img|hr)$/i

/**
 * Replaces superscript digits, and subscript digits after a digit, by Unicode characters, so that they do not become part of
 * the number before them: `1,234<sup>2</sup>` becomes `1,234²` and not 12,342. Superscript letters after a digit are
 * separated by `^`, and numbers with a decimal point are written as `^(+0.4)` and `_(-0.2)`.
 */
export function markRaised(root: PageElement): void {
  const raised: PageElement[] = []
  const lowered: PageElement[] = []
  for (const element of root.querySelectorAll(shifted)) {
    if (isRaised(element)) raised.push(element)
    else if (isLowered(element)) lowered.push(element)
  }
  for (const element of raised) writeFraction(element)
  for (const element of raised) {
    const text = (element.textContent ?? '').trim()
    const before = readTextBefore(element)
    const mark = writeRaised(before, text)
    // A raised figure directly before a word or figure is not its beginning.
    const isAtStart = !/\S/.test(before) && !/^[\p{L}\p{N}]/u.test(readTextAfter(element))
    if (isNumerator(element) || mark === text || isAtStart) continue
    if (numeral.test(text)) changeTexts(element, raiseSigns)
    else element.textContent = mark
  }
  for (const element of lowered) {
    const text = (element.textContent ?? '').trim()
    const isBeforeFigure = /^\d+$/.test(text) && /^\d/.test(readTextAfter(element))
    const mark = isBeforeFigure ? lower(text) : writeLowered(readTextBefore(element), text)
    if (mark !== text) element.textContent = mark
  }
}

function isRaised(element: PageElement): boolean {
  if (/^sup$/i.test(element.tagName)) return true
  const style = element.getAttribute('style') ?? ''
  if (isBlock(element)) return false
  if (raisedStyle.test(style)) return true
  return movedUp.test(style) && /[\p{L}\p{N})]$/u.test(readTextBefore(element))
}

const isLowered = (element: PageElement): boolean =>
  /^sub$/i.test(element.tagName) ||
  (!isBlock(element) && loweredStyle.test(element.getAttribute('style') ?? ''))

const slash = /^\s*[/\u2044\u2215]\s*$/

/** Whether an element is the raised number of a fraction whose lowered number follows a slash. */
function isNumerator(element: PageElement): boolean {
  const line = element.nextSibling
  const below = line?.nextSibling ?? null
  if (line === null || below === null || !slash.test(line.textContent ?? '')) return false
  const numbers = [element, below].map(part => (part.textContent ?? '').trim())
  return isElement(below) && isLowered(below) && numbers.every(number => /^\d+$/.test(number))
}

/** Writes a fraction of a raised and a lowered number as `1/4`, apart from a whole number before it: `2 1/4`. */
function writeFraction(element: PageElement): void {
  if (!isNumerator(element)) return
  const text = (element.textContent ?? '').trim()
  element.textContent = /\d$/.test(readTextBefore(element)) ? ` ${text}` : text
  element.nextSibling!.textContent = '/'
}

/** A raised number and a slash at the end of a text. */
export const endsWithNumerator = /([⁰¹²³⁴-⁹]+)\s?[/\u2044\u2215]$/u

/** Returns a text with lowered text behind it. A raised number, a slash and a lowered number are a fraction: `2 1/4`. */
export function appendLowered(before: string, text: string): string {
  const raisedNumber = endsWithNumerator.exec(before)
  if (raisedNumber === null || !/^\d+$/.test(text)) return before + writeLowered(before, text)
  const whole = before.slice(0, raisedNumber.index)
  return `${whole}${/\d$/.test(whole) ? ' ' : ''}${raisedNumber[1]!.normalize('NFKC')}/${text}`
}

/**
 * Returns raised text as it is written in the text of every format: digits and signs as Unicode superscripts, footnote
 * letters after a digit behind `^`, and all other text, such as the `st` of `1st`, unchanged.
 *
 * @param before the text directly before it
 */
export function writeRaised(before: string, text: string): string {
  if (text.length > maxRaisedChars) return text
  if (numeral.test(text)) return raiseSigns(text)
  if (expression.test(text) && /\d/.test(text) && /[\p{L}\d)]$/u.test(before)) return raise(text)
  if (!/\d$/.test(before)) return text
  if (letters.test(text)) return `^${text}`
  return decimal.test(text) ? raise(text) : text
}

/** Returns lowered text as it is written in the text of every format: digits after a digit as Unicode subscripts. */
export function writeLowered(before: string, text: string): string {
  if (!/[\d)\u2070-\u207e¹²³]$/.test(before)) return text
  return decimal.test(text) ? lower(text) : text.replace(/\d/g, lower)
}

/** Text whose characters look alike. */
export interface TextRun extends CharacterLook {
  readonly text: string
}

/** What begins and ends struck text, so that a figure that no longer holds does not join the one that does. */
export const struckMark = '~~'

/** Returns runs as one text, as it is written in the text of every format: `12³`, `10₂`, `~~199~~149`. */
export function writeRuns(runs: readonly TextRun[]): string {
  const joined: TextRun[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const isAlike = last?.raised === run.raised && last.lowered === run.lowered && last.struck === run.struck
    if (isAlike) joined[joined.length - 1] = { ...run, text: last.text + run.text }
    else if (run.text !== '') joined.push(run)
  }
  let text = ''
  let before = ''
  let isStruck = false
  const strike = (struck: boolean): void => {
    if (struck === isStruck) return
    isStruck = struck
    if (struck) text += struckMark
    else text = `${text.trimEnd()}${struckMark}${text.slice(text.trimEnd().length)}`
  }
  for (const run of joined) {
    if (run.lowered && run.struck === isStruck && endsWithNumerator.test(text)) {
      text = appendLowered(text, run.text)
      before = run.text
      continue
    }
    const place = run.raised ? writeRaised : run.lowered ? writeLowered : keepText
    const words = place(before, run.text)
    strike(run.struck && (isStruck || /\S/.test(words)))
    text += words
    before = words
  }
  strike(false)
  return text
}

const keepText = (_before: string, text: string): string => text

const raiseSigns = (text: string): string => text.replace(/[\d+\-−–()]/g, raise)

/** Returns the text directly before an element in its block; an empty string after another block. */
export const readTextBefore = (element: PageElement): string => readTextBeside(element, 'previousSibling')

/** Returns the text directly behind an element in its block; an empty string before another block. */
export const readTextAfter = (element: PageElement): string => readTextBeside(element, 'nextSibling')

function readTextBeside(element: PageElement, side: 'previousSibling' | 'nextSibling'): string {
  let node = element
  while (node[side] === null) {
    if (node.parentNode === null || isBlock(node.parentNode)) return ''
    node = node.parentNode
  }
  return isBlock(node[side]) ? '' : (node[side].textContent ?? '')
}

const isBlock = (node: PageNode): boolean => isElement(node) && block.test(node.tagName)

function changeTexts(node: PageElement, change: (words: string) => string): void {
  for (const child of node.childNodes) {
    if (isText(child)) child.textContent = change(child.textContent ?? '')
    else if (isElement(child)) changeTexts(child, change)
  }
}
