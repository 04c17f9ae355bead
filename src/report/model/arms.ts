import { type Arm, armKey, armName, optionsText, optionText, settingLabel } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { ConfigError } from '../../core/errors.ts'
import { groupBy } from '../../core/group-by.ts'
import { describeUnknownName } from '../../core/nearest-name.ts'
import { labelArm, nameModels, shortenModelName, withModel } from './arm-names.ts'
import { compareArms, type Entry } from './entries.ts'
import type { ReportArm } from './report.ts'

/** The arms of a set of attempts. */
export interface ReportArms {
  readonly arms: readonly ReportArm[]
  /** Returns the id of the arm that an attempt or a row belongs to. */
  idOf(arm: Arm): string
  /** Returns the name of the arm: `rag hybrid 4k`. */
  nameOf(arm: Arm): string
}

/** Ids are cut at this many characters. */
const maxIdChars = 60

/** Lists the arms of these attempts in the order in which reports show them. */
export function reportArms(attempts: readonly Attempt[]): ReportArms {
  const groups = [...groupBy(attempts, armKey).values()].sort(([a], [b]) => compareArms(a!, b!))
  const naming = nameModels(attempts)
  const usedIds = new Set<string>()
  const ids = new Map<string, string>()
  const named = withRetrievers(groups)
  const shared = findSharedOptions(named)
  const names = named.map(arm => withModel(shortenArmName(arm, shared), arm.model, naming))
  const arms = named.map(({ group, retriever }, at): ReportArm => {
    const first = group[0]!
    const id = findFreeId(makeSlug(first), usedIds)
    ids.set(armKey(first), id)
    const name = names[at] ?? ''
    const { setting, model, options } = first
    return {
      id,
      name: names.indexOf(name) === names.lastIndexOf(name) ? name : labelArm(first, naming),
      setting,
      agent: findSharedAgent(group),
      model,
      options,
      ...(retriever === null ? {} : { retriever }),
    }
  })
  const idOf = (arm: Arm): string => ids.get(armKey(arm)) ?? makeSlug(arm)
  const nameOf = (arm: Arm): string => arms.find(({ id }) => id === idOf(arm))?.name ?? labelArm(arm, naming)
  return { arms, idOf, nameOf }
}

/** The attempts of an arm, with the options that its name is made of. */
interface NamedGroup {
  readonly group: readonly Attempt[]
  readonly setting: string
  readonly model: string
  /** With the default retriever, when another arm of the setting has another. */
  readonly options: Readonly<Record<string, string>>
  readonly retriever: string | null
}

/** Finds the retriever of each arm. Records name the default retriever only in the attempts that are no control. */
function withRetrievers(groups: readonly (readonly Attempt[])[]): NamedGroup[] {
  const arms = groups.map(group => {
    const { setting, model, options } = group[0]!
    return { group, setting, model, options }
  })
  return arms.map(arm => {
    const { options, setting } = arm
    if (options.retriever !== undefined) return { ...arm, retriever: options.retriever }
    const alike = arms.filter(peer => peer.setting === setting)
    const plain = alike.filter(peer => !('retriever' in peer.options) && !('control' in peer.options))
    const names = plain.flatMap(({ group }) => group.flatMap(({ retrieval }) => retrieval?.retriever ?? []))
    const retriever = new Set(names).size === 1 ? names[0]! : null
    const isNamed = retriever !== null && alike.some(peer => 'retriever' in peer.options)
    return { ...arm, retriever, options: isNamed ? { retriever, ...options } : options }
  })
}

/**
 * Finds an arm by its id, by its name as a summary, a table or the page prints it (`rag-gpt-4o`, `gpt-4o rag`,
 * `rag · gpt-4o`), or by words that no other arm has, because names leave out what all arms share.
 *
 * @throws ConfigError [unknown-arm] when no arm or several have the name
 */
