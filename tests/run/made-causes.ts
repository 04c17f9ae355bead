import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { resolveConfig } from '../../src/config.ts'
import { messageText } from '../../src/models/model-answer.ts'
import type { ModelProvider } from '../../src/models/model-source.ts'
import type { CausalWaterfall } from '../../src/report/model/causal-waterfall.ts'
import { planCauses } from '../../src/run/fork/plan-causes.ts'
import { nameOwnPlanFolder } from '../../src/run/fork/plan-forks.ts'
import { completeForkOptions, openSource } from '../../src/run/fork/source-run.ts'
import { writeForkPlan } from '../../src/run/fork/write-plan.ts'
import { readReport } from '../../src/run/report-run.ts'
import { executeRun } from '../../src/run.ts'
import { sha256 } from '../../src/system/hash.ts'

/** Why a made agent loses the value of a task. */
export const madeCauses = ['miss', 'part', 'window', 'searches', 'wrong', 'random'] as const
export type MadeCause = (typeof madeCauses)[number]

/** A campaign whose causes are known. */
export interface MadeCampaign {
  readonly folder: string
  readonly seed: number
  /** Tasks of each cause. */
  readonly tasks: number
  /** The share of the tasks in which the agent uses what an intervention changes. */
  readonly responsive: number
  /** The share of the attempts that are right by luck. */
  readonly luck: number
}

/** A number from 0 to 1 that depends on the texts alone. */
const draw = (...texts: readonly unknown[]): number =>
  Number.parseInt(sha256(JSON.stringify(texts)).slice(0, 8), 16) / 2 ** 32

const goldOf = (firm: string): number => 1_000 + ((Number(firm.slice(4)) * 7919) % 9_000)

/** Writes tasks with one document each. The id of a task says what its agent does. */
async function writeCampaign({ folder, seed, tasks, responsive }: MadeCampaign): Promise<void> {
  await mkdir(join(folder, 'documents'), { recursive: true })
  const lines: string[] = []
  for (const cause of madeCauses)
    for (let at = 0; at < tasks; at++) {
      const firm = `firm${lines.length + 1}`
      const file = `${firm}.txt`
      const uses = draw(seed, firm) < responsive ? 'uses' : 'ignores'
      const value = `Value of ${firm}: ${goldOf(firm)}`
      // The value is not in the excerpts of search results; of long documents it is in the second part.
      const filler = 'Nothing of interest is on this line.\n'.repeat(cause === 'part' ? 900 : 100)
      await writeFile(join(folder, 'documents', file), `Report of ${firm}\n${filler}\n${value}\n`)
      const task = {
        record_id: `made_${firm}-${cause}-${uses}_0_en`,
        query: `What is the value of ${firm}?`,
        language: 'en',
        input_doc: [file],
        answers: [{ Filename: file, Value: String(goldOf(firm)) }],
        key_cols: ['Filename'],
        target_value_columns: ['Value'],
        numeric_columns: ['Value'],
      }
      lines.push(JSON.stringify(task))
    }
  await writeFile(join(folder, 'tasks.jsonl'), `${lines.join('\n')}\n`)
}

/** A model that does what the id of its task says. */
export function madeModel(luck: number): ModelProvider {
  return {
    summary: 'an agent with a known fault',
    keyVariable: null,
    package: null,
    create: async () => ({
      name: 'made:agent',
      describe: () => ({ name: 'made:agent' }),
      forAttempt({ taskId, seed }) {
        const [, firm = '', cause = '', uses] = /^made_(firm\d+)-([a-z]+)-([a-z]+)_/.exec(taskId) ?? []
        const isLucky = draw('luck', seed, firm) < luck
        return {
          name: 'made:agent',
          contextWindow: null,
          nativeTools: true,
          price: null,
          countTokens: text => Math.ceil(text.length / 4),
          call: async messages =>
            act({ firm, cause: cause as MadeCause, isLucky, isUsing: uses === 'uses' }, messages),
        }
      },
    }),
  }
}

