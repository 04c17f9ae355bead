import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { buildWeb } from '../../src/run/web-tools/sealed-web.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { loadCorpus } from '../../tools/web/corpus-folder.ts'

const task = 'financial_demo-growth_0_en'
/** The reports of the task in the order of reading, with figures that they print. */
const reports = [
  { name: 'northwind-turbines-annual-report-2023.pdf', figures: ['6,820,624', '5,257,064', '4,214,398'] },
  { name: 'calder-marine-annual-report-2023.pdf', figures: ['2,190,608,431', '1,798,474,278'] },
  { name: 'harbourlight-foods-annual-report-2023.pdf', figures: ['7,318.76', '7,670.33', '4,713.49'] },
]
/** An answer without values. The class of a cell then says where its value was last available. */
const nothing = `\`\`\`csv\nFilename,Total Assets (CNY)\n${reports.map(({ name }) => `${name},null`).join('\n')}\n\`\`\``

let corpus: string
let addresses: ReadonlyMap<string, string>

beforeAll(async () => {
  corpus = join(await mkdtemp(join(tmpdir(), 'policies-')), 'corpus')
  await buildWeb([demoPaths.documents], { out: corpus, twins: '0', seed: '0' }, () => undefined)
  const { items } = await loadCorpus(corpus)
  addresses = new Map(items.map(({ entry }) => [entry.name, entry.url]))
})

/** Writes the script of a model that reads the reports one by one, and notes their figures in its text or in its thoughts. */
async function scriptOf(notes: boolean, policy: string): Promise<string> {
  const turns = [...reports, null].map((report, at) => {
    const read = at === 0 ? '' : `I read ${reports[at - 1]!.figures.join(' and ')}.`
    const call =
      report === null ? {} : { toolCalls: [{ name: 'read_pdf', args: { url: addresses.get(report.name) } }] }
    return notes ? { text: `${read}\n\n${nothing}`, ...call } : { text: nothing, reasoning: read, ...call }
  })
  const known = reports.slice(0, 2).flatMap(({ figures }) => figures)
  // Before the third report is asked for, the conversation passes the share of the window.
  if (policy === 'summarise')
    turns.splice(2, 0, { text: notes ? `Figures: ${known.join(', ')}` : 'Two of three reports are read.' })
  const path = join(await mkdtemp(join(tmpdir(), 'script-')), 'script.jsonl')
  await writeFile(path, `${JSON.stringify({ turns })}\n`)
  return path
}

async function attempt(policy: string, notes: boolean, keepReasoning = 'off') {
  const out = join(await mkdtemp(join(tmpdir(), 'policy-')), 'run')
  await executeRun(
    resolveConfig({
      ...{ tasks: demoPaths.tasks, filter: task, docs: demoPaths.documents, web: `sealed:${corpus}`, out },
      ...{ setting: 'online', browser: 'off', model: `scripted:${await scriptOf(notes, policy)}` },
      ...{ contextWindow: '16k', contextPolicy: policy, keepReasoning, cache: join(out, '..', 'cache') },
    }),
  )
  const { attempts, scores } = await readRun(out)
  const { events } = await readTrace(out, attempts[0]!.attemptId)
  const classes = scores[0]!.cells.map(cell => cell.class)
  return { attempt: attempts[0]!, events, cut: classes.filter(one => one === 'cut-from-window').length }
}

describe.each(['shorten', 'keep-last:1', 'summarise'])('the policy %s', policy => {
  it('cuts the evidence of a model that only thinks, and not the figures of one that notes', async () => {
    const [noting, thinking] = [await attempt(policy, true), await attempt(policy, false)]
    for (const { attempt, events } of [noting, thinking]) {
      const isDefault = policy === 'shorten'
      expect(optionsText(attempt.options)).toBe(
        `keep-reasoning=off${isDefault ? '' : `,context-policy=${policy}`}`,
      )
      expect(attempt.termination).toMatchObject({ cause: 'agent', reason: 'answered' })
      const cuts = events.filter(event => event.type === 'context-cut')
      expect(cuts.map(({ strategy }) => strategy)).toContain(policy)
      const urls = cuts.flatMap(({ removed = [] }) => removed.map(({ url }) => url))
      expect(urls).toContain(addresses.get(reports[0]!.name))
    }
    expect(thinking.cut).toBeGreaterThan(noting.cut)
  })
})

it.each(['shorten', 'keep-last:1'])(
  'the policy %s cuts no more of a model that gets its thoughts back than of one that notes',
  async policy => {
    const { cut } = await attempt(policy, true)
    expect((await attempt(policy, false, 'on')).cut).toBe(cut)
  },
)

it('the policy final-answer cuts nothing, and ends with the full window', async () => {
  const thinking = await attempt('final-answer:0.5', false)
  expect(thinking.attempt.termination).toMatchObject({ cause: 'budget', reason: 'context-window' })
  expect(thinking.cut).toBe(0)
})
