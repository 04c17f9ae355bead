import { defaultTableFormat, tableFormatNames } from '../retrieval/table-formats/formats.ts'
import { armPerElement, oneArm, optionOf } from '../src/core/option-spec.ts'
import { listOf, oneOf } from '../src/core/option-values.ts'

const option = optionOf('documents')

/** How documents come into a prompt: options of every setting that has them there. */
export const documentOptions = {
  cut: option(
    'HOW',
    oneOf(['even', 'head', 'head-tail']).default('even'),
    'what goes when documents do not fit: even, head, head-tail',
    { arms: oneArm<'even' | 'head' | 'head-tail'>('even') },
  ),
  tableFormat: option(
    'LIST',
    listOf(tableFormatNames).default([defaultTableFormat]),
    `for documents that are tables: ${tableFormatNames.filter(name => !name.includes(':')).join(', ')}, each also with :published; several, and each is a variant`,
    { arms: armPerElement(defaultTableFormat) },
  ),
} as const
