import { isObject, parseJsonOrNull } from '../../text/json.ts'
import { pythonFloat } from '../python/number.ts'

const number = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*$/

/** Reads a score of 0 to 1 from the last score tags, or from the whole reply; null when there is none. */
export function readScore(text: string): number | null {
  const tags = [...text.matchAll(/<score[^>]*>([^<]*)<\/score>/gi)]
  return asShare(tags.at(-1)?.[1] ?? text)
}

/** Reads one score for each pair, in order; null unless every pair has exactly one. */
export function readScores(text: string, pairs: number): number[] | null {
  const scores = new Array<number | null>(pairs).fill(null)
  for (const match of text.matchAll(/<score\s+pair="?(\d+)"?\s*>([^<]*)<\/score>/gi)) {
    const index = Number(match[1]) - 1
    if (index < 0 || index >= pairs || scores[index] !== null) return null
    scores[index] = asShare(match[2]!)
  }
  return scores.every(score => score !== null) ? scores : null
}

function asShare(text: string): number | null {
  const match = number.exec(text)
  if (match === null) return null
  const value = Number(match[1])
  return value <= 1 ? value : null
}

/** Reads the text between the last output tags; null when there are none. */
export function readOutput(text: string): string | null {
  return [...text.matchAll(/<output>([\s\S]*?)<\/output>/gi)].at(-1)?.[1]?.trim() ?? null
}

/** Reads the text between the first output tags, as AOE's published code does; null when there are none. */
export function readFirstOutput(text: string): string | null {
  return /<output>([\s\S]*?)<\/output>/i.exec(text)?.[1]?.trim() ?? null
}

/** Reads a score between output tags as AOE's published code does: below 0 is 0, and above 1 is 1. Null when there is none. */
export function readPublishedScore(text: string): number | null {
  const score = pythonFloat(readFirstOutput(text) ?? '')
  return score === null || Number.isNaN(score) ? null : Math.min(1, Math.max(0, score))
}

/** Reads the JSON object in a reply, fenced or not; null when there is none. */
export function readJsonObject(text: string): Record<string, unknown> | null {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start < 0 || end < start) return null
  const value = parseJsonOrNull(text.slice(start, end + 1))
  return isObject(value) ? value : null
}
