import type { RegisterCommand } from './command.ts'
import { fullHelp } from './report.ts'
import { addRunFlags, allRunOptions, configFlag } from './run-flags.ts'

export const registerRun: RegisterCommand = (command, setExitCode) => {
  addRunFlags(command.addOption(configFlag()).option('--full', fullHelp), allRunOptions).action(
    async (given: Record<string, unknown>) => {
      const { config: file, full, ...flags } = given as { config?: string; full?: boolean }
      const { gatherOptions } = await import('../config/gather-options.ts')
      const { runForTerminal } = await import('./run-for-terminal.ts')
      const gathered = await gatherOptions({
        folder: process.cwd(),
        file: file ?? null,
        flags,
        env: process.env,
      })
      const { options, notices } = gathered
      const web = await demoWeb(options)
      setExitCode(await runForTerminal(options, { ...web, notices, full: full === true }))
    },
  )
}

/** A demo that is resumed serves the same web as before: its look-alike documents are no option of `run`. */
async function demoWeb(options: Readonly<Record<string, unknown>>): Promise<{ distractors?: string }> {
  const { resume, out } = options
  if (resume !== true || typeof out !== 'string') return {}
  const { requireRun } = await import('../run/records/resume.ts')
  const { readManifest } = await import('../run/records/run-folder.ts')
  requireRun(out)
  if ((await readManifest(out)).command[0] !== 'demo') return {}
  const { demoPaths } = await import('../../tasks/demo/demo.ts')
  return { distractors: demoPaths.distractors }
}
