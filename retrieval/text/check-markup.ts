import { Parser } from 'htmlparser2'
import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'

/**
 * Checks the size of a page or XML text before it is parsed, in time proportional to its length: its elements, their
 * attributes, and the levels of nested elements.
 *
 * @param maxLevels the most levels that the readers of this kind of text can handle
 * @throws TooLargeError
 */
export function checkMarkup(markup: string, maxLevels: number, { xmlMode = false } = {}): void {
  let elements = 0
  let attributes = 0
  let levels = 0
  const parser = new Parser(
    {
      onopentagname() {
        checkLimit(++elements, readingLimits.elements, 'elements')
        checkLimit(++levels, maxLevels, 'levels of nested elements', `element ${elements}`)
        attributes = 0
      },
      onattribute() {
        checkLimit(++attributes, readingLimits.attributes, 'attributes of one element', `element ${elements}`)
      },
      onclosetag() {
        levels--
      },
    },
    { xmlMode, decodeEntities: false },
  )
  parser.end(markup)
}
