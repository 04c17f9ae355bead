import type { Benchmark } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'

/** Registers `benchmarks`. */
export const registerBenchmarks: RegisterCommand = command => {
  withPlugins(command.option('--json', 'print JSON')).action(({ json }: { json?: boolean }) => {
    const entries = benchmarks.entries()
    const text =
      json === true
        ? JSON.stringify({ benchmarks: entries.map(jsonOf) })
        : entries.map(([name, benchmark]) => linesOf(name, benchmark).join('\n')).join('\n\n')
    process.stdout.write(`${text}\n`)
  })
}

function linesOf(
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
function jsonOf([name, benchmark]: readonly [string, Benchmark]) {
  const { summary, answerKinds, settings, otherSettings, scorers, prompts, cut, answerHosts, data } =
    benchmark
  return {
    name,
    plugin: benchmarks.originOf(name),
    ...{ summary, answerKinds, settings, otherSettings, scorers },
    prompts: typeof prompts === 'string' ? prompts : name,
    cut,
    answerHosts,
    data,
  }
}
