import { pythonStrip } from '../../src/score/python/text.ts'

/**
 * Returns the part of an answer that the scorer reads. The steps and their order are those of the published
 * scorer's lineage (docs/longtablebench.md).
 */
export function readAnswer(answer: string): string {
  let text = answer.split('<|END_RESPONSE|>')[0]!
  text = /<answer>([\s\S]*?)<\/answer>/.exec(text)?.[1] ?? text
  text = afterLast(text, '</think>')
  text = afterLast(text, '◁/think▷')
  const response = /<response>([\s\S]*?)<\/response>/.exec(text)?.[1]
  text = response === undefined ? text : pythonStrip(response)
  if (text.includes('\n\n')) text = afterLast(text, '\n\n')
  text = unsupportedAsList(text)
  text = afterLabel(anglesAsList(text))
  text = afterLast(text, 'list:')
  text = lastInside(text, /```python\nlist[dict]:([\s\S]*?)```/g)
  text = afterLast(text, 'list[str]:')
  for (const fence of [
    /```json([\s\S]*?)```/g,
    /```python([\s\S]*?)```/g,
    /```list([\s\S]*?)```/g,
    /```([\s\S]*?)```/g,
  ])
    text = lastInside(text, fence)
  return besideSingleFence(text)
}

const afterLast = (text: string, mark: string): string => pythonStrip(text.split(mark).at(-1)!)

function lastInside(text: string, pattern: RegExp): string {
  const inside = [...text.matchAll(pattern)].at(-1)?.[1]
  return inside === undefined ? text : pythonStrip(inside)
}

/** The last pattern needs a further quotation mark, as the published one does. */
const unsupportedForms = [
  /\{'Unsupported'\}/giu,
  /\{"Unsupported"\}/giu,
  /\{'Unsupported': 'Unsupported'\}/giu,
  /\{"Unsupported": "Unsupported"\}/giu,
  /\{'result': 'Unsupported'\}/giu,
  /\{"result": "Unsupported"\}"/giu,
]

function unsupportedAsList(text: string): string {
  return unsupportedForms.reduce((out, form) => out.replace(form, '["Unsupported"]'), text)
}

/** Writes all parts such as `<north>` as a list. */
function anglesAsList(text: string): string {
  const parts = [...text.matchAll(/<([^<>]+)>/g)].map(match => match[1]!)
  return parts.length === 0 ? text : `['${parts.join("', '")}']`
}

function afterLabel(text: string): string {
  const last = [...text.matchAll(/answer_item:|answer:|list\[dict\]:/giu)].at(-1)
  if (last !== undefined) return pythonStrip(text.slice(last.index + last[0].length))
  return text.toLowerCase().startsWith('list[') ? pythonStrip(text.slice(4)) : text
}

function besideSingleFence(text: string): string {
  const [before, after, ...further] = text.split('```')
  if (after === undefined || further.length > 0) return text
  return after === '' ? before! : after
}
