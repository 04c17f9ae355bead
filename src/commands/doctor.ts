import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'

/** Registers `doctor`. */
export const registerDoctor: RegisterCommand = command => {
  command.option('--queue <URL>', 'the address of a Redis server', 'redis://127.0.0.1:6379')
  withPlugins(command).action(async ({ queue }: { queue: string }) => {
    const { flagValue } = await import('./flag-value.ts')
    const { redisUrl } = await import('../core/option-values.ts')
    const { doctorChecks } = await import('../run/doctor-checks.ts')
    const findings = await doctorChecks(process.env, flagValue('--queue', redisUrl, queue))
    for (const { name, found, cost } of findings) {
      process.stdout.write(`${name.padEnd(18)} ${found ?? 'not found'}${found === null ? `: ${cost}` : ''}\n`)
    }
  })
}
