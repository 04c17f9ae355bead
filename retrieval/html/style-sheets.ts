import { isInline, type PageDocument, type PageElement } from './dom.ts'

/** The width in pixels of the window for which media queries are evaluated. */
const windowWidth = 1280
/** Further selectors are not applied. Each one is compared with every element. */
const maxSelectors = 300
/** Of a rule that contains others, further selectors are not joined with theirs: each level multiplies them. */
const maxNested = 50
/** Longer selectors are not applied. */
const maxSelectorChars = 200
/** Pseudo-classes that depend on what a reader does, and pseudo-elements. */
const dynamic =
  /(?<!\\):(?!(?:not|is|where|has|(?:first|last|only|nth)-[\w-]+|empty|root|checked|disabled|enabled)\b)/
/** The last class, id or element name of a selector. Names of classes such as `md:hidden` are written with escapes. */
const lastName =
  /([.#]?)((?:[_a-z-]|[^\0-\x7f]|\\.)(?:[\w-]|[^\0-\x7f]|\\.)*)(?:\[[^\]]*\]|(?<!\\):[\w-]+(?:\([^()]*\))?)*$/iu
/** An escaped character by its code or as it is. */
const escapes = /\\(?:([\da-f]{1,6})\s?|(.))/gi

/** What a browser on a desktop answers to features of media queries. Other features are not met. */
const desktopFeatures: Readonly<Record<string, string>> = {
  hover: 'hover',
  'any-hover': 'hover',
  pointer: 'fine',
  'any-pointer': 'fine',
  orientation: 'landscape',
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  'prefers-contrast': 'no-preference',
  'forced-colors': 'none',
  scripting: 'enabled',
  'display-mode': 'browser',
}

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
 * say nothing of it themselves. `visibility` is read for parts of a line only, because a block may wait for its script.
 * Sheets in other files are not read.
 *
 * @param root a page, or an element with sheets of its own, such as a shadow tree
 * @returns how many rules write words or figures before or after elements (`::before`, `::after`), which are not read
 */
export function applyStyleSheets(root: PageDocument | PageElement): number {
  const sheets = [...root.querySelectorAll('style')].filter(sheet => isApplied(sheet, root))
  if (sheets.length === 0) return 0
  const names = collectNames(root)
  const styles = new Map<PageElement, Map<string, Declaration>>()
  let selectors = 0
  let generatingSelectors = 0
  let generatedTexts = 0
  for (const [selector, declarations] of sheets.flatMap(sheet => readRules(sheet.textContent ?? ''))) {
    const host = generated.exec(selector)?.[1]
    if (host !== undefined && canFit(host, names) && declarations.some(writesText)) {
      if (++generatingSelectors <= maxSelectors && [...select(root, host)].length > 0) generatedTexts++
    }
    if (!canFit(selector, names)) continue
    if (++selectors > maxSelectors) break
    for (const element of select(root, selector)) {
      const style = styles.get(element) ?? new Map<string, Declaration>()
      styles.set(element, style)
      for (const declaration of declarations) cascade(declaration, style)
    }
  }
  for (const [element, style] of styles) writeStyle(element, style)
  return generatedTexts
}

/** Returns whether a selector may fit an element of a page with these names. */
function canFit(selector: string, names: ReadonlySet<string>): boolean {
  if (dynamic.test(selector)) return false
  const match = lastName.exec(selector)
  // Such as `[data-state="closed"]`: whether an element fits is known when it is compared.
  if (match === null) return true
  const name = match[2]!.replace(escapes, (_all, code: string | undefined, sign: string) =>
    code === undefined ? sign : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)),
  )
  return names.has(match[1] === '' ? name.toLowerCase() : match[1]! + name)
}

/** Adds a declaration to the style of an element, unless a heavier one says something of the same property. */
function cascade(declaration: Declaration, style: Map<string, Declaration>): void {
  const { property, weight } = declaration
  if (property !== 'content' && weight >= (style.get(property)?.weight ?? 0)) style.set(property, declaration)
}

