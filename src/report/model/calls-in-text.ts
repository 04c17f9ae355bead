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
  const arms = [
    ...groupBy(attempts, ({ setting, model, variant }) => JSON.stringify([setting, model, variant])).values(),
  ]
    .sort(([a], [b]) => compareArms(a!, b!))
    .map(arm => ({ arm, unread: arm.filter(({ callsInText }) => (callsInText?.unread ?? 0) > 0).length }))
  const affected = arms.filter(({ unread }) => unread > 0)
  if (affected.length === 0) return []
  const counts = affected.slice(0, maxArms).map(({ arm, unread }) => {
    const answers = `${unread} of ${arm.length} ${arm.length === 1 ? 'answer' : 'answers'}`
    return arms.length === 1 ? answers : `${answers} of ${armLabel(arm[0]!, models)}`
  })
  const more = affected.length > maxArms ? [`answers of ${affected.length - maxArms} more arms`] : []
  const [only] = affected
  const contain = affected.length === 1 && only?.unread === 1 ? 'contains' : 'contain'
  return [
    `${[...counts, ...more].join(', ')} ${contain} tool calls that were not carried out: start the server with its tool parser, or --tool-protocol text`,
  ]
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
