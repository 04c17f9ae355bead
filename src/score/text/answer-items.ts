import { withoutFences } from '../../text/fences.ts'
import { readJsonItems } from './lists.ts'

/**
 * Divides an answer into items. The first rule that fits applies: its last list in brackets (JSON or Python),
 * its lines when there are several, the parts between semicolons, or the parts between commas that are not in
 * a number or date.
 */
export function splitAnswerItems(answer: string): string[] {
  const text = withoutFences(answer).trim()
  const list = [...text.matchAll(/\[[^[\]]*\]/g)].at(-1)?.[0]
  if (list !== undefined) return (readJsonItems(list) ?? []).filter(item => item.trim() !== '')
  const body = text.replace(/^.*?(?:final answer|answer|答案)\s*(?:is|为|是)?\s*[:：]\s*/is, '')
  const lines = body
    .split('\n')
    .map(line => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter(line => line !== '')
  if (lines.length > 1) return lines
  const line = lines[0] ?? ''
  return line
    .split(/[;；]/.test(line) ? /[;；]/ : anySeparator)
    .map(item => item.trim())
    .filter(item => item !== '')
}

/** Commas, except those of thousands and of dates such as January 2, 2020. */
const anySeparator =
  /[、，]|(?<!\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?(?=, ?\d{4}\b)),(?!\d{3}(?!\d))\s*/i
