import type { Command } from 'commander'
import type { Benchmark } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { ConfigError } from '../core/errors.ts'
import { describeUnknownName } from '../core/nearest-name.ts'
import { modelProviders } from '../models/registry.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'
import { addAllFlags, makeConfigFlag } from './run-flags.ts'

interface ConfigFlags {
  readonly config?: string
  readonly json?: boolean
}

const defaultQueue = 'redis://127.0.0.1:6379'

/** Registers `info` and the commands below it. */
export const registerInfo: RegisterCommand = info => {
  info.allowExcessArguments().action(async (_, { args: [name] }: Command) => {
    if (name === undefined) return await printOverview()
    const names = info.commands.map(command => command.name())
    throw new ConfigError(`unknown command info ${describeUnknownName(name, names)}`, {
      code: 'unknown-command',
    })
  })
  withPlugins(info.command('models'))
    .description('list the providers of models for --model')
    .action(() => printText(modelProviders.names().map(describeProvider).join('\n')))
  withPlugins(info.command('benchmarks'))
    .option('--json', 'print JSON')
    .description('list the benchmarks for --benchmark with their answers, settings and scorers')
    .action(({ json }: { json?: boolean }) => printBenchmarks(json === true))
  addAllFlags(
    info
      .command('config')
      .addOption(makeConfigFlag())
      .option('--json', 'print JSON')
      .description('print every option of run with its value and the source of the value'),
    ['json'],
  ).action(async ({ config: file, json, ...flags }: ConfigFlags) => {
    await printConfig(file ?? null, flags, json === true)
  })
  withPlugins(info.command('doctor'))
    .option('--queue <URL>', 'the address of a Redis server', defaultQueue)
    .description(
      'check what is installed (browser, Chroma, Redis, packages, API keys) and what does not work without it',
    )
    .action(async ({ queue }: { queue: string }) => await printChecks(queue))
}

function printText(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints one line about each command below `info`. */
async function printOverview(): Promise<void> {
  const { gatherOptions } = await import('../config/gather-options.ts')
  const { runDoctorChecks } = await import('../run/doctor-checks.ts')
  const { env } = process
  const { files, options } = await gatherOptions({ folder: process.cwd(), file: null, flags: {}, env })
  const missing = (await runDoctorChecks(env, defaultQueue)).filter(({ found }) => found === null)
  const lines = [
    ['models', modelProviders.names().join(', ')],
    ['benchmarks', benchmarks.names().join(', ')],
    ['config', `${Object.keys(options).length} options set; ${files.join(', ') || 'no config file here'}`],
    ['doctor', `not found: ${missing.map(({ name }) => name).join(', ') || 'nothing'}`],
  ]
  printText(lines.map(([name, text]) => `${name!.padEnd(10)}  ${text}`).join('\n'))
  process.stderr.write('`tablehunt info NAME` says more about each of them.\n')
}

function describeProvider(name: string): string {
  const { keyVariable, package: packageName, summary } = modelProviders.get(name)
  const needs = [keyVariable, packageName].filter(need => need !== null).join(', ')
  return `${name.padEnd(18)} ${summary}${needs === '' ? '' : `  [${needs}]`}`
}

function printBenchmarks(isJson: boolean): void {
  const entries = benchmarks.entries()
  printText(
    isJson
      ? JSON.stringify({ benchmarks: entries.map(serializeBenchmark) })
      : entries.map(([name, benchmark]) => describeBenchmark(name, benchmark).join('\n')).join('\n\n'),
  )
}

function describeBenchmark(
  name: string,
  { summary, answerKinds, settings, otherSettings, scorers, cut, data }: Benchmark,
): string[] {
  const [usual, ...others] = scorers
  const also = (names: readonly string[]): string =>
    names.length === 0 ? '' : ` (also: ${names.join(', ')})`
  return [
    name,
    `  --tasks    ${summary}`,
    `  answers    ${answerKinds.join(', ')}`,
    `  --setting  ${settings.join(', ')}${also(otherSettings)}`,
    `  --scorer   ${usual}${also(others)}`,
    ...(cut === 'even' ? [] : [`  --cut      ${cut}`]),
    ...(data === null
      ? ['  data       your own']
      : [`  data       ${data.source}`, `  licence    ${data.licence}`, `  download   ${data.layout}`]),
  ]
}

/** Returns the data that a benchmark declares, without its functions. */
function serializeBenchmark([name, benchmark]: readonly [string, Benchmark]) {
  const { summary, answerKinds, settings, otherSettings, scorers, prompts, cut, answerHosts, data } =
    benchmark
  return {
    name,
    plugin: benchmarks.originOf(name),
    summary,
    answerKinds,
    settings,
    otherSettings,
    scorers,
    prompts: typeof prompts === 'string' ? prompts : name,
    cut,
    answerHosts,
    data,
  }
}

/** Prints every option of `run` with its value and source, without secrets. */
async function printConfig(file: string | null, flags: object, isJson: boolean): Promise<void> {
  const { gatherOptions } = await import('../config/gather-options.ts')
  const { listConfigLines, listOptions } = await import('../config/render-config.ts')
  const { createRedactor } = await import('../../logs/redact.ts')
  const { cleanOptions } = await import('../config/without-secrets.ts')
  const { env } = process
  const gathered = await gatherOptions({ folder: process.cwd(), file, flags: { ...flags }, env })
  const values = Object.entries(listOptions(gathered, env)).map(([name, option]) => {
    return [name, { ...option, value: cleanOptions({ [name]: option.value })[name] }]
  })
  const options = createRedactor([]).value(Object.fromEntries(values) as ReturnType<typeof listOptions>)
  for (const notice of gathered.notices) process.stderr.write(`${notice}\n`)
  const { files } = gathered
  printText(isJson ? JSON.stringify({ files, options }) : listConfigLines(options).join('\n'))
}

/** Prints what is installed on this machine, and what does not work without the rest. */
async function printChecks(queue: string): Promise<void> {
  const { readFlagValue } = await import('./flag-value.ts')
  const { redisUrl } = await import('../core/option-values.ts')
  const { runDoctorChecks } = await import('../run/doctor-checks.ts')
  const findings = await runDoctorChecks(process.env, readFlagValue('--queue', redisUrl, queue))
  const width = Math.max(...findings.map(({ name }) => name.length))
  for (const { name, found, cost } of findings)
    printText(`${name.padEnd(width)} ${found ?? `not found: ${cost}`}`)
}
