import { lruCache } from '../system/lru-cache.ts'
import { containsAtWords, type FoldedText, foldText } from './fold.ts'
import { indexNumbers, type NumberIndex } from './number-index.ts'

/** One thing that must stand in a text for a cell's value to be there. */
export type Needle =
  | { readonly kind: 'number'; readonly value: number; readonly scaled: boolean }
  /** Any of these folded forms, at word boundaries. */
  | { readonly kind: 'text'; readonly forms: readonly string[] }
  | {
      readonly kind: 'growth'
      readonly current: number
      readonly percent: number
      readonly tolerance: number
    }

/** A text made ready for many look-ups; each part is made at its first use. */
export interface TextIndex {
  has(needle: Needle): boolean
}

/** In a text as short as a search result looking again costs less than remembering. */
const shortChars = 2_000

export function indexText(source: string): TextIndex {
  let numbers: NumberIndex | null = null
  let folded: FoldedText | null = null
  const asked = new WeakMap<Needle, boolean>()

  function look(needle: Needle): boolean {
    switch (needle.kind) {
      case 'number':
        numbers ??= indexNumbers(source)
        return numbers.has(needle.value, needle.scaled)
      case 'growth':
        numbers ??= indexNumbers(source)
        return numbers.hasGrowth(needle.current, needle.percent, needle.tolerance)
      case 'text': {
        const text = (folded ??= foldText(source))
        return needle.forms.some(form => containsAtWords(text, form))
      }
      default:
        return needle satisfies never
    }
  }

  return {
    has(needle) {
      if (source.length < shortChars) return look(needle)
      const known = asked.get(needle)
      if (known !== undefined) return known
      const found = look(needle)
      asked.set(needle, found)
      return found
    },
  }
}

/** Gives a text's index, kept for the next time; the texts that were unused longest go first. */
export type TextIndexes = (text: string) => TextIndex

/** `maxChars` bounds the texts that are kept, some 10 bytes of memory a character. */
export function createTextIndexes(maxChars = 30_000_000): TextIndexes {
  const kept = lruCache<TextIndex>(maxChars)
  return text => kept(text, () => indexText(text), text.length)
}