export function findArm(arms: readonly ReportArm[], name: string): ReportArm {
  const words = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}.]+/gu) ?? []).sort()
  const { of: shortModel } = nameModels(arms)
  const namesOf = (arm: ReportArm): string[] => [
    ...[arm.id, arm.name, armName(arm), settingLabel(arm)],
    `${shortModel(arm.model)} ${settingLabel(arm)}`,
    `${shortModel(arm.model)} ${optionsText(arm.options)}`,
  ]
  const wanted = words(name)
  const exact = arms.find(({ id }) => id === name)
  const named = arms.filter(arm => namesOf(arm).some(other => words(other).join(' ') === wanted.join(' ')))
  const having = arms.filter(arm =>
    namesOf(arm).some(other => wanted.every(word => words(other).includes(word))),
  )
  const matches = named.length > 0 || wanted.length === 0 ? named : having
  const [match] = matches
  if (exact !== undefined) return exact
  if (match !== undefined && matches.length === 1) return match
  const ids = arms.map(({ id }) => id)
  throw new ConfigError(
    matches.length > 1
      ? `--baseline ${name}: several arms have this name (${matches.map(({ id }) => id).join(', ')}). Write one of these.`
      : `--baseline: no arm is called ${describeUnknownName(name, ids)}. Write the name of an arm as the summary prints it.`,
    { code: 'unknown-arm' },
  )
}

/** Lists the arms of the attempts of these entries. */
export function listArms(entries: readonly Entry[]): ReportArms {
  return reportArms(entries.map(({ attempt }) => attempt))
}

function makeSlug({ setting, model, options }: Arm): string {
  const slug = [setting, ...Object.entries(options).map(shortenOption), shortenModelName(model)]
    .map(part => part.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-'))
    .map(part => part.replace(/^-+|-+$/g, ''))
    .filter(part => part !== '')
    .join('-')
  return slug.slice(0, maxIdChars).replace(/-+$/, '') || 'arm'
}

/** Returns the slug, with a number when another arm has it already. */
function findFreeId(slug: string, usedIds: Set<string>): string {
  let id = slug
  for (let number = 2; usedIds.has(id); number++) id = `${slug}-${number}`
  usedIds.add(id)
  return id
}

/** Imported logs do not name the agent. */
function findSharedAgent(attempts: readonly Attempt[]): string | null {
  const agents = new Set(attempts.map(({ agent = null }) => agent))
  return agents.size === 1 ? [...agents][0]! : null
}

/** Options whose values say what they are, so that their names are left out. */
const plainOptions = new Set(['retriever', 'embedder', 'vector-store', 'control', 'agent', 'context-policy'])

/**
 * Writes an option in a few characters: `bm25` for the retriever, `4k` for the tokens of context, the name of a compared
 * run without its number, else `cot=off`.
 */
export function shortenOption([name, value]: readonly [string, string]): string {
  if (name === 'context-tokens') return /000$/.test(value) ? `${value.slice(0, -3)}k` : `${value} tokens`
  if (name === 'run') return value.slice(value.indexOf(':') + 1)
  return plainOptions.has(name) ? value : `${name}=${value}`
}

interface NamedArm {
  readonly setting: string
  readonly options: Readonly<Record<string, string>>
}

/**
 * Returns the options that all arms of a setting share, by setting, as `name=value`. A setting with one arm shares none:
 * its options say what was run.
 */
export function findSharedOptions(arms: readonly NamedArm[]): ReadonlyMap<string, ReadonlySet<string>> {
  const bySetting = groupBy(arms, ({ setting }) => setting)
  return new Map(
    [...bySetting].map(([setting, settingArms]) => {
      const combinations = new Set(settingArms.map(({ options }) => optionsText(options)))
      const [first = [], ...otherOptions] = settingArms.map(({ options }) =>
        Object.entries(options).map(optionText),
      )
      const isShared = (option: string): boolean => otherOptions.every(options => options.includes(option))
      return [setting, new Set(combinations.size === 1 ? [] : first.filter(isShared))]
    }),
  )
}

/** Returns the names of the settings' arms by what differs within a setting: `rag bm25 4k oracle`. */
export function shortenArmName(arm: NamedArm, shared: ReadonlyMap<string, ReadonlySet<string>>): string {
  const distinctOptions = Object.entries(arm.options).filter(
    option => shared.get(arm.setting)?.has(optionText(option)) !== true,
  )
  return [arm.setting, ...distinctOptions.map(shortenOption)].join(' ')
}
