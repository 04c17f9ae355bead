import { Parser } from 'htmlparser2'
import type { PageElement, PageNode } from './dom.ts'

const unseen = new Set(['script', 'style', 'noscript', 'template'])

/**
 * Replaces elements nested more than `maxLevels` levels below `root` by lines of text. Unclosed tags can nest a page
 * thousands of levels deep, which exceeds the call stack of recursive readers.
 *
 * @returns the number of levels that remain
 */
export function flattenBelow(root: PageElement, maxLevels: number): number {
  const levels = new Map<PageNode | null, number>([[root, 0]])
  let deepest = 0
  for (const element of [...root.querySelectorAll('*')]) {
    const above = levels.get(element.parentNode)
    // The element was inside one that has just been flattened.
    if (above === undefined) continue
    deepest = Math.max(deepest, above + 1)
    if (above + 1 < maxLevels) levels.set(element, above + 1)
    else element.innerHTML = linesOf(element.innerHTML)
  }
  return deepest
}

/** The most nodes that are inserted at once. */
const nodesTogether = 5_000

/** Replaces the tags of a page by line breaks. */
function linesOf(html: string): string {
  const groups: string[] = []
  const group: string[] = []
  let hidden = 0
  const add = (piece: string): void => {
    if (hidden > 0) return
    group.push(piece)
    if (group.length === nodesTogether) groups.push(`<span>${group.splice(0).join('')}</span>`)
  }
  const parser = new Parser({
    onopentagname(name) {
      if (unseen.has(name)) hidden++
      else add('<br>')
    },
    ontext: text => add(text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)),
    onclosetag(name, isImplied) {
      if (unseen.has(name)) hidden--
      else if (!isImplied) add('<br>')
    },
  })
  parser.end(html)
  return groups.join('') + group.join('')
}
