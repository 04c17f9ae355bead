import { type Arm, optionText, withoutOptions } from '../../core/arm.ts'
import { nameModels, withModel } from '../model/arm-names.ts'
import { findSharedOptions, shortenArmName } from '../model/arms.ts'
import type { ReportArm } from '../model/report.ts'
import type { Series } from './figure.ts'

/** Returns the series of a report's arms. */
export interface ArmSeries {
  /** The series of the arm of a row. */
  of(row: Arm): Series
  /** The series of a row without the given options, which a figure shows in another way. */
  without(row: Arm, options: readonly string[]): Series
  /** The name of the arm of a row without its model, for tables that have a column for models. */
  settingNameOf(row: Arm): string
  /** The retriever of a row: `bm25`. Null when unknown. */
  retrieverOf(row: Arm): string | null
}

/** Names the arms of a report for its figures, and says how they look: by setting, control and model. */
export function makeArmSeries(arms: readonly ReportArm[]): ArmSeries {
  const models = nameModels(arms)
  const modelOrder = [...new Set(arms.map(({ model }) => model))]
  const shared = findSharedOptions(arms)
  const byKey = new Map(arms.map((arm): [string, ReportArm] => [formatSeriesKey(arm), arm]))
  const armOf = (row: Arm): ReportArm | undefined => byKey.get(formatSeriesKey(row))
  const lookOf = ({ setting, model, options }: Arm, name: string): Series => ({
    name,
    setting,
    control: options.control ?? null,
    model: Math.max(0, modelOrder.indexOf(model)),
  })
  const without = (row: Arm, hidden: readonly string[]): Series => {
    const arm = { setting: row.setting, options: withoutOptions(row.options, hidden) }
    return lookOf(row, withModel(shortenArmName(arm, shared), row.model, models))
  }
  return {
    of: row => lookOf(row, armOf(row)?.name ?? without(row, []).name),
    without,
    settingNameOf: row => {
      const model = withModel('', row.model, models)
      const name = armOf(row)?.name ?? without(row, []).name
      return model !== '' && name.endsWith(model) ? name.slice(0, -model.length) : name
    },
    retrieverOf: row => armOf(row)?.retriever ?? row.options.retriever ?? null,
  }
}

function formatSeriesKey({ setting, model, options }: Arm): string {
  return JSON.stringify([setting, model, Object.entries(options).map(optionText).sort()])
}

/** Returns each series once, in order. */
export function removeEqualSeries(series: readonly Series[]): Series[] {
  return [...new Map(series.map(arm => [arm.name, arm])).values()]
}
