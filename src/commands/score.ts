import { stat } from 'node:fs/promises'
import type { ScoringConfig } from '../config/scoring-config.ts'
import { ConfigError } from '../core/errors.ts'
import { type Judge, noJudge, rulesJudge } from '../score/contract/judge.ts'
import { ifMissing } from '../system/files.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { fullHelp } from './report.ts'
import { addRunFlags, makeConfigFlag } from './run-flags.ts'
import { printLines, tell } from './terminal.ts'
import { tuneForOnePass } from './v8-flags.ts'

/** The flags of `score`. The others are options for scoring. */
type ScoreFlags = Readonly<Record<string, unknown>> & {
  readonly full?: boolean
  readonly json?: boolean
  readonly repeat?: string
  readonly judge?: string
  readonly scorer?: readonly string[]
  readonly schemas?: string
  readonly config?: string
}

/** Flags that only a file, or only a run, can use. */
const runFlags = ['full', 'repeat', 'successAt', 'allowMissingDocuments'] as const
const fileFlags = ['schemas'] as const

/** Registers `score`. */
export const registerScore: RegisterCommand = (command, setExitCode) => {
  command
    .argument(
      '<RUN|FILE>',
      'the folder of a run, or a file of cases: tables, extractions or texts (docs/scoring.md)',
    )
    .option('--full', fullHelp)
    .option('--json', 'print the report of the run as JSON; a file always prints JSON lines')
    .option('--repeat <N>', 'run: score N times, and report how stable the scores are (1)')
    .option(
      '--schemas <DIR>',
      'file of extractions: the folder of the schemas, when they are not beside FILE',
    )
    .addOption(makeConfigFlag())
  addRunFlags(command, 'score')
  withPlugins(command).action(async (path: string, flags: ScoreFlags) => {
    const place = await stat(path).catch(ifMissing)
    if (place === null)
      throw new ConfigError(
        `${path}: no such file or folder. Name the folder of a run, or a file of cases to score.`,
        { code: 'path-missing' },
      )
    if (!place.isDirectory()) return await scoreCases(path, flags)
    refuseFlags(flags, fileFlags, `${path} is a folder. Only files of extractions have schemas.`)
    const { scoreForTerminal } = await import('./score-for-terminal.ts')
    const { full, json, repeat = '1' } = flags
    setExitCode(await scoreForTerminal(path, { config: await resolveFlags(flags), full, json, repeat }))
  })
}

function refuseFlags(flags: ScoreFlags, names: readonly string[], reason: string): void {
  const name = names.find(name => flags[name] !== undefined)
  if (name === undefined) return
  const flag = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  throw new ConfigError(`${flag}: ${reason} Leave the option out.`, { code: 'flag-without-effect' })
}

/** Scores a file of cases, and prints one JSON line for each. */
async function scoreCases(file: string, flags: ScoreFlags): Promise<void> {
  refuseFlags(flags, runFlags, `${file} is a file. Only runs use it.`)
  tuneForOnePass()
  const { scoreFile } = await import('../run/score-files/score-file.ts')
  const scorers = (flags.scorer ?? []).flatMap(names => names.split(',').map(name => name.trim()))
  await printLines(
    scoreFile(file, { scorers, schemas: flags.schemas ?? null, judge: await openFileJudge(flags) }),
  )
}

/** Opens the judge that --judge names. */
async function openFileJudge(flags: ScoreFlags): Promise<Judge> {
  if (flags.judge === undefined || flags.judge === 'rules') return rulesJudge
  if (flags.judge === 'none') return noJudge
  const { openJudgeAlone } = await import('../run/open-run/judge.ts')
  return await openJudgeAlone(await resolveFlags(flags), { tell })
}

/** Resolves the options for scoring, with those that only a config file sets. They are about a judge model. */
async function resolveFlags(flags: ScoreFlags): Promise<ScoringConfig> {
  const { addFileOptions } = await import('../config/gather-options.ts')
  const { resolveScoring } = await import('../config/scoring-config.ts')
  const { config, full, json, repeat, schemas, plugins, ...options } = flags
  const asksModel = !['none', 'rules', undefined].includes(flags.judge)
  return resolveScoring(asksModel ? await addFileOptions('score', options, config ?? null) : options)
}
