import { jsonLeaves } from '../core/json-leaves.ts'
import type { Score } from '../core/score.ts'
import type { Gold, JsonGold, TextGold } from '../core/task.ts'
import { type CellEvidence, evidenceOf, evidenceOfTable } from './matcher.ts'

const extractions = new WeakMap<JsonGold, readonly CellEvidence[]>()

/**
 * The evidence of all that a gold holds: of a table's cells, or of each value of a JSON document, whose `column` is then
 * its path (`.lenders.0.name`) in row 0.
 */
export function evidenceOfGold(gold: Gold, hints: readonly string[]): readonly CellEvidence[] {
  if (gold.kind === 'table') return evidenceOfTable(gold, hints)
  if (gold.kind === 'text') return evidenceOfTexts(gold)
  const known = extractions.get(gold) ?? evidenceOfLeaves(gold)
  extractions.set(gold, known)
  return known
}

function evidenceOfLeaves(gold: JsonGold): CellEvidence[] {
  return Object.entries(jsonLeaves(gold.value)).map(([path, value]) => ({
    goldRow: 0,
    column: path,
    hint: null,
    // True and false are said in too many ways to be looked for.
    alternatives: typeof value === 'boolean' ? [] : evidenceOf(value, path, {}, typeof value === 'number'),
  }))
}

function evidenceOfTexts({ items, references }: TextGold): CellEvidence[] {
  return (items ?? references.slice(0, 1)).map((text, goldRow) => ({
    goldRow,
    column: '',
    hint: null,
    alternatives: evidenceOf(text, '', {}, false),
  }))
}

/** The evidence of what an answer got right, by its score. */
export function correctEvidence(evidence: readonly CellEvidence[], score: Score): CellEvidence[] {
  if (score.extract !== undefined) return correctLeaves(evidence, score.extract.nodes)
  const correct = new Set(
    score.cells.filter(cell => cell.score === 1).map(cell => JSON.stringify([cell.goldRow, cell.column])),
  )
  return evidence.filter(cell => correct.has(JSON.stringify([cell.goldRow, cell.column])))
}

/** A node with the full score answers for every value at its place and below. */
function correctLeaves(
  evidence: readonly CellEvidence[],
  nodes: NonNullable<Score['extract']>['nodes'],
): CellEvidence[] {
  const correct = nodes
    .filter(node => node.score === 1 && node.presence === 'both_present')
    .map(node => node.path.slice(1).replaceAll('.properties.', '.'))
  return evidence.filter(({ column }) =>
    correct.some(place => column === place || column.startsWith(`${place}.`)),
  )
}
