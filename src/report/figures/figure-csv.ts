import { writeCsvText } from '../tables/table-formats.ts'
import type { Bar, Figure, LinePoint } from './figure.ts'

/** Formats the data of a figure as CSV with a header line. */
export function writeFigureCsv(figure: Figure): string {
  switch (figure.kind) {
    case 'bars':
      return writeCsvText(
        ['domain', 'series', 'value', 'low', 'high', ...limitColumns(figure.bars)],
        figure.bars.map(bar => [
          ...[bar.panel, bar.label, bar.value, bar.low, bar.high],
          ...limitColumns(figure.bars).map(name => bar[name] ?? null),
        ]),
      )
    case 'stacks':
      return writeCsvText(
        ['series', 'part', 'share'],
        figure.segments.map(segment => [segment.label, segment.part, segment.value]),
      )
    case 'heat':
      return writeCsvText(
        ['metric', 'correlation', 'value'],
        figure.cells.map(cell => [cell.row, cell.column, cell.value]),
      )
    case 'loss-parts':
      return writeCsvText(
        ['series', 'part', 'value', 'low', 'high'],
        figure.parts.map(({ label, part, value, low, high }) => [label, part, value, low, high]),
      )
    case 'radar':
      return writeCsvText(
        ['series', 'axis', 'value', 'low', 'high', 'n'],
        figure.marks.map(({ label, axis, value, low, high, n }) => [label, axis, value, low, high, n]),
      )
    case 'lines':
      return writeCsvText(
        ['domain', 'series', figure.x, figure.y, ...sampleColumns(figure.points)],
        figure.points.map(point => [
          ...[point.panel, point.line, point.x, point.y],
          ...sampleColumns(figure.points).map(name => point.sample?.[name] ?? null),
        ]),
      )
    default:
      return figure satisfies never
  }
}

/** Returns the columns of what the points were computed from, if they have it. */
function sampleColumns(points: readonly LinePoint[]) {
  const names = ['low', 'high', 'from', 'to', 'n', 'unscored', 'components'] as const
  return points.some(({ sample }) => sample !== undefined) ? names : []
}

function limitColumns(bars: readonly Bar[]): ('floor' | 'ceiling')[] {
  return (['floor', 'ceiling'] as const).filter(name => bars.some(bar => bar[name] !== undefined))
}
