import { itemsOf, type Score } from '../../../core/score.ts'
import { goldIdOf, type Item, type ScoredCell, type ScoredItem } from '../../../core/scored-item.ts'
import { goldsOf } from '../../../core/task.ts'
import { type EvidencePlace, evidencePlaces } from '../evidence-places.ts'
import type { ExportedAttempt, ExportedRun } from '../exported-run.ts'
import { armColumns, joinColumns } from '../identity-columns.ts'
import { boolean, type Column, type ExportTable, integer, json, jsonText, number, text } from '../table.ts'

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
  text('scorer', 'The scorer.', ({ score }) => score.scorer),
  text('judge', 'The judge.', ({ score }) => score.judge),
  text(
    'itemId',
    'The item of the gold: for a cell its row and column, for JSON its path, for a list its index.',
    ({ item }) => goldIdOf(item),
  ),
  integer('turn', 'The question of a conversation, from 0.', ({ item }) => item.turn ?? 0),
  integer(
    'goldRow',
    'The row of the gold table, from 0; null for other gold.',
    ({ cell }) => cell?.goldRow ?? null,
  ),
  text('column', 'The target column; null for other gold.', ({ cell }) => cell?.column ?? null),
  text('path', 'The place in the JSON value; null for other gold.', ({ other }) => other?.path ?? null),
  integer('index', 'The place in a list, from 0; null for other gold.', ({ other }) => other?.index ?? null),
  json(
    'key',
    'The key columns of the gold row with their values; null for other gold, and when the tasks are missing or have changed.',
    ({ key }) => jsonText(key),
  ),
  text('gold', 'The gold as text.', ({ item }) => item.gold),
  text('answer', 'What the answer has for it; null when it has nothing.', ({ item }) => item.predicted),
  number('score', 'The credit; null when a judge failed.', ({ item }) => item.score, '0 to 1'),
  text('rule', 'The rule that decided, such as `numeric` or `unmatched-row`.', ({ item }) => item.rule),
  text(
    'class',
    'The loss class ([measures.md](measures.md)); null when not known.',
    ({ item }) => item.class,
  ),
  boolean(
    'unseen',
    'True for a right value whose evidence the attempt was never shown.',
    ({ item }) => item.unseen ?? false,
  ),
  integer(
    'answerRow',
    'The row of the answer that the gold row was compared with, from 0; null when no row matches, and when not known.',
    ({ cell }) => cell?.matched?.row ?? null,
  ),
  text('matchedBy', 'What matched the rows; null like `answerRow`.', ({ cell }) => cell?.matched?.by ?? null),
  number(
    'similarity',
    'Likeness of the keys; null unless similarity decided.',
    ({ cell }) => cell?.matched?.similarity ?? null,
    '0 to 100',
  ),
  text(
    'document',
    'The document of the task that contains the value, as its name in the task; null when not known. In runs that recorded no evidence also null when several contain it.',
    ({ place, item }) => item.evidence?.document ?? place.document,
  ),
  integer(
    'page',
    'The page of the line in `evidence`, from 1; null when not known. In runs that recorded no evidence, the page on which a tool showed the value.',
    ({ place, item }) => (item.evidence === undefined ? place.page : item.evidence.page),
  ),
  text(
    'evidence',
    'The line of the document that contains the value; null when not known.',
    ({ item }) => item.evidence?.line ?? null,
  ),
  text(
    'evidenceState',
    '`shown` to the model, `cut` from the prompt or the context window, or `missed`; null when not known.',
    ({ item }) => item.evidence?.state ?? null,
  ),
  integer(
    'evidenceStep',
    'The model turn in which the line was shown, or in which the attempt came closest to it; null when not known.',
    ({ item }) => item.evidence?.step ?? null,
  ),
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
  return [...names].map(name => text(`key.${name}`, '', ({ key }) => key?.[name] ?? null))
}
