import { join } from 'node:path'
import type { RegisterCommand } from './command.ts'
import { fullHelp } from './report.ts'
import { addRunFlags } from './run-flags.ts'

/** The notice that accompanies all scores of `extractive`: how its rules were written, and its scores on other documents. */
const extractiveCaution = [
  'extractive shows how a run works and is not a baseline: its rules were written for these documents.',
  'On other documents of the same kinds it reached Cell F1 63.6 offline and 30.7 with RAG (academic 0, legal 46.5).',
].join(' ')

/** Returns a new folder for each second: `runs/demo-20261121T100000`. */
function newFolder(): string {
  return join('runs', `demo-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`)
}

/** Registers `demo`. */
export const registerDemo: RegisterCommand = (command, setExitCode) => {
  addRunFlags(command, [
    'out',
    'setting',
    'model',
    'baseUrl',
    'limit',
    'filter',
    'concurrency',
    'contextWindow',
    'maxOutputTokens',
    'requestTimeout',
    'toolProtocol',
    'cache',
    'json',
  ])
  command.option('--full', fullHelp).action(async (flags: Record<string, unknown>) => {
    const { full, ...given } = flags
    const { demoPaths } = await import('../../tasks/demo/demo.ts')
    const { runForTerminal } = await import('./run-for-terminal.ts')
    const own = { tasks: demoPaths.tasks, docs: demoPaths.documents, web: 'sealed', out: newFolder() }
    setExitCode(
      await runForTerminal({ ...own, ...given }, { distractors: demoPaths.distractors, full: full === true }),
    )
    const models = [given.model ?? 'extractive'].flat()
    if (!models.includes('extractive')) return
    process.stderr.write(`${extractiveCaution}\n`)
  })
}
