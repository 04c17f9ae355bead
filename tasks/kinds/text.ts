import type { AnswerKind } from '../../src/core/answer-kind.ts'
import type { GoldValue, TextGold } from '../../src/core/gold.ts'
import { readText } from '../../src/score/answer/read-text.ts'
import { readBoolean } from '../../src/score/table/rate-text.ts'
import { groupValues } from './json.ts'

/** The elements of a list; else the first reference, because the others are accepted in its place. */
const listTexts = ({ items, references }: TextGold): readonly string[] => items ?? references.slice(0, 1)

/** Reads yes and no as truth values, which documents do not print. */
const findEvidenceValue = (text: string): GoldValue => readBoolean(text) ?? text

/** Answers that are a text or a list. */
export const textKind: AnswerKind<TextGold> = {
  noun: 'a text',
  read(text) {
    const reading = readText(text)
    const none = { csv: null, rows: null, columns: null }
    if (reading.status !== 'text') return { ...none, parseStatus: reading.status, parseNote: reading.note }
    return { ...none, parseStatus: 'text', parseNote: null, text: reading.text }
  },
  items: gold =>
    listTexts(gold).map((value, at) => ({
      id: String(at),
      goldRow: 0,
      column: '',
      value: findEvidenceValue(value),
      ...(gold.items === undefined && gold.references.length > 1
        ? { otherValues: gold.references.slice(1).map(findEvidenceValue) }
        : {}),
      isNumeric: false,
      row: {},
      keys: [],
    })),
  // A single text is expected in the documents, so it reveals nothing.
  groups: ({ items }) => (items === undefined ? [] : [groupValues(Object.fromEntries(items.entries()))]),
  shape: gold => ({
    keyColumns: [],
    targetColumns: [],
    numericColumns: [],
    rows: null,
    columns: null,
    schemaKeys: null,
    values: listTexts(gold).length,
  }),
  write: ({ items, references }) => references[0] ?? items?.join('\n') ?? '',
  check: async (gold, scorers) => await (await import('./check-text.ts')).checkTextGold(gold, scorers),
}
