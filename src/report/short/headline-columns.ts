import type { DifferenceRow, Measure, ReportGroup } from '../model/report.ts'
import { percent, withInterval } from '../tables/numbers.ts'

/** A column of the short summary's table; a head of two lines has a line break. */
export interface HeadlineColumn {
  readonly head: string
  /** Where the names of the arms need the room. */
  readonly narrowHead?: string
  cell(group: ReportGroup): string
}

/** The metric that a scoring is about. */
export interface Headline {
  readonly metric: DifferenceRow['metric']
  readonly name: string
  /** The metric of an arm. */
  measureOf(group: ReportGroup): Measure
  readonly columns: readonly HeadlineColumn[]
}

const scored: HeadlineColumn = { head: 'scored\nof n', cell: group => `${group.scored}/${group.n}` }
const found: HeadlineColumn = {
  head: 'documents\nfound',
  narrowHead: 'docs\nfound',
  cell: group => percent(group.discoveryRecall),
}

const ofTables: Headline = {
  metric: 'cellF1',
  name: 'Cell F1',
  measureOf: group => group.cellF1,
  columns: [
    scored,
    { head: 'answered', cell: group => percent(group.passRate.mean) },
    { head: 'Cell F1 [95%]', cell: group => withInterval(group.cellF1) },
    { head: 'Row F1', narrowHead: 'Row\nF1', cell: group => percent(group.rowF1.mean) },
    {
      head: 'schema\nprecision',
      narrowHead: 'schema\nprec.',
      cell: group => percent(group.schemaPrecision),
    },
    found,
  ],
}

const ofExtractions: Headline = {
  metric: 'fieldPassRate',
  name: 'fields passed',
  measureOf: group => group.fieldPassRate,
  columns: [
    scored,
    { head: 'valid\nJSON', cell: group => percent(group.passRate.mean) },
    { head: 'fields passed [95%]', cell: group => withInterval(group.fieldPassRate) },
    found,
  ],
}

/** The headline metric and columns of a scoring, by its profile. */
export function headlineOf(profile: string): Headline {
  return profile === 'extract-bench' ? ofExtractions : ofTables
}