/** Writes declarations before those of an element's own style, as far as that says nothing of their properties. */
function writeStyle(element: PageElement, style: ReadonlyMap<string, Declaration>): void {
  const inline = element.getAttribute('style') ?? ''
  const added = [...style.values()].filter(
    ({ property }) =>
      !new RegExp(`(?:^|[;\\s])${property}`, 'i').test(inline) &&
      (property !== 'visibility' || isInline(element)),
  )
  if (added.length === 0) return
  const declarations = added.map(({ property, value }) => `${property}:${value}`)
  element.setAttribute('style', [...declarations, inline].filter(text => text !== '').join(';'))
}

/** Whether a declaration is content with letters or digits, an attribute or a counter. Escapes are signs of icon fonts. */
function writesText({ property, value }: Declaration): boolean {
  const shown = value.replace(/\\[\da-f]{1,6}/gi, ' ')
  return (
    property === 'content' &&
    (/(["'])[^"']*[\p{L}\p{N}][^"']*\1/u.test(shown) || /\b(?:attr|counters?)\(/.test(shown))
  )
}

const isApplied = (sheet: PageElement, root: PageDocument | PageElement): boolean =>
  (sheet.parentNode === root || !/^(?:noscript|template|svg)$/i.test(sheet.parentNode?.tagName ?? '')) &&
  isForWindow(sheet.getAttribute('media') ?? '')

function collectNames(root: PageDocument | PageElement): Set<string> {
  const names = new Set<string>()
  for (const element of root.querySelectorAll('*')) {
    names.add(element.tagName.toLowerCase()).add(`#${element.getAttribute('id') ?? ''}`)
    for (const name of (element.getAttribute('class') ?? '').split(/\s+/)) names.add(`.${name}`)
  }
  return names
}

/** Returns the selectors of a sheet that declare something of interest. Rules for print or narrow windows do not count. */
function readRules(css: string): [selector: string, declarations: Declaration[]][] {
  const rules: [string, Declaration[]][] = []
  const open: OpenRule[] = []
  // Braces, commas and semicolons inside of texts end nothing. A selector with such a text then fits no element.
  const source = css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' ')
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, text => text.replace(/[{},;]/g, ' '))
  const add = (body: string): void => {
    const rule = open.at(-1)
    if (!rule?.isMet) return
    for (const selector of rule.selectors) {
      // What is in a layer is weaker than every rule outside of layers.
      const declarations = readDeclarations(body, computeWeight(selector) / (rule.isLayered ? 1e6 : 1))
      if (declarations.length > 0) rules.push([selector, declarations])
    }
  }
  let at = 0
  for (const { 0: brace, index } of source.matchAll(/[{}]/g)) {
    const part = source.slice(at, index)
    at = index + 1
    if (brace === '}') {
      add(part)
      open.pop()
      continue
    }
    // A rule inside of a rule stands behind declarations of the outer one.
    const end = part.lastIndexOf(';') + 1
    add(part.slice(0, end))
    open.push(openRule(part.slice(end).trim(), open.at(-1) ?? null))
  }
  return rules
}

/** A rule or group whose closing brace has not been read. */
interface OpenRule {
  /** What its declarations apply to; empty in a group. */
  readonly selectors: readonly string[]
  /** Whether its conditions and those of the groups around it are met. */
  readonly isMet: boolean
  readonly isLayered: boolean
}

function openRule(prelude: string, around: OpenRule | null): OpenRule {
  const outer = around?.selectors ?? []
  const isMet = around?.isMet ?? true
  const isLayered = around?.isLayered === true || /^@layer\b/i.test(prelude)
  if (prelude.startsWith('@')) return { selectors: outer, isMet: isMet && isMetGroup(prelude), isLayered }
  const nest = (selector: string): string[] =>
    outer.length === 0
      ? [selector]
      : outer
          .slice(0, maxNested)
          .map(parent =>
            selector.includes('&') ? selector.replaceAll('&', parent) : `${parent} ${selector}`,
          )
  const list = splitAtCommas(prelude).filter(Boolean)
  const listed = outer.length === 0 ? list : list.slice(0, maxNested)
  const selectors = isMet ? listed.flatMap(nest) : []
  return { selectors: selectors.filter(({ length }) => length <= maxSelectorChars), isMet, isLayered }
}

