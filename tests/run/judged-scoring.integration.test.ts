import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { renderTerminal } from '../../src/report/tables/terminal.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { readReport } from '../../src/run/report-run.ts'
import { scoreRun } from '../../src/run/scores/score-run.ts'
import { executeRun } from '../../src/run.ts'
import { completion, type SeenRequest, send, startOpenAiServer } from '../models/openai-server.ts'

const overall = '<score1>90</score1><score2>80</score2><score3>70</score3><score4>60</score4>'
/** Each answer differs in words that no rule can settle. */
const tasks = ['first', 'second', 'third'].map((name, at) => ({
  record_id: `academic_${name}_1`,
  language: 'en',
  domain: 'academic',
  query: `Which notes has ${name}?`,
  input_doc: ['notes.md'],
  answers: [
    { paper_name: name, note: 'a model of the sea' },
    { paper_name: `${name} two`, note: 'a map of the land' },
  ],
  key_cols: ['paper_name'],
  target_value_columns: ['note'],
  numeric_columns: [],
  answer: `paper_name,note\n${name},${at === 0 ? 'a model of the sea' : 'some sea thing'}\n${name} two,land chart ${at}\n`,
}))

let folder = ''
let judge: Awaited<ReturnType<typeof startOpenAiServer>>
let reply: (request: SeenRequest, prompt: string) => string | null
let usage: Record<string, unknown> | undefined

beforeEach(async () => {
  usage = undefined
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-judged-'))
  judge = await startOpenAiServer((request, response) => {
    const prompt = String((request.body.messages as { content: unknown }[])[0]?.content)
    const text = reply(request, prompt)
    if (text === null) send(response, 400, { error: { message: 'no' } })
    else send(response, 200, completion({ content: text }, usage === undefined ? {} : { usage }))
  })
  await writeFile(join(folder, 'notes.md'), 'Notes.')
  await writeFile(
    join(folder, 'tasks.jsonl'),
    tasks.map(({ answer: _, ...task }) => JSON.stringify(task)).join('\n'),
  )
  const script = tasks.map(task =>
    JSON.stringify({ taskId: task.record_id, turns: [{ text: `\`\`\`csv\n${task.answer}\`\`\`` }] }),
  )
  await writeFile(join(folder, 'script.jsonl'), script.join('\n'))
  await executeRun(
    resolveConfig({
      tasks: join(folder, 'tasks.jsonl'),
      model: `scripted:${join(folder, 'script.jsonl')}`,
      docs: folder,
      setting: 'offline',
      out: join(folder, 'run'),
      cache: join(folder, 'cache'),
    }),
  )
})
afterEach(async () => {
  await judge.close()
  await rm(folder, { recursive: true })
})

async function score(options: { scorer?: string[]; repeats?: number; batch?: boolean; seed?: number } = {}) {
  const config = resolveConfig({
    tasks: '-',
    out: '-',
    judge: `openai:judge@${judge.url}`,
    judgeBatch: options.batch === true,
    seed: options.seed ?? 0,
    scorer: options.scorer ?? ['aoe'],
    cache: join(folder, 'cache'),
  })
  return await scoreRun(join(folder, 'run'), {
    config,
    repeats: options.repeats ?? 1,
    signal: new AbortController().signal,
  })
}

const scoresOf = async (scorer: string) =>
  (await readRun(join(folder, 'run'))).scores.filter(
    one => one.judge === 'openai:judge' && one.scorer === scorer,
  )

