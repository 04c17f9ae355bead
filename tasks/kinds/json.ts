import type { AnswerKind, GoldGroup } from '../../src/core/answer-kind.ts'
import type { GoldValue, JsonGold } from '../../src/core/gold.ts'
import { type JsonValue, parseJsonAsPython } from '../../src/score/python/json-value.ts'
import { listJsonLeaves } from '../../src/text/json.ts'
import { countSchemaKeys, countSchemaLevels, countScorableNodes } from '../extract-bench/figures.ts'
import { parseExtraction } from '../extract-bench/parse-extraction.ts'

const leastValuesOfALeak = 3

/** Answers that are JSON of a schema. */
export const jsonKind: AnswerKind<JsonGold> = {
  noun: 'JSON',
  read(text) {
    const parsed = parseExtraction(text)
    const none = { csv: null, rows: null, columns: null }
    if (parsed.status !== 'json') {
      const parseNote = `${parsed.failure}: ${parsed.note}`
      return { ...none, parseStatus: parsed.status, parseNote }
    }
    return { ...none, parseStatus: 'json', parseNote: null, json: JSON.parse(parsed.json) }
  },
  items: ({ value }) =>
    Object.entries(listJsonLeaves(value)).map(([path, leaf]) => ({
      id: path,
      goldRow: 0,
      column: path,
      value: leaf,
      isNumeric: typeof leaf === 'number',
      row: {},
      keys: [],
    })),
  groups: ({ value }) => [groupValues(listJsonLeaves(value))],
  shape: ({ schema, value, text }) => ({
    keyColumns: [],
    targetColumns: [],
    numericColumns: [],
    rows: null,
    columns: null,
    schemaKeys: countSchemaKeys(schema as JsonValue),
    values: countScorableNodes(schema as JsonValue, parseJsonAsPython(text)),
    json: { depth: countSchemaLevels(schema as JsonValue), ...countValues(value), text },
  }),
  write: ({ text }) => `\`\`\`json\n${text}\n\`\`\`\n`,
  check: async gold => await (await import('../extract-bench/check-json-gold.ts')).checkJsonGold(gold),
}

/** Counts the values that are neither objects nor lists, and the items of all lists. */
function countValues(value: unknown): { leaves: number; listItems: number } {
  if (typeof value !== 'object' || value === null) return { leaves: 1, listItems: 0 }
  const inner = Object.values(value).map(countValues)
  const listItems = Array.isArray(value) ? value.length : 0
  return inner.reduce<{ leaves: number; listItems: number }>(
    (sum, counts) => ({ leaves: sum.leaves + counts.leaves, listItems: sum.listItems + counts.listItems }),
    { leaves: 0, listItems },
  )
}

/**
 * The values that together reveal the gold. Any document of a kind shows some of its often hundreds of values, so a
 * leak needs half of those that a text can show.
 */
export function groupValues(values: Readonly<Record<string, GoldValue>>): GoldGroup {
  const texts = Object.values(values).filter(value => value !== null && typeof value !== 'boolean')
  const distinct = new Set(texts.map(value => String(value).trim()).filter(text => text !== ''))
  return { values, leastShown: Math.max(leastValuesOfALeak, Math.ceil(distinct.size / 2)) }
}
