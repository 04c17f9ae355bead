import { type Arm, optionText } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import { joinToOneLine as onOneLine, withoutControlCharacters } from '../../text/plain-text.ts'
import { type ModelNaming, nameModels } from '../model/arm-names.ts'
import { shortenOption } from '../model/arms.ts'
import { displayWidth, fitMiddle } from './display-width.ts'

/** Names the arms of a run by what differs between them, and lists what they share. */
export interface ArmNaming {
  /** Returns names of at most this many columns, such as `gpt-4o rag cot=off`. No two arms have the same name. */
  fit(columns: number): (arm: Arm) => string
  /** The options that all arms of a setting share: `cot=off`, or `rag with retriever=hybrid` if not in all settings. */
  readonly shared: readonly string[]
  readonly models: ModelNaming
}

/** Names arms by model, setting and options, leaving out what is the same for all of them. */
export function makeArmNaming(arms: readonly Arm[]): ArmNaming {
  const models = nameModels(arms)
  const severalSettings = new Set(arms.map(arm => arm.setting)).size > 1
  const shared = findSharedOptions(arms)
  const partsOf = (arm: Arm, isShort = false): string[] => {
    const distinctOptions = Object.entries(arm.options).filter(
      option => shared.get(arm.setting)?.has(optionText(option)) !== true,
    )
    const model = models.several ? models.of(arm.model) : ''
    // An arm without model and options is named by its setting.
    const setting = severalSettings || (model === '' && distinctOptions.length === 0) ? arm.setting : ''
    const options = isShort
      ? distinctOptions.map(shortenOption).join(' ')
      : distinctOptions.map(optionText).join(',')
    return [model, setting, options].map(joinLine)
  }
  const [long, short] = [arms.map(arm => partsOf(arm)), arms.map(arm => partsOf(arm, true))]
  return {
    fit: columns => {
      const names = fitNamedParts(long, short, columns)
      return arm => names.get(partsOf(arm).join('\n')) ?? arm.setting
    },
    shared: listSharedTexts(shared),
    models,
  }
}

/** Replaces control characters before names are measured, because they have no width until printed as spaces. */
const joinLine = (text: string): string => onOneLine(withoutControlCharacters(text))

/** Fits names like `fitParts`. Names that are too wide have short options before anything is cut. */
function fitNamedParts(
  long: readonly (readonly string[])[],
  short: readonly (readonly string[])[],
  columns: number,
): Map<string, string> {
  const keyOf = (parts: readonly string[]): string => parts.join('\n')
  const isTooWide = long.some(parts => displayWidth(parts.filter(Boolean).join(' ')) > columns)
  if (!isTooWide || new Set(short.map(keyOf)).size < new Set(long.map(keyOf)).size)
    return fitParts(long, columns)
  const fitted = fitParts(short, columns)
  return new Map(long.map((parts, at) => [keyOf(parts), fitted.get(keyOf(short[at]!)) ?? '']))
}

const minPartColumns = 4

/**
 * Cuts names of several parts to at most this many columns, the widest part first.
 *
 * @returns the cut names, by their parts joined with line breaks
 */
function fitParts(names: readonly (readonly string[])[], columns: number): Map<string, string> {
  const places = Array.from({ length: Math.max(0, ...names.map(parts => parts.length)) }, (_, at) => at)
  const wholeWidths = names.map(parts => parts.map(displayWidth))
  const widths = places.map(at => Math.max(0, ...wholeWidths.map(partWidths => partWidths[at] ?? 0)))
  const cutWidth = (partWidths: readonly number[]): number =>
    partWidths.reduce((sum, width, at) => sum + (width === 0 ? 0 : 1 + Math.min(width, widths[at] ?? 0)), -1)
  while (Math.max(0, ...wholeWidths.map(cutWidth)) > columns) {
    const widest = widths.indexOf(Math.max(...widths))
    if ((widths[widest] ?? 0) <= minPartColumns) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  const fitted = places.map(at =>
    fitNames(
      names.map(parts => parts[at] ?? ''),
      widths[at] ?? 0,
    ),
  )
  const whole = names.map(parts =>
    parts
      .map((part, at) => fitted[at]?.get(part) ?? part)
      .filter(part => part !== '')
      .join(' '),
  )
  const cut = fitNames(whole, columns)
  return new Map(names.map((parts, at) => [parts.join('\n'), cut.get(whole[at] ?? '') ?? '']))
}

function listOptionTexts(arm: Arm): string[] {
  return Object.entries(arm.options).map(optionText)
}

/** Returns the options that all arms of a setting share, by setting. */
function findSharedOptions(arms: readonly Arm[]): Map<string, Set<string>> {
  const bySetting = groupBy(arms, arm => arm.setting)
  return new Map(
    [...bySetting].map(([setting, settingArms]) => {
      const [first = [], ...otherOptions] = settingArms.map(listOptionTexts)
      return [
        setting,
        new Set(first.filter(option => otherOptions.every(options => options.includes(option)))),
      ]
    }),
  )
}

function listSharedTexts(shared: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const options = new Set([...shared.values()].flatMap(settingOptions => [...settingOptions]))
  return [...options].map(option => {
    const settings = [...shared].flatMap(([setting, settingOptions]) =>
      settingOptions.has(option) ? [setting] : [],
    )
    return settings.length === shared.size ? option : `${settings.join(' and ')} with ${option}`
  })
}

/**
 * Cuts names to at most this many columns, with `…` in the middle. Different names stay different: the cut moves to a
 * place where they are the same.
 *
 * @returns the cut name for each name
 */
export function fitNames(names: readonly string[], columns: number): Map<string, string> {
  const distinct = [...new Set(names)]
  const fitted = new Map(distinct.map(name => [name, fitMiddle(name, columns)]))
  for (const alike of groupBy(distinct, name => fitted.get(name)!).values())
    if (alike.length > 1) for (const [name, cut] of cutApart(alike, columns)) fitted.set(name, cut)
  return numberNames(fitted, columns)
}

/** Cuts names elsewhere when a cut in the middle would make them the same. */
function cutApart(names: readonly string[], columns: number): [string, string][] {
  const middle = Math.ceil((columns - 1) / 2)
  const starts = Array.from({ length: columns - 1 }, (_, at) => at + 1).sort(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  )
  const attempts = starts.map(start => names.map(name => fitMiddle(name, columns, start)))
  // Another way to cut: start at the first character that differs.
  const from = Math.max(0, countCommonStart(names) - 1)
  attempts.push(names.map(name => fitMiddle(`…${[...name].slice(from).join('')}`, columns)))
  const most = Math.max(...attempts.map(cuts => new Set(cuts).size))
  const best = attempts.find(cuts => new Set(cuts).size === most) ?? []
  return names.map((name, at) => [name, best[at] ?? name])
}

/** Returns how many characters the names share at their start. */
function countCommonStart(names: readonly string[]): number {
  const [first = [], ...otherNames] = names.map(name => [...name])
  const end = first.findIndex((character, at) => otherNames.some(otherName => otherName[at] !== character))
  return end === -1 ? first.length : end
}

/** Adds numbers to names that are still the same. */
function numberNames(fitted: ReadonlyMap<string, string>, columns: number): Map<string, string> {
  const usedNames = new Set<string>()
  return new Map(
    [...fitted].map(([name, cut]) => {
      let uniqueName = cut
      for (let number = 2; usedNames.has(uniqueName); number++)
        uniqueName = `${fitMiddle(cut, columns - displayWidth(`~${number}`))}~${number}`
      usedNames.add(uniqueName)
      return [name, uniqueName]
    }),
  )
}
