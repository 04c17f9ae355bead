import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { tablehunt } from '../cli/cli.ts'

let folder: string
const names = ['1', '2', '3', '4', '5']

/** Each answer costs US$ 1.10: 110,000 tokens at 10 dollars per million. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-repeated-'))
  await mkdir(join(folder, 'documents'))
  const write = (name: string, lines: readonly unknown[]) =>
    writeFile(join(folder, name), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  for (const n of names)
    await writeFile(join(folder, `documents/a${n}.txt`), `Hotel Alder${n} has 1${n} beds.`)
  await write(
    'tasks.jsonl',
    names.map(n => ({
      record_id: `h${n}`,
      language: 'en',
      domain: 'travel',
      query: 'List the hotels: hotel, beds, town.',
      input_doc: [`a${n}.txt`],
      key_cols: ['Hotel'],
      target_value_columns: ['Beds', 'Town'],
      numeric_columns: ['Beds'],
      answers: [{ Hotel: `Alder${n}`, Beds: Number(`1${n}`), Town: 'Ulm' }],
    })),
  )
  const usage = { inputTokens: 100_000, outputTokens: 10_000 }
  await write(
    'script.jsonl',
    names.map(n => ({
      taskId: `h${n}`,
      turns: [{ text: `\`\`\`csv\nHotel,Beds,Town\nAlder${n},1${n},Ulm am See\n\`\`\``, usage }],
    })),
  )
  await write('refusing.jsonl', [{ setting: 'judge', turns: [{ error: 401 }] }])
  await writeFile(join(folder, 'prices.json'), '{"scripted":{"input":10,"cachedInput":10,"output":10}}')
})

const run = async (out: string, ...options: string[]) => {
  const inputs = ['--tasks', join(folder, 'tasks.jsonl'), '--docs', join(folder, 'documents')]
  const model = [
    '--model',
    `scripted:${join(folder, 'script.jsonl')}`,
    '--prices',
    join(folder, 'prices.json'),
  ]
  const all = [
    ...inputs,
    ...model,
    '--setting',
    'offline',
    '--scorer',
    'aoe',
    '--concurrency',
    '1',
    ...options,
  ]
  const { code, stdout, stderr } = await tablehunt(['run', '--out', join(folder, out), ...all])
  return { code, stderr, summary: stdout.replace(/\s+/g, ' ') }
}

const lines = async (out: string, file: string): Promise<string[]> =>
  (await readFile(join(folder, out, file), 'utf8')).trim().split('\n')

it('records what was made before a judge that refuses its key ends the run, and names the command that scores it', async () => {
  const judge = ['--judge', `scripted:${join(folder, 'refusing.jsonl')}`]
  const { code, stderr } = await run('refused', ...judge)
  expect(code).toBe(1)
  const made = await lines('refused', 'attempts.jsonl')
  expect(made.length).toBeGreaterThan(0)
  expect(stderr).toContain(
    `What the judge left unscored: tablehunt score ${join(folder, 'refused')} --scorer aoe --judge scripted:`,
  )
  const again = await run('refused', ...judge)
  expect(again.summary).not.toContain('made again')
  const scored = await tablehunt(['score', join(folder, 'refused'), '--scorer', 'aoe', '--judge', 'rules'])
  expect(scored.code).toBe(0)
  expect(await lines('refused', 'attempts.jsonl')).toEqual(expect.arrayContaining(made))
})

it('leaves attempts without a score that the budget of the run ended, and makes them again with --retry unscored', async () => {
  const short = await run('budget', '--run-budget-usd', '2.5')
  expect(short.summary).toContain("Not scored: 3 of 5 attempts: 3 ended by the run's budget")
  const causes = (await lines('budget', 'scores.jsonl')).map(line => JSON.parse(line).cause as string | null)
  expect(causes).toEqual([null, null, 'run-budget', 'run-budget', 'run-budget'])
  const whole = await run('budget', '--run-budget-usd', '12', '--retry', 'unscored')
  expect(whole.summary).toContain('all 5 attempts are scored')
  expect(whole.summary).toContain('Cost: 660k tokens, 6 model calls, US$ 6.60')
  expect(whole.summary).toContain('included: US$ 1.10 on 3 attempts that were stopped or made again')
})

it.each([
  ['the last attempt', 1, 'US$ 6.60', 'US$ 1.10 on 1 attempt that was'],
  ['two attempts', 2, 'US$ 7.70', 'US$ 2.20 on 2 attempts that were'],
  ['all attempts', 5, 'US$ 11.00', 'US$ 5.50 on 5 attempts that were'],
])(
  'counts %s of a killed run, whose records are missing, in Cost, status and report',
  async (_, lost, usd, part) => {
    const out = `killed-${lost}`
    await run(out)
    const kept = (await lines(out, 'attempts.jsonl')).slice(0, 5 - lost)
    await writeFile(join(folder, out, 'attempts.jsonl'), kept.map(line => `${line}\n`).join(''))
    await rm(join(folder, out, 'scores.jsonl'))
    const { summary } = await run(out, '--run-budget-usd', '20')
    expect(summary).toContain(usd)
    expect(summary).toContain(`included: ${part} stopped or made again`)
    const status = await tablehunt(['status', join(folder, out)])
    expect(status.stdout).toContain(usd)
    const report = await tablehunt(['report', join(folder, out), '--full'])
    expect(report.stdout.replace(/\s+/g, ' ')).toContain(`Not in the tables: ${part} stopped or made again.`)
  },
)

it('says that the amount is unknown when the process was killed during a call', async () => {
  await run('cut')
  const [first, ...others] = await lines('cut', 'attempts.jsonl')
  const { attemptId } = JSON.parse(first!) as { attemptId: string }
  await writeFile(join(folder, 'cut/attempts.jsonl'), others.map(line => `${line}\n`).join(''))
  await rm(join(folder, 'cut/scores.jsonl'))
  const trace = `traces/${attemptId}.jsonl`
  const called = (await lines('cut', trace)).filter(line => /"attempt-started"|"model-called"/.test(line))
  await writeFile(join(folder, 'cut', trace), called.map(line => `${line}\n`).join(''))
  const { summary } = await run('cut')
  expect(summary).toContain('US$ at least 5.50')
  expect(summary).toContain('included: an unknown amount on 1 attempt')
})
