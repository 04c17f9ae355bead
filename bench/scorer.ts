import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench, BenchFigure } from './figure.ts'
import { nodeStartMs, runProcess } from './parts/process.ts'
import { recorded } from './parts/recorded.ts'
import { scoreCases } from './parts/score-cases.ts'
import { median, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const repetitions = 3
const [tables, rows, seed] = [1_000, 50, 20_261_121]
const published = recorded.publishedScorerTablesPerSecond

/** Tables of 50 x 10 that the command scores per second of processor time, including the start of the process. */
export const scorer: Bench = {
  summary: `${tables} tables of ${rows} x 10, scorer aoe, judges none and rules`,
  read: 'The ratio is relative to the published scorer, which was recorded on a machine of the named speed.',
  why: 'It decides how long it takes to score a large run again.',
  notes: [
    'The comparison is a constant. A machine that starts Node more slowly than the one of the recording has a lower ratio.',
  ],
  figures: ['scorer-tables-per-second', 'scorer-rules-tables-per-second'],
  targets: { 'scorer-tables-per-second': { atLeast: 20, of: 'ratio' } },
  run: () =>
    withTemporaryFolder(async folder => {
      const file = join(folder, 'batch.json')
      await writeFile(file, JSON.stringify(scoreCases(tables, rows, seed)))
      const speed = `\`node -e 0\` ${rounded(await nodeStartMs(), 0)} ms here, ${recorded.nodeStartMs} ms there`
      const against = `recorded: the published scorer ${published}; ${speed}`
      return [
        await measure('scorer-tables-per-second', file, 'none', against),
        await measure('scorer-rules-tables-per-second', file, 'rules', against),
      ]
    }),
}

async function measure(figure: string, file: string, judge: string, against: string): Promise<BenchFigure> {
  const options = [file, '--scorer', 'aoe', '--judge', judge, '--json']
  const speeds: number[] = []
  for (let turn = 0; turn < repetitions; turn++) {
    const { cpuMs, stdout } = await runProcess([process.execPath, 'bin/tablehunt.js', 'score', ...options])
    const scored = stdout.split('\n').length - 1
    if (scored !== tables) throw new Error(`${scored} of ${tables} tables were scored`)
    speeds.push((tables / cpuMs) * 1_000)
  }
  return {
    figure,
    value: rounded(median(speeds), 0),
    unit: 'tables / CPU s',
    against,
    ratio: rounded(median(speeds) / published, 1),
  }
}
