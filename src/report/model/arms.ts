import { type Arm, armKey } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { armLabel, modelNaming, shortestNameOf, withModel } from './arm-names.ts'
import { compareArms, type Entry, groupBy } from './entries.ts'
import type { ReportArm } from './report.ts'
import { sharedOptions, shortNameOf, shortOption } from './short-options.ts'

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
  const naming = modelNaming(attempts)
  const taken = new Set<string>()
  const ids = new Map<string, string>()
  const named = withRetrievers(groups)
  const shared = sharedOptions(named)
  const names = named.map(arm => withModel(shortNameOf(arm, shared), arm.model, naming))
  const arms = named.map(({ group, retriever }, at): ReportArm => {
    const first = group[0]!
    const id = freeId(slugOf(first), taken)
    ids.set(armKey(first), id)
    const name = names[at] ?? ''
    const { setting, model, options } = first
    return {
      id,
      name: names.indexOf(name) === names.lastIndexOf(name) ? name : armLabel(first, naming),
      setting,
      agent: agentOf(group),
      model,
      options,
      ...(retriever === null ? {} : { retriever }),
    }
  })
  const idOf = (arm: Arm): string => ids.get(armKey(arm)) ?? slugOf(arm)
  const nameOf = (arm: Arm): string => arms.find(({ id }) => id === idOf(arm))?.name ?? armLabel(arm, naming)
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
    const alike = arms.filter(other => other.setting === setting)
    const plain = alike.filter(other => !('retriever' in other.options) && !('control' in other.options))
    const found = plain.flatMap(({ group }) => group.flatMap(({ retrieval }) => retrieval?.retriever ?? []))
    const retriever = new Set(found).size === 1 ? found[0]! : null
    const isNamed = retriever !== null && alike.some(other => 'retriever' in other.options)
    return { ...arm, retriever, options: isNamed ? { retriever, ...options } : options }
  })
}

/** Lists the arms of the attempts of these entries. */
export function armsOfEntries(entries: readonly Entry[]): ReportArms {
  return reportArms(entries.map(({ attempt }) => attempt))
}

function slugOf({ setting, model, options }: Arm): string {
  const slug = [setting, ...Object.entries(options).map(shortOption), shortestNameOf(model)]
    .map(part => part.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-'))
    .map(part => part.replace(/^-+|-+$/g, ''))
    .filter(part => part !== '')
    .join('-')
  return slug.slice(0, maxIdChars).replace(/-+$/, '') || 'arm'
}

/** Returns the slug, with a number when another arm has it already. */
function freeId(slug: string, taken: Set<string>): string {
  let id = slug
  for (let number = 2; taken.has(id); number++) id = `${slug}-${number}`
  taken.add(id)
  return id
}

/** Imported logs do not name the agent. */
function agentOf(attempts: readonly Attempt[]): string | null {
  const agents = new Set(attempts.map(({ agent = null }) => agent))
  return agents.size === 1 ? [...agents][0]! : null
}
