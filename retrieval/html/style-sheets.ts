import type { PageDocument, PageElement } from './dom.ts'

/** The width in pixels of the window for which media queries are evaluated. */
const windowWidth = 1280
/** Further selectors are not applied. Each one is compared with every element. */
const maxSelectors = 300
/** Longer selectors are not applied. */
const maxSelectorChars = 200
/** Pseudo-classes that depend on what a reader does, and pseudo-elements. */
const dynamic = /:(?!(?:not|is|where|(?:first|last|only|nth)-[\w-]+|empty)\b)/
/** The last class, id or element name of a selector. */
const lastName = /([.#]?)(-?[_a-z][\w-]*)(?:\[[^\]]*\]|:[\w-]+(?:\([^()]*\))?)*$/i

/** A declaration with the weight of its selector. */
interface Declaration {
  readonly property: string
  readonly value: string
  readonly weight: number
}

/** A selector of text that a sheet writes before or after elements. */
const generated = /^(.*?)::?(?:before|after)$/i

/**
 * Writes what the style sheets in a page say of display, struck and raised type into the styles of the elements, as far as these
 * say nothing of it themselves. Sheets in other files and `visibility` are not read.
 *
 * @returns how many rules write words or figures before or after elements (`::before`, `::after`), which are not read
 */
export function applyStyleSheets(document: PageDocument): number {
  const sheets = [...document.querySelectorAll('style')].filter(isApplied)
  if (sheets.length === 0) return 0
  const names = namesIn(document)
  const styles = new Map<PageElement, Map<string, Declaration>>()
  const canFit = (selector: string): boolean => {
    const [, sign = '', name = ''] = lastName.exec(selector) ?? []
    return !dynamic.test(selector) && names.has(sign === '' ? name.toLowerCase() : sign + name)
  }
  let selectors = 0
  let generatingSelectors = 0
  let generatedTexts = 0
  for (const [selector, declarations] of sheets.flatMap(sheet => readRules(sheet.textContent ?? ''))) {
    const host = generated.exec(selector)?.[1]
    if (host !== undefined && canFit(host) && declarations.some(writesText)) {
      if (++generatingSelectors <= maxSelectors && [...select(document, host)].length > 0) generatedTexts++
    }
    if (!canFit(selector)) continue
    if (++selectors > maxSelectors) break
    for (const element of select(document, selector)) {
      const style = styles.get(element) ?? new Map<string, Declaration>()
      styles.set(element, style)
      for (const declaration of declarations)
        if (
          declaration.property !== 'content' &&
          declaration.weight >= (style.get(declaration.property)?.weight ?? 0)
        )
          style.set(declaration.property, declaration)
    }
  }
  for (const [element, style] of styles) {
    const inline = element.getAttribute('style') ?? ''
    const added = [...style.values()].filter(({ property }) => !inline.includes(property))
    if (added.length === 0) continue
    const declarations = added.map(({ property, value }) => `${property}:${value}`)
    element.setAttribute('style', [...declarations, inline].filter(text => text !== '').join(';'))
  }
  return generatedTexts
}

/** Whether a declaration is content with letters or digits, an attribute or a counter. Escapes are signs of icon fonts. */
function writesText({ property, value }: Declaration): boolean {
  const shown = value.replace(/\\[\da-f]{1,6}/gi, ' ')
  return (
    property === 'content' &&
    (/(["'])[^"']*[\p{L}\p{N}][^"']*\1/u.test(shown) || /\b(?:attr|counters?)\(/.test(shown))
  )
}

const isApplied = (sheet: PageElement): boolean =>
  !/^(?:noscript|template|svg)$/i.test(sheet.parentNode?.tagName ?? '') &&
  isForWindow(sheet.getAttribute('media') ?? '')

function namesIn(document: PageDocument): Set<string> {
  const names = new Set<string>()
  for (const element of document.querySelectorAll('*')) {
    names.add(element.tagName.toLowerCase()).add(`#${element.getAttribute('id') ?? ''}`)
    for (const name of (element.getAttribute('class') ?? '').split(/\s+/)) names.add(`.${name}`)
  }
  return names
}

/** Returns the selectors of a sheet that declare something of interest. Rules for print or narrow windows do not count. */
function readRules(css: string): [selector: string, declarations: Declaration[]][] {
  const rules: [string, Declaration[]][] = []
  const open: string[] = []
  // Braces, commas and semicolons inside of texts end nothing. A selector with such a text then fits no element.
  const source = css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' ')
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, text => text.replace(/[{},;]/g, ' '))
  let at = 0
  for (const { 0: brace, index } of source.matchAll(/[{}]/g)) {
    const part = source.slice(at, index)
    at = index + 1
    if (brace === '{') {
      open.push(part.slice(part.lastIndexOf(';') + 1).trim())
      continue
    }
    const prelude = open.pop() ?? ''
    if (prelude.startsWith('@') || !open.every(isMetGroup)) continue
    for (const selector of prelude.split(',').map(text => text.trim())) {
      if (selector.length > maxSelectorChars || selector.includes('\\')) continue
      const declarations = readDeclarations(part, selectorWeight(selector))
      if (declarations.length > 0) rules.push([selector, declarations])
    }
  }
  return rules
}

const isMetGroup = (prelude: string): boolean =>
  /^@(?:supports|layer)\b/i.test(prelude) ||
  (/^@media\b/i.test(prelude) && isForWindow(prelude.slice('@media'.length)))

function readDeclarations(body: string, weight: number): Declaration[] {
  const pattern =
    /(?:^|;)\s*(display|text-decoration|vertical-align|content)(?:-line)?\s*:([^;!]*)(!\s*important)?/gi
  return [...body.matchAll(pattern)].map(([, property, value, important]) => ({
    property: property!.toLowerCase(),
    value: value!.trim(),
    weight: weight + (important === undefined ? 0 : 1e6),
  }))
}

/** The weight of a selector in the cascade: ids before classes before names. */
function selectorWeight(selector: string): number {
  const count = (pattern: RegExp): number => selector.match(pattern)?.length ?? 0
  return 10_000 * count(/#[\w-]/g) + 100 * count(/\.[\w-]|[[:]/g) + count(/(?:^|[\s>+~])[a-z]/gi)
}

function select(document: PageDocument, selector: string): Iterable<PageElement> {
  try {
    return document.body.querySelectorAll(selector)
  } catch {
    // A browser ignores a selector that it cannot read, too.
    return []
  }
}

/** Returns whether a media query holds for a window on a desktop. */
function isForWindow(media: string): boolean {
  return media.split(',').some(query => {
    const types = query.replace(/\([^()]*\)/g, ' ')
    return (
      /^(?:only|all|screen|and|\s)*$/i.test(types) && (query.match(/\([^()]*\)/g) ?? []).every(isMetFeature)
    )
  })
}

function isMetFeature(feature: string): boolean {
  const [, bound, size, unit] = /^\(\s*(min|max)-width\s*:\s*([\d.]+)(px|r?em)\s*\)$/i.exec(feature) ?? []
  if (bound === undefined) return false
  const pixels = Number(size) * (/px/i.test(unit!) ? 1 : 16)
  return /min/i.test(bound) ? pixels <= windowWidth : pixels >= windowWidth
}
