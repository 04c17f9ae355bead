import type { AnswerKind } from '../../core/answer-kind.ts'
import type { TextGold } from '../../core/task.ts'
import { groupOf } from './json.ts'

/** Texts: an item for each element of a list, or one for the whole answer, whose evidence is its first reference. */
export const textItems: Pick<AnswerKind<TextGold>, 'items' | 'groups'> = {
  items: ({ items, references }) =>
    (items ?? references.slice(0, 1)).map((value, index) => ({
      id: String(index),
      goldRow: 0,
      column: '',
      value,
      isNumeric: false,
      row: {},
      keys: [],
    })),
  // A single text is no more than what its documents say.
  groups: ({ items }) => (items === undefined ? [] : groupOf(Object.fromEntries(items.entries()))),
}
