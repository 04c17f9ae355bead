import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, type Measurement, rounded } from './figure.ts'
import { prepareCampaign } from './parts/campaign.ts'
import { nodeStartMs, repeat, runProcess, withTemporaryFolder } from './parts/process.ts'
import { scoreCases } from './parts/score-cases.ts'
import { median } from './parts/statistics.ts'

const tablehunt = [process.execPath, 'bin/tablehunt.js']

/** Start-up time as a user experiences it: whole processes, measured in turn with a Node process that does nothing. */
export const help: Bench = {
  summary: 'start-up time of --help and of a run, as whole processes',
  read: 'The ratio is relative to `node -e 0`. On a machine that starts Node in 64 ms, 300 ms is a ratio of 4.7. Every command needs this time before it begins. A run with one attempt that takes no time shows what a run takes besides its attempts.',
  figures: {
    'help-ms': { unit: 'ms', target: { atMost: 300 } },
    'run-start-ms': { unit: 'ms', target: { atMost: 2_000 } },
  },
  async run() {
    return await withTemporaryFolder(async folder => {
      const run = await writeRunCommand(folder)
      const times = await repeat(7, async turn => ({
        node: (await runProcess([process.execPath, '-e', '0'])).wallMs,
        help: (await runProcess([...tablehunt, '--help'])).wallMs,
        run: (await runProcess([...run, '--out', join(folder, `run-${turn}`)])).wallMs,
      }))
      const nodeMs = median(times.map(({ node }) => node))
      const against = `node -e 0, measured in the same run: ${rounded(nodeMs)} ms`
      const measurement = (value: number): Measurement => ({ value, against, ratio: value / nodeMs })
      return {
        'help-ms': measurement(median(times.map(time => time.help))),
        'run-start-ms': measurement(median(times.map(time => time.run))),
      }
    })
  },
}

/** Returns the command of a run with one attempt that takes no time: it measures start-up and report. */
async function writeRunCommand(folder: string): Promise<string[]> {
  const { tasks, model } = await prepareCampaign({ folder, attempts: 1, steps: 1, concurrency: 1 })
  const docs = join(folder, 'docs')
  await mkdir(docs)
  for (const part of ['a', 'b']) await writeFile(join(docs, `group-000000-${part}.pdf`), 'Revenue 1,000')
  const options = { tasks, docs, setting: 'offline', model: model[0]!, cache: join(folder, 'cache') }
  return [...tablehunt, 'run', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])]
}

const [tables, rows, seed] = [1_000, 50, 20_261_121]
/** Recorded: AOE's published scorer in Python without a judge on the same tables, where `node -e 0` took so long. */
const published = { tablesPerSecond: 85.8, nodeStartMs: 64 }

/** Tables of 50 x 10 that the command scores per second of processor time, including the start of the process. */
export const scorer: Bench = {
  summary: `${tables} tables of ${rows} x 10, scorer aoe, judges none and rules`,
  read: 'The ratio is relative to the published scorer, which was recorded on a machine of the named speed. It decides how long it takes to score a large run again.',
  notes: [
    'The comparison is a constant. A machine that starts Node more slowly than the one of the recording has a lower ratio.',
  ],
  figures: {
    'scorer-tables-per-second': { unit: 'tables / CPU s', target: { atLeast: 20, of: 'ratio' } },
    'scorer-rules-tables-per-second': { unit: 'tables / CPU s' },
  },
  async run() {
    return await withTemporaryFolder(async folder => {
      const file = join(folder, 'batch.json')
      await writeFile(file, JSON.stringify(scoreCases(tables, rows, seed)))
      const speed = `\`node -e 0\` ${rounded(await nodeStartMs())} ms here, ${published.nodeStartMs} ms there`
      const against = `recorded: the published scorer ${published.tablesPerSecond}; ${speed}`
      const measure = async (judge: string): Promise<Measurement> => {
        const value = await scoringSpeed(file, judge)
        return { value, against, ratio: value / published.tablesPerSecond }
      }
      return {
        'scorer-tables-per-second': await measure('none'),
        'scorer-rules-tables-per-second': await measure('rules'),
      }
    })
  },
}

async function scoringSpeed(file: string, judge: string): Promise<number> {
  const command = [...tablehunt, 'score', file, '--scorer', 'aoe', '--judge', judge, '--json']
  const speeds = await repeat(3, async () => {
    const { cpuMs, stdout } = await runProcess(command)
    const scored = stdout.split('\n').length - 1
    if (scored !== tables) throw new Error(`${scored} of ${tables} tables were scored`)
    return (tables / cpuMs) * 1_000
  })
  return median(speeds)
}
