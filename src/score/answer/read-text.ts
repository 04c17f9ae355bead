import { splitThinking } from '../../text/thinking.ts'
import { describeExcess } from './limits.ts'

/** An answer as text, or the reason why there is none. */
type TextReading =
  | { readonly status: 'text'; readonly text: string }
  | { readonly status: 'unreadable' | 'none'; readonly note: string }

/**
 * Reads a model's answer as text: without reasoning, trimmed, and only the content of the last `<answer>` tags when
 * there are any.
 */
export function readText(answer: string): TextReading {
  const excess = describeExcess(answer)
  if (excess !== null) return { status: 'unreadable', note: excess }
  const text = readInsideTags(splitThinking(answer).text.replaceAll('\0', '')).trim()
  if (text !== '') return { status: 'text', text }
  return { status: 'none', note: answer.trim() === '' ? 'empty answer' : 'reasoning without an answer' }
}

/** Prompts for texts ask for the answer between these tags, so that reasoning may precede it. */
const answerTags = /<answer>([\s\S]*?)(?:<\/answer>|$)/gi

function readInsideTags(text: string): string {
  return [...text.matchAll(answerTags)].findLast(match => match[1]!.trim() !== '')?.[1] ?? text
}
