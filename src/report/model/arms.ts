import type { Attempt } from '../../core/attempt.ts'
import { type Arm, armLabel, modelNaming, shortestNameOf } from './arm-names.ts'
import { compareArms, type Entry, groupBy } from './entries.ts'
import type { ReportArm } from './report.ts'

/** The arms of a set of attempts. */
export interface ReportArms {
  readonly arms: readonly ReportArm[]
  /** Returns the id of the arm that an attempt or a row belongs to. */
  idOf(arm: Arm): string
}

/** Ids are cut at this many characters. */
const maxIdChars = 60

/** Lists the arms of these attempts in the order in which reports show them. */
export function reportArms(attempts: readonly Attempt[]): ReportArms {
  const groups = [...groupBy(attempts, keyOf).values()].sort(([a], [b]) => compareArms(a!, b!))
  const naming = modelNaming(attempts)
  const taken = new Set<string>()
  const ids = new Map<string, string>()
  const arms = groups.map(group => {
    const first = group[0]!
    const id = freeId(slugOf(first), taken)
    ids.set(keyOf(first), id)
    const { setting, model, variant } = first
    return {
      id,
      name: armLabel(first, naming),
      setting,
      agent: agentOf(group),
      model,
      options: optionsOf(variant),
    }
  })
  return { arms, idOf: arm => ids.get(keyOf(arm)) ?? slugOf(arm) }
}

/** Lists the arms of the attempts of these entries. */
export function armsOfEntries(entries: readonly Entry[]): ReportArms {
  return reportArms(entries.map(({ attempt }) => attempt))
}

function keyOf({ setting, model, variant }: Arm): string {
  return JSON.stringify([setting, model, variant])
}

function slugOf({ setting, model, variant }: Arm): string {
  const slug = [setting, variant, shortestNameOf(model)]
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

/** Records of older versions do not name the agent, which was always Tablehunt's own. */
function agentOf(attempts: readonly Attempt[]): string | null {
  const agents = new Set(
    attempts.map(({ agent, sourceId }) => agent ?? (sourceId === undefined ? 'tablehunt' : null)),
  )
  return agents.size === 1 ? [...agents][0]! : null
}

function optionsOf(variant: string): Record<string, string> {
  const parts = variant.split(',').filter(part => part !== '')
  return Object.fromEntries(
    parts.map(part => {
      const at = part.indexOf('=')
      return at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    }),
  )
}
