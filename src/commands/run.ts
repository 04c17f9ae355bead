import type { Manifest } from '../run/records/manifest.ts'
import type { RegisterCommand } from './command.ts'
import { fullHelp } from './report.ts'
import { addAllFlags, makeConfigFlag } from './run-flags.ts'

/** Registers `run`. */
export const registerRun: RegisterCommand = (command, setExitCode) => {
  addAllFlags(command.addOption(makeConfigFlag()).option('--full', fullHelp)).action(
    async ({ config: file, full, ...flags }: { config?: string; full?: boolean }) => {
      const { gatherOptions } = await import('../config/gather-options.ts')
      const { runForTerminal } = await import('./run-for-terminal.ts')
      const gathered = await gatherOptions({
        folder: process.cwd(),
        file: file ?? null,
        flags,
        env: process.env,
      })
      const { options, notices } = gathered
      const web = await readDemoWeb(options)
      setExitCode(await runForTerminal(options, { ...web, notices, full: full === true }))
    },
  )
}

/** Returns the distractors of a demo that is resumed, which no option of `run` names, so that its web is the same as before. */
async function readDemoWeb(options: Readonly<Record<string, unknown>>): Promise<{ distractors?: string }> {
  const { resume, out } = options
  if (resume !== true || typeof out !== 'string') return {}
  const { requireRun } = await import('../run/records/resume.ts')
  const { readManifest } = await import('../run/records/manifest-file.ts')
  requireRun(out)
  return await readDistractors(await readManifest(out))
}

/** Returns the distractors of the sealed web of a demo; empty for other runs. */
export async function readDistractors({ command }: Manifest): Promise<{ distractors?: string }> {
  if (command[0] !== 'demo') return {}
  const { demoPaths } = await import('../../tasks/demo/demo.ts')
  return { distractors: demoPaths.distractors }
}
