import type { AnswerKind } from '../../core/answer-kind.ts'
import { jsonLeaves } from '../../core/json-leaves.ts'
import type { JsonGold } from '../../core/task.ts'
import { schemaKeys, scorableNodes } from '../extract-bench/figures.ts'
import { type JsonValue, parseJsonAsPython } from '../extract-bench/json-value.ts'
import { parseExtraction } from '../extract-bench/parse-extraction.ts'

const leastLeafsOfALeak = 3

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
    Object.entries(jsonLeaves(value)).map(([path, leaf]) => ({
      id: path,
      goldRow: 0,
      column: path,
      value: leaf,
      isNumeric: typeof leaf === 'number',
      row: {},
      keys: [],
    })),
  // Any document of a kind shows some of the often hundreds of values.
  groups({ value }) {
    const values = jsonLeaves(value)
    const half = Math.ceil(Object.keys(values).length / 2)
    return [{ values, leastShown: Math.max(leastLeafsOfALeak, half) }]
  },
  shape: ({ schema, text }) => ({
    keyColumns: [],
    targetColumns: [],
    numericColumns: [],
    rows: null,
    columns: null,
    schemaKeys: schemaKeys(schema as JsonValue),
    values: scorableNodes(schema as JsonValue, parseJsonAsPython(text)),
  }),
  write: ({ text }) => `\`\`\`json\n${text}\n\`\`\`\n`,
  check: async gold => await (await import('./check-json.ts')).checkJsonGold(gold),
}