/** Splits a list at the commas that are neither escaped nor in brackets. */
function splitAtCommas(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const piece of list.match(/\\.|[\s\S]/g) ?? []) {
    if (/^[([]/.test(piece)) depth++
    if (/^[)\]]/.test(piece)) depth--
    if (piece === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.map(part => part.trim())
}

const isMetGroup = (prelude: string): boolean =>
  /^@(?:layer\b|supports(?!\s+not\b))/i.test(prelude) ||
  (/^@media\b/i.test(prelude) && isForWindow(prelude.slice('@media'.length)))

function readDeclarations(body: string, weight: number): Declaration[] {
  const pattern =
    /(?:^|;)\s*(display|visibility|text-decoration|vertical-align|font-variant-position|top|content)(?:-line)?\s*:([^;!]*)(!\s*important)?/gi
  return [...body.matchAll(pattern)].map(([, property, value, important]) => ({
    property: property!.toLowerCase(),
    value: value!.trim(),
    weight: weight + (important === undefined ? 0 : 1e6),
  }))
}

/** The weight of a selector in the cascade: ids before classes before names. */
function computeWeight(selector: string): number {
  const plain = selector.replace(/\\./g, '_')
  const count = (pattern: RegExp): number => plain.match(pattern)?.length ?? 0
  return 10_000 * count(/#[\w-]/g) + 100 * count(/\.[\w-]|[[:]/g) + count(/(?:^|[\s>+~])[a-z]/gi)
}

function select(root: PageDocument | PageElement, selector: string): Iterable<PageElement> {
  try {
    return ('body' in root ? root.body : root).querySelectorAll(selector)
  } catch {
    // A browser ignores a selector that it cannot read, too.
    return []
  }
}

/** Returns whether a media query holds for a window on a desktop. */
function isForWindow(media: string): boolean {
  return media.split(',').some(query => {
    const [, negation, condition = ''] = /^\s*(not\s)?([\s\S]*)$/i.exec(query) ?? []
    const types = condition.replace(/\([^()]*\)/g, ' ')
    const isMet =
      /^(?:only|all|screen|and|\s)*$/i.test(types) &&
      (condition.match(/\([^()]*\)/g) ?? []).every(isMetFeature)
    return isMet === (negation === undefined)
  })
}

const widthBound = /^(min|max)-width\s*:\s*([\d.]+)(px|r?em)$/i
/** Bounds of the width by signs: `width <= 600px`, `400px < width <= 600px`. */
const widthRange = /^(?:([\d.]+)(px|r?em)\s*(<=?|>=?)\s*)?width\s*(?:(<=?|>=?)\s*([\d.]+)(px|r?em))?$/i

function isMetFeature(feature: string): boolean {
  const condition = feature.slice(1, -1).trim()
  const [, bound, size, unit] = widthBound.exec(condition) ?? []
  if (bound !== undefined)
    return isOrdered(toPixels(size!, unit!), /min/i.test(bound) ? '<=' : '>=', windowWidth)
  const range = widthRange.exec(condition)
  if (range !== null) {
    const [, low, lowUnit, lowSign, highSign, high, highUnit] = range
    return (
      (low === undefined || isOrdered(toPixels(low, lowUnit!), lowSign!, windowWidth)) &&
      (high === undefined || isOrdered(windowWidth, highSign!, toPixels(high, highUnit!)))
    )
  }
  const [name = '', value] = condition.toLowerCase().split(/\s*:\s*/)
  const answer = desktopFeatures[name]
  return answer !== undefined && (value === undefined ? !/^no/.test(answer) : value === answer)
}

const toPixels = (size: string, unit: string): number => Number(size) * (/px/i.test(unit) ? 1 : 16)

function isOrdered(left: number, sign: string, right: number): boolean {
  if (left === right) return sign.endsWith('=')
  return sign.startsWith('<') ? left < right : left > right
}
