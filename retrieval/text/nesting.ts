/** The parts of a DOM element that we use; linkedom's own types are looser. */
export interface NestedElement {
  readonly parentNode: unknown
  innerHTML: string
  querySelectorAll(selector: string): Iterable<NestedElement>
}

const unseen = /<(script|style|noscript|template)\b[\s\S]*?<\/\1>/gi
const tag = /<[^>]*>/g

/**
 * Turns what is nested more than `most` levels below `root` into lines of text, for whoever reads a tree level by level
 * and has a stack that ends: unclosed tags nest a page thousands of levels deep. Gives the levels that are left.
 */
export function flattenBelow(root: NestedElement, most: number): number {
  const levels = new Map<unknown, number>([[root, 0]])
  let deepest = 0
  for (const element of [...root.querySelectorAll('*')]) {
    const above = levels.get(element.parentNode)
    // What has just been flattened stands in the tree no more.
    if (above === undefined) continue
    deepest = Math.max(deepest, above + 1)
    if (above + 1 < most) levels.set(element, above + 1)
    else element.innerHTML = element.innerHTML.replace(unseen, '').replace(tag, '<br>')
  }
  return deepest
}
