import { armKey } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { armLabel, modelNaming } from './arm-names.ts'
import { compareArms, groupBy } from './entries.ts'

/** The arms that notes name at most. */
const maxArms = 3

/**
 * Says in which arms the model server left tool calls in the text, first those that could not be carried out.
 *
 * @returns notes without a final full stop
 */
export function callsInTextNotes(attempts: readonly Attempt[]): string[] {
  return [...unreadNotes(attempts), ...readNote(attempts)]
}

function unreadNotes(attempts: readonly Attempt[]): string[] {
  const models = modelNaming(attempts)
  const byArm = groupBy(attempts, armKey)
  const arms = [...byArm.values()].sort(([a], [b]) => compareArms(a!, b!))
  const affected = arms.filter(arm => arm.some(isUnread))
  if (affected.length === 0) return []
  const shares = affected.map(arm => `${arm.filter(isUnread).length} of ${arm.length}`)
  const labels = affected.map(([first]) => armLabel(first!, models))
  const advice = 'start the server with its tool parser, or --tool-protocol text'
  if (affected.length === 1) {
    const whose = arms.length === 1 ? '' : ` of ${labels[0]}`
    return [`${shares[0]} answers${whose} contain tool calls that were not carried out: ${advice}`]
  }
  const listed = labels.slice(0, maxArms).map((label, at) => `${label} ${shares[at]}`)
  const more = labels.length > maxArms ? [`${labels.length - maxArms} more arms`] : []
  const total = `${attempts.filter(isUnread).length} of ${attempts.length} answers`
  return [
    `${total} contain tool calls that were not carried out: ${advice} (${[...listed, ...more].join(', ')})`,
  ]
}

function isUnread({ callsInText }: Attempt): boolean {
  return (callsInText?.unread ?? 0) > 0
}

function readNote(attempts: readonly Attempt[]): string[] {
  const read = attempts.filter(({ callsInText }) => (callsInText?.calls ?? 0) > 0)
  if (read.length === 0) return []
  const calls = read.reduce((sum, { callsInText }) => sum + callsInText!.calls, 0)
  const forms = [...new Set(read.flatMap(({ callsInText }) => callsInText!.forms))].sort().join(', ')
  const number = `${calls} tool ${calls === 1 ? 'call' : 'calls'} in ${read.length} of ${attempts.length} attempts`
  return [
    `the server left ${number} in the text, where Tablehunt read them (form: ${forms}). A server with the tool parser of its model reads them itself`,
  ]
}
