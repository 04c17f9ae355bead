/** The options of an arm that differ from the defaults, by flag without `--`, in the order in which names show them: `{ cot: 'off' }`. */
export type ArmOptions = Readonly<Record<string, string>>

/** An experimental condition: one setting, one model, and the options that differ from the defaults. */
export interface Arm {
  readonly setting: string
  readonly model: string
  readonly options: ArmOptions
}

/** The value of the option `fork` of the arm without a change, which is the control of the others. */
export const unchangedFork = 'none'

/** Writes an option in full: `cot=off`. */
export function optionText([name, value]: readonly [string, string]): string {
  return `${name}=${value}`
}

/** Writes options for people: `cot=off,retriever=hybrid`; '' for the defaults. */
export function optionsText(options: ArmOptions): string {
  return Object.entries(options).map(optionText).join(',')
}

/** Names an arm without its model: `rag [retriever=hybrid]`. */
export function settingLabel({ setting, options }: Omit<Arm, 'model'>): string {
  const text = optionsText(options)
  return text === '' ? setting : `${setting} [${text}]`
}

/** Names an arm with its model, for messages: `rag [retriever=hybrid] · openai:gpt-4o`. */
export function armName(arm: Arm): string {
  return `${settingLabel(arm)} · ${arm.model}`
}

/** Returns options without those of these names. */
export function withoutOptions(options: ArmOptions, names: readonly string[]): ArmOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))
}

/** Returns the names of the options in which two arms differ. */
export function differingOptions(a: ArmOptions, b: ArmOptions): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(name => a[name] !== b[name])
}

/** Whether options are the same, in any order. */
export function areSameOptions(a: ArmOptions, b: ArmOptions): boolean {
  return differingOptions(a, b).length === 0
}

/** Whether two arms have the same setting, model and options. */
export function isSameArm(a: Arm, b: Arm): boolean {
  return a.setting === b.setting && a.model === b.model && areSameOptions(a.options, b.options)
}

/** Returns a text that only the same arm has, for maps. */
export function armKey({ setting, model, options }: Arm): string {
  return JSON.stringify([setting, model, optionsText(options)])
}

/** Whether an arm has these values of these options. */
export function hasOptions(arm: { readonly options: ArmOptions }, options: ArmOptions): boolean {
  return Object.entries(options).every(([name, value]) => arm.options[name] === value)
}
