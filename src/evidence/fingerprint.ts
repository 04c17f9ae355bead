import { lruCache } from '../system/lru-cache.ts'
import { countCjk } from '../text/plain-text.ts'

/** The shares of a document's shingles and of its multi-digit numbers that a body must contain. */
const sameDocumentThresholds = { shingles: 0.6, numbers: 0.95 } as const

/** Texts are divided into words, or into characters for scripts written without spaces. */
type ShingleUnit = 'words' | 'characters'

const shingleLength = { words: 5, characters: 8 } as const
const word = /[\p{L}\p{N}]+/gu
const number = /\d(?:[\d,]*\d)?(?:\.\d+)?/g

interface Fingerprint {
  readonly shingles: ReadonlySet<number>
  readonly numbers: ReadonlySet<string>
}

/** Continues an FNV-1a hash over UTF-16 code units. */
function hashInto(state: number, text: string): number {
  let hash = state
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

function hashShingles(units: readonly string[], length: number): Set<number> {
  const hashes = new Set<number>()
  const last = Math.max(0, units.length - length)
  if (units.length === 0) return hashes
  for (let start = 0; start <= last; start++) {
    let hash = 0x811c9dc5
    for (const unit of units.slice(start, start + length)) hash = hashInto(hashInto(hash, unit), ' ')
    hashes.add(hash >>> 0)
  }
  return hashes
}

function chooseUnit(text: string): ShingleUnit {
  const sample = text.slice(0, 20_000)
  const letters = (sample.match(/\p{L}/gu) ?? []).length
  return letters > 0 && countCjk(sample) / letters >= 0.3 ? 'characters' : 'words'
}

function computeFingerprint(text: string, unit: ShingleUnit): Fingerprint {
  const folded = text.normalize('NFKC').toLowerCase()
  const words = folded.replace(/(?<=\d),(?=\d{3})/g, '').match(word) ?? []
  const units = unit === 'words' ? words : [...words.join('')]
  const numbers = (folded.match(number) ?? [])
    .map(token => token.replaceAll(',', ''))
    .filter(token => token.replace('.', '').length >= 2)
  return { shingles: hashShingles(units, shingleLength[unit]), numbers: new Set(numbers) }
}

function computeContainedShare<T>(expected: ReadonlySet<T>, contained: ReadonlySet<T>): number {
  if (expected.size === 0) return 1
  let count = 0
  for (const element of expected) if (contained.has(element)) count++
  return count / expected.size
}

/** Compares texts by content. Keeps the fingerprints of recently compared texts. */
export interface DocumentComparer {
  /**
   * Whether `body` contains the document. It must contain at least 0.6 of its 5-word shingles (8 characters
   * for Chinese, Japanese and Korean) and 0.95 of its distinct multi-digit numbers. Both are compared after
   * NFKC normalisation and case folding. False when the document has no text.
   */
  contains(body: string, document: string): boolean
}

/** For each unit. The fingerprint of a text of 600,000 characters takes about 4 MB. */
const cachedTextCount = 200

/** Creates a comparer with an empty cache. */
export function createDocumentComparer(): DocumentComparer {
  const fingerprints = {
    words: lruCache<Fingerprint>(cachedTextCount),
    characters: lruCache<Fingerprint>(cachedTextCount),
  }
  return {
    contains(body, document) {
      if (document.trim() === '' || body.trim() === '') return false
      const unit = chooseUnit(document)
      const expected = fingerprints[unit](document, () => computeFingerprint(document, unit))
      const contained = fingerprints[unit](body, () => computeFingerprint(body, unit))
      return (
        computeContainedShare(expected.numbers, contained.numbers) >= sameDocumentThresholds.numbers &&
        computeContainedShare(expected.shingles, contained.shingles) >= sameDocumentThresholds.shingles
      )
    },
  }
}
