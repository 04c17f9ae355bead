import type { RegisterCommand } from './command.ts'

export const registerDoctor: RegisterCommand = command => {
  command.action(async () => {
    const { surroundings } = await import('../run/surroundings.ts')
    for (const { name, found, cost } of await surroundings(process.env)) {
      process.stdout.write(`${name.padEnd(18)} ${found ?? 'not found'}${found === null ? `: ${cost}` : ''}\n`)
    }
  })
}
