import { type GoldProblem, rowsText } from '../../src/core/answer-kind.ts'
import type { Gold, GoldValue, TableGold, TextGold } from '../../src/core/gold.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { nearestName } from '../../src/core/nearest-name.ts'
import { collectColumnNames } from '../../src/score/table/gold-table.ts'
import { makeError, makeWarning } from './problem.ts'

/** Checks a gold independently of its scorer. Returns all problems. */
export function validateGold(gold: Gold): GoldProblem[] {
  switch (gold.kind) {
    case 'table':
      return validateTable(gold)
    case 'text':
      return validateText(gold)
    case 'json':
      return []
  }
}

function validateTable(gold: TableGold): GoldProblem[] {
  if (gold.rows.length === 0) return [makeError('empty-gold', 'the gold table has no rows. Add one.')]
  return [
    ...findOverlappingColumns(gold),
    ...findUnknownColumns(gold),
    ...findEmptyCells(gold),
    ...findRepeatedKeys(gold),
  ]
}

function validateText({ references, items }: TextGold): GoldProblem[] {
  if (references.every(isBlank))
    return [makeError('empty-gold', 'the gold has no text. Add at least one reference that is not empty.')]
  const empty = references.flatMap((text, at) => (isBlank(text) ? [at + 1] : []))
  const problems = empty.map(at =>
    makeError('empty-gold', `reference ${at} is empty. Write it or remove it.`),
  )
  if (items === undefined) return problems
  if (items.length === 0) problems.push(makeError('empty-gold', 'the gold list has no items. Add one.'))
  const blank = items.flatMap((text, at) => (isBlank(text) ? [at + 1] : []))
  return [
    ...problems,
    ...blank.map(at => makeError('empty-gold', `item ${at} of the list is empty. Write it or remove it.`)),
  ]
}

const isBlank = (text: string): boolean => text.trim() === ''

function findOverlappingColumns({ keyColumns, targetColumns, numericColumns }: TableGold): GoldProblem[] {
  const overlap = keyColumns.filter(column => targetColumns.includes(column))
  const stray = numericColumns.filter(column => !targetColumns.includes(column))
  return [
    ...overlap.map(column =>
      makeError(
        'key-and-target',
        `column '${column}' is both a key and a target. Remove it from one of the lists.`,
      ),
    ),
    ...stray.map(column => {
      const fix = keyColumns.includes(column)
        ? 'It is a key column, and keys are compared as text: remove it from the numeric columns.'
        : `${suggestName(column, targetColumns)}Add it to the target columns, or remove it from the numeric columns.`
      return makeError('numeric-not-target', `numeric column '${column}' is not a target column. ${fix}`)
    }),
  ]
}

/**
 * Finds columns that no gold row has. Scoring needs every key and at least one target; other missing targets are not
 * scored.
 */
function findUnknownColumns({ keyColumns, targetColumns, rows }: TableGold): GoldProblem[] {
  const names = collectColumnNames(rows)
  const unused = [...names].filter(name => !keyColumns.includes(name) && !targetColumns.includes(name))
  const absent = (column: string): boolean => !names.has(column)
  const problems: GoldProblem[] = []
  if (keyColumns.length === 0)
    problems.push(
      makeError('unknown-column', 'no key column is named. Name at least one column that identifies a row.'),
    )
  for (const column of keyColumns.filter(absent))
    problems.push(
      makeError(
        'unknown-column',
        `key column '${column}' is in no gold row. ${suggestName(column, unused)}Fix the name or remove it from the key columns.`,
      ),
    )
  const isHopeless = targetColumns.every(absent)
  if (targetColumns.length === 0)
    problems.push(
      makeError('unknown-column', 'no target column is named. Name at least one column to compare.'),
    )
  for (const column of targetColumns.filter(absent))
    problems.push({
      severity: isHopeless ? 'error' : 'warning',
      code: 'unknown-column',
      message: `target column '${column}' is in no gold row, so it is not scored. ${suggestName(column, unused)}Fix the name or remove it from the target columns.`,
    })
  return problems
}

function findEmptyCells({ keyColumns, targetColumns, rows }: TableGold): GoldProblem[] {
  const names = collectColumnNames(rows)
  return [...keyColumns, ...targetColumns].flatMap(column => {
    const empty = rows.flatMap((row, at) => (isEmpty(row[column]) ? [at + 1] : []))
    if (empty.length === 0 || !names.has(column)) return []
    const fix = keyColumns.includes(column)
      ? 'Fill it: a row is found by its key.'
      : 'Fill it, or keep it if the documents do not give the value: an empty answer is then right.'
    return [makeWarning('empty-gold', `column '${column}' is empty in ${rowsText(empty)}. ${fix}`)]
  })
}

function findRepeatedKeys({ keyColumns, rows, scoring }: TableGold): GoldProblem[] {
  const names = collectColumnNames(rows)
  // A key with a missing column is already reported as such. A scorer with its own data has its own rule for repeated keys.
  if (scoring !== undefined || keyColumns.length === 0 || keyColumns.some(column => !names.has(column)))
    return []
  const keys = rows.map(row => JSON.stringify(keyColumns.map(column => writeText(row[column]))))
  return [...groupBy(keys.keys(), at => keys[at]!)].flatMap(([key, places]) => {
    if (places.length < 2) return []
    const keyList = (JSON.parse(key) as string[]).map(text => `'${text}'`).join(', ')
    return [
      makeWarning(
        'duplicate-gold-key',
        `${rowsText(places.map(at => at + 1))} have the same key (${keyList}), so an answer can match only the first under scorer aoe. Add a key column that separates them.`,
      ),
    ]
  })
}

const writeText = (value: GoldValue | undefined): string => String(value ?? '').trim()
const isEmpty = (value: GoldValue | undefined): boolean => writeText(value) === ''

function suggestName(column: string, names: readonly string[]): string {
  const nearest = nearestName(column, names)
  return nearest === null ? '' : `Did you mean '${nearest}'? `
}
