import type { RegisterCommand } from './command.ts'
import { addRunFlags, allRunOptions, configFlag } from './run-flags.ts'

interface ConfigFlags {
  readonly config?: string
  readonly json?: boolean
}

/** Registers `config`. */
export const registerConfig: RegisterCommand = command => {
  const others = allRunOptions.filter(name => name !== 'json')
  addRunFlags(command.addOption(configFlag()).option('--json', 'print JSON'), others)
  command.action(async ({ config: file, json, ...flags }: ConfigFlags) => {
    await printConfig(file ?? null, flags, json === true)
  })
}

/** Prints every option of `run` with its value and source, without secrets. */
async function printConfig(file: string | null, flags: object, json: boolean): Promise<void> {
  const { gatherOptions } = await import('../config/gather-options.ts')
  const { configLines, shownOptions } = await import('../config/render-config.ts')
  const { createRedactor } = await import('../../logs/redact.ts')
  const { listSecrets: secretsOf } = await import('../run/open-run/secrets.ts')
  const sources = { folder: process.cwd(), file, flags: { ...flags }, env: process.env }
  const gathered = await gatherOptions(sources)
  const { optionsWithoutSecrets } = await import('../config/without-secrets.ts')
  const shown = Object.entries(shownOptions(gathered, process.env)).map(([name, option]) => {
    return [name, { ...option, value: optionsWithoutSecrets({ [name]: option.value })[name] }]
  })
  const options = createRedactor(secretsOf(process.env)).value(
    Object.fromEntries(shown) as ReturnType<typeof shownOptions>,
  )
  for (const notice of gathered.notices) process.stderr.write(`${notice}\n`)
  const { files } = gathered
  process.stdout.write(
    json ? `${JSON.stringify({ files, options })}\n` : `${configLines(options).join('\n')}\n`,
  )
}
