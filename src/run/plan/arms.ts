import { settings } from '../../../agents/registry.ts'
import { benchmarkDefaults } from '../../config/benchmark-defaults.ts'
import { everyOption, type RunConfig, resolveConfig } from '../../config.ts'
import { isOnlineControl, type OnlineControlName, type RagControlName } from '../../core/controls.ts'
import { flagOf } from '../../core/option-spec.ts'
import { shownFields } from '../../models/request-fields.ts'

/** The options that make arms, or variants of arms. At run time they include the options of plug-ins' settings. */
export type ArmOptions = Pick<
  RunConfig,
  | 'benchmark'
  | 'contextTokens'
  | 'controls'
  | 'cut'
  | 'embedder'
  | 'maxOutputTokens'
  | 'ragQuery'
  | 'reasoningEffort'
  | 'requestField'
  | 'retriever'
  | 'showColumns'
  | 'tableFormat'
  | 'temperature'
  | 'toolProtocol'
  | 'topP'
  | 'vectorStore'
  | 'web'
>

/** How an attempt of the rag setting gets its chunks. */
export interface RagArm {
  readonly retriever: ArmOptions['retriever'][number]
  /** Tokens of chunks in the prompt; null for all retrieved chunks. */
  readonly contextTokens: number | null
  /** The control that replaces the retrieved chunks, in as many tokens; null for no control. */
  readonly control: RagControlName | null
}

/** One combination of options for a setting: its variant as `name=value` parts, and for rag the source of the chunks. */
export interface Arm {
  readonly variant: readonly string[]
  readonly rag: RagArm | null
  /** The values of the setting's own options, by their names in a config file. Absent when it has none. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The setting of a control, when it differs from that of the attempt that it needs. */
  readonly setting?: string
  readonly control?: OnlineControlName
  /** For a control: the arm of the attempt that it needs. */
  readonly base?: { readonly variant: readonly string[] }
}

/** Returns every arm of a setting. Options that differ from the defaults make its variant. */
export function armsOf(config: ArmOptions, setting: string): Arm[] {
  const common: (keyof ArmOptions)[] = [
    'temperature',
    'topP',
    'maxOutputTokens',
    'reasoningEffort',
    'toolProtocol',
  ]
  const shown = config.showColumns ? ['show-columns=on'] : []
  const fields = shownFields(config.requestField)
  const before = [...differing(config, common), ...fields, ...shown, ...sealedFormat(config, setting)]
  const names = Object.keys(settings.get(setting).options ?? {})
  const arms = names.reduce(
    (known, name) => known.flatMap(arm => withOption(arm, name, config)),
    [{ variant: before, options: {} } as OptionArm],
  )
  const controls = setting === 'online' ? arms.flatMap(arm => onlineControlArms(config, arm)) : []
  return [...arms.map(arm => ({ ...arm, rag: setting === 'rag' ? ragArm(arm.options) : null })), ...controls]
}

/** An arm to which options are still being added. */
interface OptionArm {
  readonly variant: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

/** Splits an arm by the values of one more option. */
function withOption({ variant, options }: OptionArm, name: string, config: ArmOptions): OptionArm[] {
  const given = (config as Readonly<Record<string, unknown>>)[name]
  const option = everyOption()[name]
  if (option?.appliesTo?.(options) === false) return [{ variant, options }]
  const arms = option?.arms?.(given) ?? [{ value: given, shown: null }]
  const word = name === 'controls' ? 'control' : flagOf(name).slice(2)
  const usual: Readonly<Record<string, unknown>> = { ...benchmarkDefaults(config.benchmark) }
  return arms.map(({ value, shown }) => ({
    variant: shown === null || value === usual[name] ? variant : [...variant, `${word}=${shown}`],
    options: { ...options, [name]: value },
  }))
}

function ragArm({ retriever, contextTokens, controls }: OptionArm['options']): RagArm {
  return {
    retriever: retriever as RagArm['retriever'],
    contextTokens: contextTokens as RagArm['contextTokens'],
    control: controls as RagArm['control'],
  }
}

/** A sealed web is built from the documents, so its pages show tables in the first format. */
function sealedFormat(config: ArmOptions, setting: string): string[] {
  const isSealed = settings.get(setting).source === 'web' && config.web === 'sealed'
  const [format] = config.tableFormat
  return isSealed && format !== undefined && format !== 'markdown' ? [`table-format=${format}`] : []
}

/** Returns an arm for each control of an arm of the online setting, with the variant of the attempt that it needs. */
function onlineControlArms(config: ArmOptions, { variant, options }: OptionArm): Arm[] {
  return config.controls.filter(isOnlineControl).map(control => {
    const own = [...variant, ...differing(config, ['cut']), `control=${control}`]
    const elsewhere = control === 'found-only' ? ({ setting: 'offline' } as const) : {}
    return { variant: own, rag: null, options, control, base: { variant }, ...elsewhere }
  })
}

function differing(config: ArmOptions, options: readonly (keyof ArmOptions)[]): string[] {
  const defaults = resolveConfig({ tasks: '-', out: '-', benchmark: config.benchmark })
  return (
    options
      .filter(name => config[name] !== defaults[name])
      // Records contain no server addresses.
      .map(name => `${flagOf(name).slice(2)}=${String(config[name]).replace(/@.*$/, '')}`)
  )
}
