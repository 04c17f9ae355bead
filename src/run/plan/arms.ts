import { settings } from '../../../agents/registry.ts'
import { listBenchmarkDefaults } from '../../config/benchmark-defaults.ts'
import { modelOptions } from '../../config/options/model.ts'
import { everyOption, type RunConfig } from '../../config.ts'
import type { ArmOptions } from '../../core/arm.ts'
import { isOnlineControl, type OnlineControlName, type RagControlName } from '../../core/controls.ts'
import { formatFlag } from '../../core/option-spec.ts'
import { shownFields } from '../../models/request-fields.ts'

/** The values of a setting's own options, by their names in a config file. */
export type OptionValues = Readonly<Record<string, unknown>>

/** How an attempt of the rag setting gets its chunks. */
export interface RagArm {
  readonly retriever: RunConfig['retriever'][number]
  /** Tokens of chunks in the prompt; null for all retrieved chunks. */
  readonly contextTokens: number | null
  /** The control that replaces the retrieved chunks, in as many tokens; null for no control. */
  readonly control: RagControlName | null
}

/** One combination of options for a setting, and for rag the source of the chunks. */
export interface PlannedArm {
  /** The options that differ from the defaults. */
  readonly options: ArmOptions
  readonly rag: RagArm | null
  /** The values of the setting's own options, by their names in a config file. Absent when it has none. */
  readonly values?: OptionValues
  /** The setting of a control, when it differs from that of the attempt that it needs. */
  readonly setting?: string
  readonly control?: OnlineControlName
  /** For a control: the options of the attempt that it needs. */
  readonly base?: ArmOptions
}

/** Returns every arm of a setting. */
export function listArms(config: RunConfig, setting: string): PlannedArm[] {
  const ofRequests = Object.entries(modelOptions).reduce<OptionArm>(
    (arm, [name, option]) => ('arms' in option ? withOption(arm, name, config)[0]! : arm),
    { options: {}, values: {} },
  )
  const before = {
    ...ofRequests.options,
    ...shownFields(config.requestField),
    ...findSealedFormat(config, setting),
  }
  const names = Object.keys(settings.get(setting).options ?? {})
  const arms = names.reduce(
    (partialArms, name) => partialArms.flatMap(arm => withOption(arm, name, config)),
    [{ options: before, values: {} } as OptionArm],
  )
  const controls = setting === 'online' ? arms.flatMap(arm => listOnlineControlArms(config, arm)) : []
  return [
    ...arms.map(arm => ({ ...arm, rag: setting === 'rag' ? makeRagArm(arm.values) : null })),
    ...controls,
  ]
}

/** An arm to which options are still being added. */
interface OptionArm {
  readonly options: ArmOptions
  readonly values: OptionValues
}

/** Splits an arm by the values of one more option. */
function withOption({ options, values }: OptionArm, name: string, config: RunConfig): OptionArm[] {
  const optionValue = (config as Readonly<Record<string, unknown>>)[name]
  const option = everyOption()[name]
  if (option?.appliesTo?.(values) === false) return [{ options, values }]
  const arms = option?.arms?.(optionValue) ?? [{ value: optionValue, shown: null }]
  const word = name === 'controls' ? 'control' : formatFlag(name).slice(2)
  const usual: Readonly<Record<string, unknown>> = { ...listBenchmarkDefaults(config.benchmark) }
  return arms.map(({ value, shown }) => ({
    options: shown === null || value === usual[name] ? options : { ...options, [word]: shown },
    values: { ...values, [name]: value },
  }))
}

function makeRagArm({ retriever, contextTokens, controls }: OptionValues): RagArm {
  return {
    retriever: retriever as RagArm['retriever'],
    contextTokens: contextTokens as RagArm['contextTokens'],
    control: controls as RagArm['control'],
  }
}

/** A sealed web is built from the documents, so its pages show tables in the first format. */
function findSealedFormat(config: RunConfig, setting: string): ArmOptions {
  const isSealed = settings.get(setting).source === 'web' && config.web === 'sealed'
  const [format] = config.tableFormat
  return isSealed && format !== undefined && format !== 'markdown' ? { 'table-format': format } : {}
}

/** Returns an arm for each control of an arm of the online setting, with the options of the attempt that it needs. */
function listOnlineControlArms(config: RunConfig, { options, values }: OptionArm): PlannedArm[] {
  return config.controls.filter(isOnlineControl).map(control => {
    const [cut] = withOption({ options, values: {} }, 'cut', config)
    const controlOptions = { ...cut!.options, control }
    const elsewhere = control === 'found-only' ? ({ setting: 'offline' } as const) : {}
    return { options: controlOptions, rag: null, values, control, base: options, ...elsewhere }
  })
}
