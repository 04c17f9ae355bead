import {
  goldIdOf,
  type Item,
  itemsOf,
  type Score,
  type ScoredCell,
  type ScoredItem,
} from '../../../core/score.ts'
import { goldsOf } from '../../../core/task.ts'
import { type EvidencePlace, evidencePlaces } from '../evidence-places.ts'
import type { ExportedAttempt, ExportedRun } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { type Column, type ExportTable, jsonText } from '../table.ts'

interface Row {
  readonly source: ExportedAttempt
  readonly score: Score
  readonly item: Item
  /** The item when it is a cell of a table; else null. */
  readonly cell: ScoredCell | null
  /** The item when it is not a cell; else null. */
  readonly other: ScoredItem | null
  /** The key columns of the gold row. */
  readonly key: Readonly<Record<string, string>> | null
  readonly place: EvidencePlace
}

const columns: readonly Column<Row>[] = [
  ...joinColumns,
  ...armColumns,
  {
    name: 'scorer',
    type: 'text',
    unit: '',
    description: 'The scorer.',
    value: ({ score }) => score.scorer,
  },
  {
    name: 'judge',
    type: 'text',
    unit: '',
    description: 'The judge.',
    value: ({ score }) => score.judge,
  },
  {
    name: 'itemId',
    type: 'text',
    unit: '',
    description:
      'The item of the gold: for a cell its row and column, for JSON its path, for a list its index.',
    value: ({ item }) => goldIdOf(item),
  },
  {
    name: 'turn',
    type: 'integer',
    unit: '',
    description: 'The question of a conversation, from 0.',
    value: ({ item }) => item.turn ?? 0,
  },
  {
    name: 'goldRow',
    type: 'integer',
    unit: '',
    description: 'The row of the gold table, from 0; null for other gold.',
    value: ({ cell }) => cell?.goldRow ?? null,
  },
  {
    name: 'column',
    type: 'text',
    unit: '',
    description: 'The target column; null for other gold.',
    value: ({ cell }) => cell?.column ?? null,
  },
  {
    name: 'path',
    type: 'text',
    unit: '',
    description: 'The place in the JSON value; null for other gold.',
    value: ({ other }) => other?.path ?? null,
  },
  {
    name: 'index',
    type: 'integer',
    unit: '',
    description: 'The place in a list, from 0; null for other gold.',
    value: ({ other }) => other?.index ?? null,
  },
  {
    name: 'key',
    type: 'json',
    unit: '',
    description:
      'The key columns of the gold row with their values; null for other gold, and when the tasks are missing or have changed.',
    value: ({ key }) => jsonText(key),
  },
  {
    name: 'gold',
    type: 'text',
    unit: '',
    description: 'The gold as text.',
    value: ({ item }) => item.gold,
  },
  {
    name: 'answer',
    type: 'text',
    unit: '',
    description: 'What the answer has for it; null when it has nothing.',
    value: ({ item }) => item.predicted,
  },
  {
    name: 'score',
    type: 'number',
    unit: '0 to 1',
    description: 'The credit; null when a judge failed.',
    value: ({ item }) => item.score,
  },
  {
    name: 'rule',
    type: 'text',
    unit: '',
    description: 'The rule that decided, such as `numeric` or `unmatched-row`.',
    value: ({ item }) => item.rule,
  },
  {
    name: 'class',
    type: 'text',
    unit: '',
    description: 'The loss class ([measures.md](measures.md)); null when not known.',
    value: ({ item }) => item.class,
  },
  {
    name: 'unseen',
    type: 'boolean',
    unit: '',
    description: 'True for a right value whose evidence the attempt was never shown.',
    value: ({ item }) => item.unseen ?? false,
  },
  {
    name: 'answerRow',
    type: 'integer',
    unit: '',
    description:
      'The row of the answer that the gold row was compared with, from 0; null when no row matches, and when not known.',
    value: ({ cell }) => cell?.matched?.row ?? null,
  },
  {
    name: 'matchedBy',
    type: 'text',
    unit: '',
    description: 'What matched the rows; null like `answerRow`.',
    value: ({ cell }) => cell?.matched?.by ?? null,
  },
  {
    name: 'similarity',
    type: 'number',
    unit: '0 to 100',
    description: 'Likeness of the keys; null unless similarity decided.',
    value: ({ cell }) => cell?.matched?.similarity ?? null,
  },
  {
    name: 'document',
    type: 'text',
    unit: '',
    description:
      'The document of the task that contains the value, as its name in the task; null when not known. In runs that recorded no evidence also null when several contain it.',
    value: ({ place, item }) => item.evidence?.document ?? place.document,
  },
  {
    name: 'page',
    type: 'integer',
    unit: '',
    description:
      'The page of the line in `evidence`, from 1; null when not known. In runs that recorded no evidence, the page on which a tool showed the value.',
    value: ({ place, item }) => (item.evidence === undefined ? place.page : item.evidence.page),
  },
  {
    name: 'evidence',
    type: 'text',
    unit: '',
    description: 'The line of the document that contains the value; null when not known.',
    value: ({ item }) => item.evidence?.line ?? null,
  },
  {
    name: 'evidenceState',
    type: 'text',
    unit: '',
    description:
      '`shown` to the model, `cut` from the prompt or the context window, or `missed`; null when not known.',
    value: ({ item }) => item.evidence?.state ?? null,
  },
  {
    name: 'evidenceStep',
    type: 'integer',
    unit: '',
    description:
      'The model turn in which the line was shown, or in which the attempt came closest to it; null when not known.',
    value: ({ item }) => item.evidence?.step ?? null,
  },
]

/** One row for each item of the gold in each score. */
export const items: ExportTable<Row> = {
  name: 'items',
  description: 'One row for each item of the gold (a cell, a field or an element) in each score.',
  columns,
  columnsOf: {
    pattern: 'key.NAME',
    type: 'text',
    description:
      'The value of the key column NAME in the gold row. Null for tasks without that column, and when the tasks are missing or have changed.',
    of: keyColumns,
  },
  rowsOfAttempt: itemRows,
}

function* itemRows(source: ExportedAttempt): Iterable<Row> {
  const golds = source.task === null ? [] : goldsOf(source.task)
  const placeOf = evidencePlaces(source)
  for (const score of source.scores)
    for (const item of itemsOf(score)) {
      const cell = 'goldRow' in item ? item : null
      const gold = golds[item.turn ?? 0]
      const row = cell !== null && gold?.kind === 'table' ? gold.rows[cell.goldRow] : undefined
      const key =
        row === undefined || gold?.kind !== 'table'
          ? null
          : Object.fromEntries(gold.keyColumns.map(name => [name, String(row[name] ?? '')]))
      yield {
        source,
        score,
        item,
        cell,
        other: cell === null ? (item as ScoredItem) : null,
        key,
        place: placeOf(item),
      }
    }
}

function keyColumns(runs: readonly ExportedRun[]): Column<Row>[] {
  const golds = runs.flatMap(({ tasks }) => [...tasks.values()].flatMap(goldsOf))
  const names = new Set(golds.flatMap(gold => (gold.kind === 'table' ? gold.keyColumns : [])))
  return [...names].map(name => ({
    name: `key.${name}`,
    type: 'text',
    unit: '',
    description: '',
    value: ({ key }) => key?.[name] ?? null,
  }))
}
