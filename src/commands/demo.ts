import { join } from 'node:path'
import type { RegisterCommand } from './command.ts'
import { fullHelp } from './report.ts'
import { addRunFlags } from './run-flags.ts'

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
    const { extractiveCaution } = await import('../models/extractive/caution.ts')
    process.stderr.write(`${extractiveCaution}\n`)
  })
}
