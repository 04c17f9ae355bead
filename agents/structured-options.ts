import { z } from 'zod/v4'
import { armPerElement, defineOption } from '../src/core/option-spec.ts'
import { listOf } from '../src/core/option-values.ts'

const option = defineOption('Model')

const onOff = listOf(['on', 'off'])

/** The options of settings that ask with one request. */
export const structuredOptions = {
  structuredOutput: option(
    '[LIST]',
    z
      .union([z.boolean().transform(isOn => [isOn ? ('on' as const) : ('off' as const)]), onOff], 'on, off')
      .default(['off']),
    "for JSON answers: the server enforces the task's JSON Schema (strict response_format): on, off; each value is an arm",
    { arms: armPerElement<'on' | 'off'>('off') },
  ),
} as const
