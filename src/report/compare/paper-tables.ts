import { settingLabel } from '../model/arm-names.ts'
import { isOfflineOf } from '../model/degradation.ts'
import { type Entry, groupBy, isScored } from '../model/entries.ts'
import { reportGroups } from '../model/groups.ts'
import { type AnswerKind, answerKindOf, columnMetrics, primaryOf } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report.ts'
import { scoringOf } from '../model/scorings.ts'
import { domainName } from '../tables/report-table.ts'
import { type Change, changesFrom, keyOf, type MetricName } from './paper-changes.ts'

/** One number of a paper table: percent (the LLM score 0 to 100), its interval, what it is over. */
export interface PaperCell {
  readonly domain: string
  readonly metric: MetricName
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  readonly valueUnscoredAsZero: number | null
  readonly n: number
  readonly unscored: number
  /** Against the row that it is compared with, over the tasks scored in both; '' for none or too small a change. */
  readonly arrow: '' | '↑' | '↓'
}

export interface PaperRow {
  readonly model: string
  readonly label: string
  readonly n: number
  readonly unscored: number
  readonly cells: readonly PaperCell[]
}

export interface PaperTable {
  /** table3, table6, table7, table8, table9; with a number more where profiles or judges differ. */
  readonly id: string
  readonly title: string
  readonly profile: string
  readonly judge: string
  readonly rows: readonly PaperRow[]
  readonly remark: string
}

/** Table 6 marks changes of more than two points. */
const ragThreshold = 2

// Means of the same numbers in another order may differ by so little.
const noChange = 1e-9

function cellOf(group: ReportGroup, metric: MetricName, change: number, threshold: number): PaperCell {
  const { value, low, high, zero } = valuesOf(group, metric)
  return {
    domain: group.domain,
    metric,
    value,
    low,
    high,
    valueUnscoredAsZero: zero,
    n: group.n,
    unscored: group.unscored,
    arrow: Math.abs(change) > threshold + noChange ? (change > 0 ? '↑' : '↓') : '',
  }
}

function valuesOf(group: ReportGroup, metric: MetricName) {
  if (metric === 'LLM score') return { value: group.overall, low: null, high: null, zero: null }
  const { mean, low, high, meanUnscoredAsZero } = group[keyOf(metric)]
  const scaled = (share: number | null): number | null => (share === null ? null : 100 * share)
  return { value: scaled(mean), low: scaled(low), high: scaled(high), zero: scaled(meanUnscoredAsZero) }
}

/** The groups of one setting, model and variant, by domain. */
interface Family {
  readonly setting: string
  readonly variant: string
  readonly model: string
  readonly groups: readonly ReportGroup[]
}

function familiesOf(groups: readonly ReportGroup[]): Family[] {
  const families = new Map<string, ReportGroup[]>()
  for (const group of groups) {
    if (group.domain === 'all') continue
    const key = JSON.stringify([group.setting, group.variant, group.model])
    families.set(key, [...(families.get(key) ?? []), group])
  }
  return [...families.values()].map(own => {
    const { setting, variant, model } = own[0]!
    return { setting, variant, model, groups: own }
  })
}

function rowOf(
  label: string,
  family: Family,
  metrics: readonly MetricName[],
  change: Change = () => 0,
  threshold = 0,
): PaperRow {
  const whole = family.groups.find(group => group.domain === 'allByDomain')
  return {
    model: family.model,
    label,
    n: whole?.n ?? 0,
    unscored: whole?.unscored ?? 0,
    cells: family.groups.flatMap(group =>
      metrics.map(metric => cellOf(group, metric, change(group.domain, metric), threshold)),
    ),
  }
}

const kindOf = ({ groups }: Family): AnswerKind => answerKindOf(groups[0]?.profile ?? 'none') ?? 'table'

/** Whether there is an answer, and the score that its kind is about. */
function headMetrics(kind: AnswerKind): MetricName[] {
  const shown = columnMetrics(kind).filter(({ role, primary }) => role === 'answered' || primary)
  return shown.map(metric => metric.label)
}

function metricsFor(family: Family): MetricName[] {
  const kind = kindOf(family)
  return kind === 'table' ? ['LLM score', ...headMetrics(kind)] : headMetrics(kind)
}

/** Extractions have no rows and cells. */
function hasTables(family: Family): boolean {
  return kindOf(family) === 'table'
}

const tablePrimary: readonly MetricName[] = [primaryOf('table').label]
const tableScores: readonly MetricName[] = columnMetrics('table')
  .filter(metric => metric.role === 'score')
  .map(metric => metric.label)

function isOnline(family: Family): boolean {
  return family.setting.startsWith('online')
}

function table3(families: readonly Family[]): PaperRow[] {
  return families.map(family => rowOf(settingLabel(family), family, metricsFor(family)))
}

/** Each model and its options offline, then with retrieval: arrows where a number changed by more than two points. */
function table6(families: readonly Family[], entries: readonly Entry[]): PaperRow[] {
  return families
    .filter(family => family.setting === 'offline')
    .flatMap(base => {
      const retrieved = families.filter(
        family =>
          family.setting === 'rag' &&
          family.model === base.model &&
          isOfflineOf(base.variant, family.variant),
      )
      if (retrieved.length === 0) return []
      const label = base.variant === '' ? base.model : `${base.model} [${base.variant}]`
      return [
        rowOf(label, base, metricsFor(base)),
        ...retrieved.map(family =>
          rowOf(
            `+ ${settingLabel(family)}`,
            family,
            metricsFor(family),
            changesFrom(family, base, entries),
            ragThreshold,
          ),
        ),
      ]
    })
}

