import { ok } from 'node:assert/strict'
import { AIMessage } from '@langchain/core/messages'
import { ownPrompts } from '../../agents/prompts/own-prompts.ts'
import type { SettingEnvironment, SettingOutcome } from '../../agents/setting.ts'
import { eventBodySchema } from '../../logs/events.ts'
import { contextSchema } from '../core/attempt.ts'
import type { Question } from '../core/task.ts'
import { terminationSchema } from '../core/termination.ts'
import { usageSchema } from '../core/usage.ts'
import { sha256 } from '../system/hash.ts'
import { countingTransport, instantClock } from './web.ts'

/** An answer with a table. */
export const table = 'Done.\n```csv\nname,revenue\na.pdf,"1,234"\n```'

/** The question of the contract tests of settings and agents. */
export const testQuestion: Question = {
  taskId: 't',
  benchmark: 'aoe',
  domain: 'financial',
  language: 'en',
  query: 'Compare revenue.',
  documentNames: ['a.pdf'],
  form: { kind: 'table' },
}

/** Creates a model's answer of 10 input and 5 output tokens. */
export function says(content: string): AIMessage {
  const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  return new AIMessage({ content, usage_metadata } as never)
}

/** Creates a model that gives the same answer, or fails in the same way, whenever it is called. */
export function countingModel(turn: AIMessage | Error): {
  readonly model: SettingEnvironment['model']
  /** Returns how often it was called. */
  calls(): number
} {
  let calls = 0
  return {
    calls: () => calls,
    model: {
      name: 'test:model',
      contextWindow: null,
      nativeTools: true,
      price: null,
      countTokens: text => text.length,
      async call() {
        calls++
        if (turn instanceof Error) throw turn
        return turn
      },
    },
  }
}

/** Checks that a run can keep the records of an attempt, and that its model calls are counted. */
export function checkOutcome({ termination, usage, context }: SettingOutcome, calls: number): void {
  terminationSchema.parse(termination)
  usageSchema.parse(usage)
  if (context !== null) contextSchema.parse(context)
  ok((usage.modelCalls ?? calls) >= calls || calls === 0, `${calls} model calls, ${usage.modelCalls} counted`)
}

/** Creates the environment of an attempt without tools and without a web. */
export function attemptEnvironment(model: SettingEnvironment['model']): SettingEnvironment {
  return {
    attemptId: 'attempt',
    model,
    caps: {},
    prompts: ownPrompts(),
    chainOfThought: true,
    cutStrategy: 'even',
    options: {},
    maxOutputTokens: null,
    clock: instantClock,
    signal: new AbortController().signal,
    documents: async () => [{ hint: 'a.pdf', sha256: null, text: 'Revenue 1,234', problem: null }],
    retrieve: async () => ({ chunks: [], retriever: 'aoe', embedder: 'hash', k: 250 }),
    tools: () => [],
    sharedToolEnvironment: {
      clock: instantClock,
      transport: countingTransport(undefined),
    } as unknown as SettingEnvironment['sharedToolEnvironment'],
    emit: (_step, body) => void eventBodySchema.parse(body),
    keepText: sha256,
    hasAnswer: answer => answer.includes('```csv'),
  }
}
