import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../src/system/paths.ts'
import type { Bench, BenchFigure } from './figure.ts'
import { prepareCampaign } from './parts/campaign.ts'
import { runProcess } from './parts/process.ts'
import { median, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const repetitions = 7
const command = [process.execPath, join(packageRoot, 'bin', 'tablehunt.js')]
const nothing = [process.execPath, '-e', '0']

/** Start-up time as a user experiences it: whole processes, measured in turn with a Node process that does nothing. */
export const help: Bench = {
  summary: 'start-up time of --help and of a run, as whole processes',
  read: 'The ratio is relative to `node -e 0`. On a machine that starts Node in 64 ms, 300 ms is a ratio of 4.7.',
  why: 'Every command needs this time before it begins. A run with one attempt that takes no time shows what a run takes besides its attempts.',
  figures: ['help-ms', 'run-start-ms'],
  targets: { 'help-ms': { atMost: 300 }, 'run-start-ms': { atMost: 2_000 } },
  run: () => withTemporaryFolder(measure),
}

async function measure(folder: string): Promise<BenchFigure[]> {
  const run = [...command, 'run', ...(await oneAttempt(folder))]
  const wall: Record<'node' | 'help' | 'run', number[]> = { node: [], help: [], run: [] }
  for (let turn = 0; turn < repetitions; turn++) {
    wall.node.push((await runProcess(nothing)).wallMs)
    wall.help.push((await runProcess([...command, '--help'])).wallMs)
    wall.run.push((await runProcess([...run, '--out', join(folder, `run-${turn}`)])).wallMs)
  }
  const floor = median(wall.node)
  const figure = (name: string, times: readonly number[]): BenchFigure => ({
    figure: name,
    value: rounded(median(times), 0),
    unit: 'ms',
    against: `node -e 0, measured in the same run: ${rounded(floor, 0)} ms`,
    ratio: rounded(median(times) / floor, 2),
  })
  return [figure('help-ms', wall.help), figure('run-start-ms', wall.run)]
}

/** The options of a run with one attempt that takes no time: it measures start-up and report. */
async function oneAttempt(folder: string): Promise<string[]> {
  const campaign = { folder, attempts: 1, steps: 1, turnMs: 0, answerMs: 0, concurrency: 1 }
  const { tasks, model } = await prepareCampaign(campaign)
  const docs = join(folder, 'docs')
  await mkdir(docs)
  for (const part of ['a', 'b']) await writeFile(join(docs, `group-000000-${part}.pdf`), 'Revenue 1,000')
  return [
    '--tasks',
    tasks,
    '--docs',
    docs,
    '--setting',
    'offline',
    '--model',
    model[0]!,
    '--cache',
    join(folder, 'cache'),
  ]
}