function table7(families: readonly Family[]): PaperRow[] {
  return families
    .filter(family => hasTables(family) && (family.setting === 'offline' || isOnline(family)))
    .map(family => rowOf(settingLabel(family), family, tableScores))
}

/** Chain of thought off, then on: an arrow for every change. */
function table8(families: readonly Family[], entries: readonly Entry[]): PaperRow[] {
  return families
    .filter(family => /(?:^|,)cot=off(?:,|$)/.test(family.variant))
    .flatMap(off => {
      const variant = off.variant
        .split(',')
        .filter(part => part !== 'cot=off')
        .join(',')
      const on = families.find(
        family => family.setting === off.setting && family.model === off.model && family.variant === variant,
      )
      if (on === undefined) return []
      return [
        rowOf(settingLabel(off), off, metricsFor(off)),
        rowOf(`${settingLabel(on)} with chain of thought`, on, metricsFor(on), changesFrom(on, off, entries)),
      ]
    })
}

/** The agents' scores over all attempts, and over those alone that gave a table. */
function table9(families: readonly Family[], entries: readonly Entry[]): PaperRow[] {
  const passed = familiesOf(reportGroups(entries.filter(entry => isScored(entry) && entry.score.passed)))
  return families
    .filter(family => isOnline(family) && hasTables(family))
    .flatMap(family => {
      const filtered = passed.find(
        other =>
          other.setting === family.setting &&
          other.model === family.model &&
          other.variant === family.variant,
      )
      return [
        rowOf(`${settingLabel(family)}, all`, family, tablePrimary),
        ...(filtered === undefined
          ? []
          : [rowOf(`${settingLabel(family)}, passed only`, filtered, tablePrimary)]),
      ]
    })
}

/** Where the rows are of one model, their title names it. */
function onlyModel(rows: readonly PaperRow[]): string[] {
  const models = [...new Set(rows.map(row => row.model))]
  return models.length === 1 ? models.map(model => `model ${model}`) : []
}

/** Every setting by task type; none where the types are the domains. */
function taskTypes(families: readonly Family[], types: readonly ReportGroup[]): PaperRow[] {
  const domains = (groups: readonly ReportGroup[]): number => new Set(groups.map(group => group.domain)).size
  // The families lack `all`.
  if (domains(types) <= domains(families.flatMap(family => family.groups)) + 1) return []
  return familiesOf(types).map(family =>
    rowOf(settingLabel(family), family, hasTables(family) ? tableScores : headMetrics('json')),
  )
}

/**
 * The paper's tables 3, 6, 7, 8 and 9 for each profile and judge, and Table 3 by task type; one without rows is left out.
 * `types` are the groups with task types in the domains' place.
 */
export function paperTables(
  entries: readonly Entry[],
  groups: readonly ReportGroup[],
  types: readonly ReportGroup[],
): PaperTable[] {
  const scored = groups.filter(group => group.scored > 0)
  const scorings = [...groupBy(scored, group => JSON.stringify([group.profile, group.judge])).values()]
  return scorings.flatMap((of, at) => {
    const { profile, judge } = of[0]!
    const isOwn = (key: { profile: string; judge: string }) => key.profile === profile && key.judge === judge
    const families = familiesOf(groups.filter(isOwn))
    const own = entries.filter(({ key }) => isOwn(key))
    const made: readonly (readonly [string, string, PaperRow[], string])[] = [
      ['table3', 'Settings by domain (Table 3)', table3(families), ''],
      [
        'table6',
        'Offline against RAG (Table 6)',
        table6(families, own),
        'Arrows: a change of more than 2 points against offline, over the tasks scored in both.',
      ],
      ['table7', 'Row F1 beside cell F1 (Table 7)', table7(families), ''],
      [
        'table8',
        'Chain of thought off and on (Table 8)',
        table8(families, own),
        'Arrows: any change against off, over the tasks scored in both.',
      ],
      ['table9', 'All attempts against passed only (Table 9)', table9(families, own), ''],
      ['task-types', 'Settings by task type', taskTypes(families, types.filter(isOwn)), ''],
    ]
    return made
      .filter(([, , rows]) => rows.length > 0)
      .map(([id, title, rows, remark]) => ({
        id: at === 0 ? id : `${id}-${at + 1}`,
        title: [title, scoringOf({ profile, judge }), ...onlyModel(rows)].join(', '),
        profile,
        judge,
        rows,
        remark,
      }))
  })
}

/** The domains of a table, in reading order; the mean of the domains last. */
export function paperDomains(table: PaperTable): string[] {
  const domains = new Set(table.rows.flatMap(row => row.cells.map(cell => cell.domain)))
  return [...domains].sort(
    (a, b) => Number(a === 'allByDomain') - Number(b === 'allByDomain') || (a < b ? -1 : 1),
  )
}

export function paperDomainName(domain: string): string {
  return domain === 'allByDomain' ? 'mean' : domainName(domain)
}
