import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import { resolveConfig } from '../../src/config.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import { executeRun } from '../../src/run.ts'

const text = 'Elm Holdings reports revenue of 4,512,137 for the year 2024 and sells timber to builders.'
const url = 'https://files.example/elm.txt'

/** One attempt that opens the document at that part and answers with a wrong figure. */
async function attemptAt(part: number): Promise<{ attempt: Attempt; score: Score }> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-unshown-'))
  const [docs, out] = [join(folder, 'docs'), join(folder, 'run')]
  await mkdir(docs)
  await writeFile(join(docs, 'elm.txt'), text)
  const record = {
    record_id: 'financial_1_0_en',
    language: 'en',
    domain: 'financial',
    query: 'What is the revenue?',
    input_doc: ['elm.txt'],
    answers: [{ Company: 'Elm Holdings', Revenue: '4,512,137' }],
    key_cols: ['Company'],
    target_value_columns: ['Revenue'],
    numeric_columns: ['Revenue'],
  }
  const answer = '```csv\nCompany,Revenue\nElm Holdings,7\n```'
  const turns = [{ toolCalls: [{ name: 'fetch_page', args: { url, part } }] }, { text: answer }]
  await writeFile(join(folder, 'tasks.jsonl'), `${JSON.stringify(record)}\n`)
  await writeFile(join(folder, 'script.jsonl'), `${JSON.stringify({ turns })}\n`)
  const config = resolveConfig({
    tasks: join(folder, 'tasks.jsonl'),
    out,
    docs,
    setting: 'online',
    model: `scripted:${join(folder, 'script.jsonl')}`,
    browser: 'off',
    cache: join(folder, 'cache'),
  })
  const web = fixedDelayWeb(0)
  const send = async () => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: Buffer.from(text),
    finalUrl: url,
  })
  await executeRun(config, { web: { ...web, transport: { name: 'test', send } }, env: {} })
  const first = async (name: string) => JSON.parse((await readFile(join(out, name), 'utf8')).split('\n')[0]!)
  return { attempt: await first('attempts.jsonl'), score: await first('scores.jsonl') }
}

it('counts a document as opened when its body arrived, even if the requested part does not exist', async () => {
  const { attempt, score } = await attemptAt(9)
  expect(attempt.discovery?.hints[0]).toMatchObject({ openedStep: 1, parsedStep: null, usedStep: null, url })
  expect(attempt.discovery?.recall).toMatchObject({ opened: 1, parsed: 0 })
  expect(attempt.usage?.toolErrors).toBe(1)
  expect(score.cells.map(cell => cell.class)).toEqual(['not-parsed'])
})

it('counts a document as parsed when the requested part is shown', async () => {
  const { attempt, score } = await attemptAt(1)
  expect(attempt.discovery?.hints[0]).toMatchObject({ openedStep: 1, parsedStep: 1 })
  expect(score.cells.map(cell => cell.class)).toEqual(['wrong'])
})
