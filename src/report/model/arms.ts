import type { Attempt } from '../../core/attempt.ts'
import { type Arm, armLabel, lastNameOf, modelNaming } from './arm-names.ts'
import { compareArms, type Entry, groupBy } from './entries.ts'
import type { ReportArm } from './report.ts'

/** The arms of some attempts. */
export interface ReportArms {
  readonly arms: readonly ReportArm[]
  /** The id of the arm of an attempt or a row. */
  idOf(arm: Arm): string
}

/** Longer ids are cut. */
const longestId = 60

/** Names the arms of these attempts, in the order of the rows of a report. */
export function reportArms(attempts: readonly Attempt[]): ReportArms {
  const own = [...groupBy(attempts, keyOf).values()].sort(([a], [b]) => compareArms(a!, b!))
  const naming = modelNaming(attempts)
  const taken = new Set<string>()
  const ids = new Map<string, string>()
  const arms = own.map(group => {
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

/** The arms of the attempts behind these entries. */
export function armsOfEntries(entries: readonly Entry[]): ReportArms {
  return reportArms(entries.map(({ attempt }) => attempt))
}

function keyOf({ setting, model, variant }: Arm): string {
  return JSON.stringify([setting, model, variant])
}

function slugOf({ setting, model, variant }: Arm): string {
  const slug = [setting, variant, lastNameOf(model)]
    .map(part => part.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, '-'))
    .map(part => part.replace(/^-+|-+$/g, ''))
    .filter(part => part !== '')
    .join('-')
  return slug.slice(0, longestId).replace(/-+$/, '') || 'arm'
}

/** The slug, numbered from the second arm that has it. */
function freeId(slug: string, taken: Set<string>): string {
  let id = slug
  for (let number = 2; taken.has(id); number++) id = `${slug}-${number}`
  taken.add(id)
  return id
}

/** Attempts of older versions were all made by Tablehunt's own agent. */
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
