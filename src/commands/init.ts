import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { Option } from 'commander'
import type { RegisterCommand } from './command.ts'

interface InitFlags {
  readonly benchmark: 'aoe' | 'qa' | 'spreadsheet'
  readonly model: string
}

/** Registers `init`. */
export const registerInit: RegisterCommand = command => {
  command
    .argument('[FOLDER]', 'the folder of the project', '.')
    .addOption(
      new Option(
        '--benchmark <NAME>',
        'the kind of tasks: JSON lines, questions in a CSV file, or gold in a CSV file',
      )
        .choices(['aoe', 'qa', 'spreadsheet'])
        .default('aoe'),
    )
    .option('--model <NAME>', 'the model of the config file', 'extractive')
    .action(async (folder: string, flags: InitFlags) => await writeAndTell(folder, flags))
}

async function writeAndTell(folder: string, { benchmark, model }: InitFlags): Promise<void> {
  const { writeProject } = await import('./new-project.ts')
  const { files, tasks, notes } = await writeProject({ folder, benchmark, model })
  const hasScript = notes.length === 0
  const run = hasScript && isInstalled(folder) ? 'npm run eval' : 'npx tablehunt run'
  const later =
    hasScript && run !== 'npm run eval' ? ['`npm run eval` does the same after `npm install tablehunt`.'] : []
  const lines = [
    ...files.map(name => join(folder, name)),
    ...notes,
    '',
    'Next:',
    ...(resolve(folder) === process.cwd() ? [] : [`  cd ${folder}`]),
    `  npx tablehunt tasks check ${tasks}`,
    `  ${run}`,
    ...later,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function isInstalled(folder: string): boolean {
  try {
    createRequire(join(resolve(folder), 'package.json')).resolve('tablehunt/package.json')
    return true
  } catch {
    return false
  }
}
