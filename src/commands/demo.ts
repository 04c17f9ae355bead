import { join } from 'node:path'
import type { ParsedOptions } from '../config.ts'
import type { RegisterCommand } from './command.ts'
import { fullHelp } from './report.ts'
import { addRunFlags } from './run-flags.ts'

/** The notice that accompanies all scores of `extractive`: how its rules were written, and its scores on other documents. */
const extractiveCaution = [
  'extractive shows how a run works and is not a baseline: its rules were written for these documents.',
  'On other documents of the same kinds an earlier version reached Cell F1 63.6 offline and 30.7 with RAG (academic 0, legal 46.5).',
].join(' ')

/** With one of these options, a run is about the tasks with document names, so the task without them is left out. */
const choices = ['setting', 'limit', 'filter', 'json']

/** Runs the task without document names: from memory, and on a web of made-up pages. Returns the exit code. */
async function runWideTask(options: ParsedOptions, full: boolean): Promise<number> {
  const { wideDemoPaths } = await import('../../tasks/demo/demo.ts')
  const { runForTerminal } = await import('./run-for-terminal.ts')
  process.stdout.write(
    "\nA task without document names, in WideSearch's form.\nclosed-book: what the model knows without searching.\n\n",
  )
  const task = {
    benchmark: 'widesearch',
    tasks: wideDemoPaths.tasks,
    setting: ['closed-book', 'online'],
    // The pages have look-alikes of their own.
    docs: wideDemoPaths.pages,
    twins: 0,
    out: `${options.out}-wide`,
  }
  return await runForTerminal({ ...options, ...task }, { full })
}

/** Returns a new folder for each second: `runs/demo-20261121T100000`. */
function nameNewFolder(): string {
  return join('runs', `demo-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`)
}

/** Registers `demo`. */
export const registerDemo: RegisterCommand = (command, setExitCode) => {
  addRunFlags(command, 'demo')
  command.option('--full', fullHelp).action(async ({ full, ...flags }: Record<string, unknown>) => {
    const { demoPaths } = await import('../../tasks/demo/demo.ts')
    const { parseOptions } = await import('../config.ts')
    const { runForTerminal } = await import('./run-for-terminal.ts')
    const options = parseOptions({
      tasks: demoPaths.tasks,
      docs: demoPaths.documents,
      web: 'sealed',
      out: nameNewFolder(),
      ...flags,
    })
    const code = await runForTerminal(options, { distractors: demoPaths.distractors, full: full === true })
    const isPart = choices.some(name => flags[name] !== undefined)
    setExitCode(code === 0 && !isPart ? await runWideTask(options, full === true) : code)
    const models = flags.model as readonly string[] | undefined
    if (models?.includes('extractive') === false) return
    process.stderr.write(`${extractiveCaution}\n`)
  })
}
