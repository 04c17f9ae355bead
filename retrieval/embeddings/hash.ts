import { tokenize } from '../tokenize.ts'
import { type Embedder, normalise } from './embedder.ts'

const dimensions = 512
const gramChars = 4

/**
 * Creates the default embedder. It hashes words and their character n-grams and needs no model and no download. The
 * same text has the same vector on every machine. It compares spelling, not meaning.
 */
export function hashEmbedder(): Embedder {
  return {
    name: 'hash',
    worthKeeping: false,
    batchSize: 512,
    embedChunks: async texts => texts.map(hashVector),
    embedQuery: async text => hashVector(text),
  }
}

/** Uses the square root of each count, so that a chunk with one word repeated many times is not near every query. */
function hashVector(text: string): Float32Array {
  const counts = new Map<string, number>()
  const add = (feature: string, weight: number): void => {
    counts.set(feature, (counts.get(feature) ?? 0) + weight)
  }
  for (const word of tokenize(text)) {
    add(word, 1)
    const marked = `^${word}$`
    for (let at = 0; marked.length > gramChars && at + gramChars <= marked.length; at++) {
      add(`#${marked.slice(at, at + gramChars)}`, 0.25)
    }
  }
  const vector = new Float32Array(dimensions)
  for (const [feature, count] of counts) {
    const hash = fnv1a(feature)
    vector[hash % dimensions]! += (hash & 0x80000000 ? -1 : 1) * Math.sqrt(count)
  }
  return normalise(vector)
}

/** Returns the unsigned 32-bit FNV-1a hash of the UTF-16 code units, with a final mixing step. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