interface MadeAgent {
  readonly firm: string
  readonly cause: MadeCause
  readonly isLucky: boolean
  readonly isUsing: boolean
}

function act({ firm, cause, isLucky, isUsing }: MadeAgent, messages: readonly BaseMessage[]): AIMessage {
  const text = messages.map(messageText).join('\n')
  const turns = messages.filter(message => message instanceof AIMessage).length
  const seen = new RegExp(`Value of ${firm}: (\\d+)`).exec(text)?.[1]
  const isTold = /compare every value/.test(text)
  const isAnswering = cause === 'wrong' || cause === 'random'
  const answer = (): AIMessage => {
    const knows = isAnswering ? isTold && cause === 'wrong' : seen !== undefined
    const value = isLucky || (knows && isUsing) ? goldOf(firm) : isAnswering ? goldOf(firm) + 1 : ''
    return say(`\`\`\`csv\nFilename,Value\n${firm}.txt,${value}\n\`\`\``)
  }
  const url = findAddress(firm, messages)
  if (cause === 'miss') return turns === 0 ? search('xyzzy') : answer()
  if (cause === 'searches' && turns < 2) return search(`plugh${turns}`)
  if (cause === 'searches' && turns === 2) return search(firm)
  if (turns === 0) return search(firm)
  if (url !== undefined) return fetchPage(url)
  const searches = messages.filter(
    message => message instanceof AIMessage && calledTool(message) === 'web_search',
  ).length
  return cause === 'window' && searches < 2 ? search(`report ${searches}`) : answer()
}

const calledTool = (message: AIMessage): string | undefined => message.tool_calls?.[0]?.name

/** The address of the firm's document that is still to be opened; a page that only links to it comes before it. */
function findAddress(firm: string, messages: readonly BaseMessage[]): string | undefined {
  const text = messages.map(messageText).join('\n')
  const fetched = messages.flatMap(message =>
    message instanceof AIMessage ? (message.tool_calls ?? []) : [],
  )
  const isOpened = (url: string): boolean => fetched.some(({ args }) => args.url === url)
  const hit = new RegExp(`Report of ${firm}\\n {3}URL: (\\S+)`).exec(text)?.[1]
  const link = new RegExp(`https?://\\S*/${firm}\\.txt`).exec(text)?.[0]
  if (link !== undefined) return isOpened(link) ? undefined : link
  return hit === undefined || isOpened(hit) ? undefined : hit
}

let calls = 0
const say = (content: string, tool_calls: object[] = []): AIMessage =>
  new AIMessage({
    content,
    tool_calls,
    response_metadata: { finish_reason: tool_calls.length > 0 ? 'tool_calls' : 'stop' },
    usage_metadata: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
  } as never)
const call = (name: string, args: object): AIMessage =>
  say('', [{ type: 'tool_call', id: `made-${++calls}`, name, args }])
const search = (query: string): AIMessage => call('web_search', { queries: [query] })
const fetchPage = (url: string): AIMessage => call('fetch_page', { url })

/** Makes a campaign and the forks of its losses. Returns the causal waterfall. */
export async function findCauses(campaign: MadeCampaign, repeats: number): Promise<CausalWaterfall> {
  await writeCampaign(campaign)
  const { folder, seed } = campaign
  const out = join(folder, 'run')
  await executeRun(
    resolveConfig({
      ...{ tasks: join(folder, 'tasks.jsonl'), docs: join(folder, 'documents'), web: 'sealed', twins: '0' },
      ...{ setting: 'online', model: 'made:agent', browser: 'off', contextPolicy: 'keep-last:1' },
      ...{ budgetSearchCalls: 2, seed, out, concurrency: 4 },
    }),
  )
  const source = await openSource(out)
  const forksOut = join(folder, 'causes')
  const forks = nameOwnPlanFolder(forksOut)
  const config = await completeForkOptions(source, { out: forksOut, forks })
  const { plan } = await planCauses(source, config, { sample: 1_000, repeats, seed })
  await writeForkPlan(out, forks, plan)
  await executeRun(config)
  return (await readReport(forksOut)).report.causes!
}