describe('scoring a run with a judge behind HTTP', () => {
  it('sends temperature 0 and the seed, judges only what rules leave undecided, and repeats no question', async () => {
    reply = (_, prompt) => (prompt.includes('<score1>') ? overall : '<score>0.5</score>')
    const { judging } = await score({ seed: 7 })
    // Five cells in words of their own, two of them the same question, and three answers as a whole.
    expect(judge.seen).toHaveLength(7)
    for (const { body } of judge.seen) expect(body).toMatchObject({ temperature: 0, seed: 7, model: 'judge' })
    expect(judging).toMatchObject({ calls: 7, tokens: 7 * 18, unscoredCells: 0, unscoredOverall: 0 })
    expect(judging.callsSaved).toBeGreaterThan(0)
    expect(judging.tokensSaved).toBeGreaterThan(0)
    const scores = await scoresOf('aoe')
    expect(scores.map(one => one.overall)).toEqual(
      scores.map(() => ({ intent: 90, schema: 80, content: 70, format: 60, mean: 75 })),
    )
    expect(scores[0]?.cells.map(cell => [cell.rule, cell.score])).toEqual([
      ['equal', 1],
      ['judge', 0.5],
    ])
    const again = await score({ seed: 7 })
    expect(judge.seen).toHaveLength(7)
    expect(again.judging.calls).toBe(0)
    expect(again.judging.callsSaved).toBe(judging.callsSaved + 7)
    await score({ seed: 8 })
    expect(judge.seen).toHaveLength(14)
  })

  it('keeps what judging has cost in all when scores are made again, from the cache or not', async () => {
    usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
    reply = (_, prompt) => (prompt.includes('<score1>') ? overall : '<score>0.5</score>')
    const costs = async () => {
      const { judging } = (await readReport(join(folder, 'run'))).report.run
      const { calls, tokens, callsSaved } = judging
      return { calls, tokens, callsSaved }
    }
    const first = await score()
    expect(first.judging.calls).toBeGreaterThan(0)
    const spent = await costs()
    expect(spent).toMatchObject({ calls: first.judging.calls, tokens: 110 * first.judging.calls })
    const cached = await score()
    expect(cached.judging).toMatchObject({ calls: 0, tokens: 0 })
    expect(await costs()).toEqual(spent)
    const again = await score({ seed: 9 })
    expect(again.judging.calls).toBe(first.judging.calls)
    expect(await costs()).toEqual({ ...spent, calls: 2 * spent.calls, tokens: 2 * spent.tokens })
    const repeated = await score({ seed: 11, repeats: 3 })
    expect(repeated.judging.calls).toBe(3 * first.judging.calls)
    expect(await costs()).toEqual({ ...spent, calls: 5 * spent.calls, tokens: 5 * spent.tokens })
  })

  it('counts missing usage of a server as unknown, and writes valid records', async () => {
    reply = (_, prompt) => (prompt.includes('<score1>') ? overall : '<score>0.5</score>')
    usage = { prompt_tokens: 11 }
    await score()
    expect((await scoresOf('aoe'))[0]?.judgeUsage).toMatchObject({
      calls: 2,
      inputTokens: 22,
      outputTokens: 0,
      usd: null,
    })
  })

  it('charges a judge in a run by --prices, with the price of cached tokens', async () => {
    reply = (_, prompt) => (prompt.includes('<score1>') ? overall : '<score>0.5</score>')
    usage = { prompt_tokens: 11, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 10 } }
    const prices = join(folder, 'prices.json')
    await writeFile(prices, JSON.stringify({ 'openai:judge': { input: 100, cachedInput: 10, output: 1000 } }))
    const { report } = await executeRun(
      resolveConfig({
        tasks: join(folder, 'tasks.jsonl'),
        model: `scripted:${join(folder, 'script.jsonl')}`,
        docs: folder,
        setting: 'offline',
        limit: 1,
        out: join(folder, 'priced'),
        judge: `openai:judge@${judge.url}`,
        prices,
        cache: join(folder, 'cache'),
      }),
    )
    // One cell and one answer as a whole: 1 x 100, 10 x 10 and 7 x 1,000 millionths each.
    expect(report.run.judging).toMatchObject({ calls: 2, usd: expect.closeTo((2 * 7_200) / 1e6, 12) })
  })

  it('leaves items with a malformed reply unscored, never 0, and counts them', async () => {
    reply = (_, prompt) => (prompt.includes('land chart 1') ? 'I would say good' : '<score>1</score>')
    const { judging } = await score()
    expect(judging).toMatchObject({ unscoredCells: 1, unscoredOverall: 3 })
    const [, second] = await scoresOf('aoe')
    expect(second?.cells.map(cell => [cell.rule, cell.score])).toEqual([
      ['judge', 1],
      ['judge-failed', null],
    ])
    expect(second?.metrics.cellF1).toBe(1)
    expect(second?.overall).toBeNull()
    const { report } = await readReport(join(folder, 'run'))
    expect(renderTerminal(report, { columns: 120 })).toContain('1 item unscored; 3 overall ratings unscored')
  })

  it('leaves an attempt unscored when the judge fails on every cell', async () => {
    reply = () => null
    await score()
    const scores = await scoresOf('aoe')
    expect(scores.map(one => [one.status, one.cause])).toEqual([
      // One of its cells is equal as it stands.
      ['scored', null],
      ['unscored', 'judge'],
      ['unscored', 'judge'],
    ])
  })

  it('judges the cells of a column in one call with --judge-batch under strict', async () => {
    reply = (_, prompt) =>
      prompt.includes('<score1>')
        ? overall
        : prompt.includes('<pair number="2">')
          ? '<score pair="1">0.25</score>\n<score pair="2">0.75</score>'
          : '<score>0.5</score>'
    await score({ scorer: ['strict'], batch: true })
    const [, second] = await scoresOf('strict')
    expect(second?.cells.map(cell => cell.score)).toEqual([0.25, 0.75])
    expect(judge.seen.filter(request => JSON.stringify(request.body).includes('pair number'))).toHaveLength(2)
  })

  it('reports after repeats how measures correlate and how many judged cells flipped, and stores both with the run', async () => {
    reply = ({ body }, prompt) => {
      if (prompt.includes('<score1>')) return overall
      if (prompt.includes('land chart 2')) return `<score>${body.seed === 0 ? 0.2 : 0.4}</score>`
      return '<score>0.5</score>'
    }
    const { stability } = await score({ repeats: 2 })
    expect(stability).toMatchObject([
      {
        scorer: 'aoe',
        judge: 'openai:judge',
        repeats: 2,
        judgedCells: 5,
        flippedCells: 1,
        flippedShare: 0.2,
      },
    ])
    const cellF1 = stability[0]?.measures.find(one => one.measure === 'cellF1')
    expect(cellF1).toMatchObject({ n: 3, spearman: 1 })
    const { report } = await readReport(join(folder, 'run'))
    const text = renderTerminal(report, { columns: 120 })
    expect(text).toMatch(/Agreement of 2 repeated scorings \(scorer aoe, judge openai:judge[^)]*\)/)
    expect(text).toContain(
      '1 of the 5 items scored by the judge (20.0%) got different scores in the 2 repeats.',
    )
    expect((await scoresOf('aoe'))[2]?.cells.map(cell => cell.score)).toEqual([0.5, 0.2])
  })
})
