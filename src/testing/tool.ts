import { equal, match, ok } from 'node:assert/strict'
import { createTools, tools } from '../../tools/registry.ts'
import { runToolInput } from '../../tools/run-tool-input.ts'
import type { SearchProvider } from '../../tools/search/provider.ts'
import type { ToolEnvironment } from '../../tools/tool.ts'
import { BudgetRefusedError } from '../core/errors.ts'
import { sha256 } from '../system/hash.ts'
import type { Check } from './contract.ts'
import { type AnswerRequest, countingTransport, instantClock } from './web.ts'

/**
 * A call that a tool is tested with.
 *
 * @example
 * import type { ToolSample } from 'tablehunt/testing'
 *
 * const toEuro: ToolSample = { input: { amount: 10, currency: 'USD' }, answer: /^9 EUR$/ }
 */
export interface ToolSample {
  /** The input of the call, as a model writes it. */
  readonly input: Readonly<Record<string, unknown>>
  /** What the answer to `input` contains. */
  readonly answer: RegExp
  /** Answers the tool's requests. By default, every request fails. */
  readonly web?: AnswerRequest
  /** Further parts of the attempt's environment that the tool uses, such as `reader`. */
  readonly environment?: Partial<ToolEnvironment>
}

/** Returns the checks that every tool must pass. */
export function toolContract(
  name: string,
  { input, answer, web, environment }: ToolSample,
): readonly Check[] {
  const call = async (args: unknown, isRefused = false) => {
    const world = toolWorld(web, environment, isRefused)
    const result = await runToolInput(name, JSON.stringify(args), world.environment)
    return { ...result, requests: world.requests() }
  }
  return [
    {
      name: 'has its own name and tells the model what it does',
      async run() {
        const [tool] = await createTools([name], toolWorld(web, environment, false).environment)
        equal(tool?.name, name)
        ok((tool?.description ?? '').trim() !== '', 'its description is empty')
        ok(tools.get(name).summary.trim() !== '', 'its summary is empty')
      },
    },
    {
      name: 'answers a call with text for the model',
      async run() {
        const { text, error } = await call(input)
        equal(error, null)
        match(text, answer)
      },
    },
    {
      name: 'refuses input that does not fit its schema',
      async run() {
        for (const field of Object.keys(input)) {
          const { error } = await call({ ...input, [field]: { unexpected: [null] } })
          ok(error?.startsWith('bad-input:'), `${field}: ${error ?? 'the input was accepted'}`)
        }
      },
    },
    {
      name: 'sends no request that its budget refuses',
      async run() {
        const { error, requests } = await call(input, true)
        equal(requests, 0, 'charge() is to be called before each request')
        if ((await call(input)).requests > 0)
          ok(error?.startsWith('budget:'), `the refusal is lost: ${error}`)
      },
    },
  ]
}

function toolWorld(
  web: AnswerRequest | undefined,
  more: Partial<ToolEnvironment> = {},
  isRefused: boolean,
): { readonly environment: ToolEnvironment; requests(): number } {
  let searches = 0
  const transport = countingTransport(web)
  const search: SearchProvider = {
    name: 'test',
    async search({ query }) {
      searches++
      return { hits: [{ url: 'https://example.org/', title: query, snippet: '', position: 1 }] }
    },
  }
  const environment: ToolEnvironment = {
    search,
    reader: undefined as never,
    clock: instantClock,
    signal: new AbortController().signal,
    charge(kind, what) {
      if (isRefused) throw new BudgetRefusedError(kind, `no ${kind} left for ${what}`)
    },
    retried: () => undefined,
    keepText: sha256,
    ...more,
    transport,
  }
  return { environment, requests: () => transport.sent.length + searches }
}
