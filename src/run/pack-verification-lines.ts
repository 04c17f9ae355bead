import { makeTable } from '../core/table.ts'
import { renderTables } from '../report/tables/terminal.ts'
import { countText, formatMetric } from '../report/tables/value-text.ts'
import { listFindingLines } from './records/verify-run.ts'
import type { CheckedFigure, PackVerification, Repetition, VerifiedRun } from './verify-pack.ts'

const shownIds = 5

/** Returns what `verify` prints of a pack. */
export function packVerificationLines(
  file: string,
  verification: PackVerification,
  { columns, isFull }: { readonly columns: number; readonly isFull: boolean },
): string[] {
  const { identity, files, bytes, damages, runs, limits, isEqual } = verification
  return [
    `${file}: ${countText(files, 'file')}, ${(bytes / 1e6).toFixed(1)} MB unpacked; ${countText(damages.length, 'damaged file')}`,
    `identity: sha256:${identity}`,
    ...damages.map(({ name, problem }) => `  ${name}: ${problem}`),
    ...limits.map(limit => `not checked: ${limit}`),
    ...runs.flatMap(run => runLines(run, { columns, isFull })),
    isEqual
      ? 'Everything that was checked is equal.'
      : damages.length > 0
        ? 'The pack is damaged, so scores and figures were not checked. Get it again.'
        : 'Not everything is equal: see above.',
  ]
}

function runLines(
  { run, records, scores, figures, replay }: VerifiedRun,
  { columns, isFull }: { readonly columns: number; readonly isFull: boolean },
): string[] {
  const shown = figures.filter(figure => isFull || !figure.isEqual || figure.isHeadline)
  const different = figures.filter(figure => !figure.isEqual).length
  const hidden = figures.length - shown.length
  return [
    '',
    ...listFindingLines(run, records),
    ...listRepetitionLines('scored again', scores),
    ...(replay === null ? [] : listRepetitionLines('attempts made again', replay)),
    `figures: ${figures.length - different} equal, ${different} different${hidden === 0 ? '' : `; ${hidden} equal ones are not shown (--full)`}`,
    ...(shown.length === 0 ? [] : [writeFigureTable(shown, columns).trimEnd(), '']),
  ]
}

function listRepetitionLines(what: string, { equal, different, notDone }: Repetition): string[] {
  const more = different.length > shownIds ? [`  and ${different.length - shownIds} more`] : []
  return [
    `${what}: ${equal} equal, ${different.length} different`,
    ...different.slice(0, shownIds).map(id => `  different: ${id}`),
    ...more,
    ...notDone.map(text => `not checked: ${text}`),
  ]
}

function writeFigureTable(figures: readonly CheckedFigure[], columns: number): string {
  const table = makeTable({
    title: 'Figures of the pack, and what came out now',
    rows: figures,
    columns: column => [
      column('arm', 'text', ({ arm }) => arm),
      column('scoring', 'text', ({ scoring }) => scoring),
      column('figure', 'text', ({ figure }) => figure),
      column('pack', 'number-text', ({ unit, value }) => formatFigure(unit, value)),
      column('now', 'number-text', ({ unit, now }) => formatFigure(unit, now)),
      column('result', 'text', ({ isEqual }) => (isEqual ? 'equal' : 'DIFFERENT')),
      column('from', 'text', ({ checkedFrom }) => (checkedFrom === 'scored' ? 'answers' : 'records')),
    ],
    remarks: [
      'from: answers were scored again, or the figure was added up from the records of the pack, which nothing else confirms.',
    ],
  })
  return renderTables([table], { columns })
}

/** Shares in percent as in reports; other numbers with four digits, whose units the figures name. */
function formatFigure(unit: CheckedFigure['unit'], value: number | null): string | null {
  if (value === null) return null
  return unit === 'points' ? String(Number(value.toPrecision(4))) : formatMetric({ unit }, value)
}
