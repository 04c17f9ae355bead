import type { AttemptEnd } from '../../src/core/termination.ts'

/**
 * The limits of Inspect AI with the ends that they stand for. An export writes the first limit of an end. `custom` stands for
 * no end: an export writes it for all others that a limit caused.
 */
export const limitEnds: ReadonlyMap<string, AttemptEnd> = new Map([
  ['context', { cause: 'budget', reason: 'context-window' }],
  ['time', { cause: 'budget', reason: 'wall-clock' }],
  ['working', { cause: 'budget', reason: 'wall-clock' }],
  ['message', { cause: 'budget', reason: 'model-calls' }],
  ['turn', { cause: 'budget', reason: 'model-calls' }],
  ['token', { cause: 'budget', reason: 'tokens' }],
  ['cost', { cause: 'budget', reason: 'cost' }],
  ['operator', { cause: 'operator', reason: 'cancelled' }],
])

interface StopEnd {
  readonly end: AttemptEnd
  readonly answered?: true
}

/** The stop reasons of a model in Inspect AI with the ends that they stand for. `answered`: the text before it is an answer. */
export const stopEnds: ReadonlyMap<string, StopEnd> = new Map([
  ['stop', { end: { cause: 'agent', reason: 'answered' } }],
  ['max_tokens', { end: { cause: 'budget', reason: 'tokens' }, answered: true }],
  ['model_length', { end: { cause: 'budget', reason: 'context-window' } }],
  ['content_filter', { end: { cause: 'provider', reason: 'content-filter' } }],
])
