/** The used parts of a DOM element. linkedom's own types are less exact. */
export interface NestedElement {
  readonly parentNode: unknown
  innerHTML: string
  querySelectorAll(selector: string): Iterable<NestedElement>
}

const unseen = /<(script|style|noscript|template)\b[\s\S]*?<\/\1>/gi
const tag = /<[^>]*>/g

/**
 * Replaces elements nested more than `maxLevels` levels below `root` by lines of text. Unclosed tags can nest a page
 * thousands of levels deep, which exceeds the call stack of recursive readers.
 *
 * @returns the number of levels that remain
 */
export function flattenBelow(root: NestedElement, maxLevels: number): number {
  const levels = new Map<unknown, number>([[root, 0]])
  let deepest = 0
  for (const element of [...root.querySelectorAll('*')]) {
    const above = levels.get(element.parentNode)
    // The element was inside one that has just been flattened.
    if (above === undefined) continue
    deepest = Math.max(deepest, above + 1)
    if (above + 1 < maxLevels) levels.set(element, above + 1)
    else element.innerHTML = element.innerHTML.replace(unseen, '').replace(tag, '<br>')
  }
  return deepest
}
