import { expect, it } from 'vitest'
import { repairMessage } from '../../src/models/repair-message.ts'

it.each([
  ['null', 'null', '{}'],
  ['null in spaces', ' null ', '{}'],
  ['a JSON null', null, '{}'],
  ['null encoded twice', '"null"', '{}'],
  ['nothing', '', '{}'],
  ['an object', '{"a":null}', '{"a":null}'],
  ['a text that begins with null', 'nullable', 'nullable'],
])('sends arguments that are %s back in a form that servers take', (_, given, expected) => {
  const message: Record<string, unknown> = {
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: given } }],
  }
  const invalid = repairMessage(message)
  const [call] = message.tool_calls as { function: { arguments: string } }[]
  expect(call?.function.arguments ?? invalid[0]?.args).toBe(expected)
})
