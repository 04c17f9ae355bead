import { withoutControlCharacters } from '../text/plain-text.ts'
import type { RegisterCommand } from './command.ts'

export const registerWeb: RegisterCommand = web => {
  web
    .command('build')
    .argument('<DIR>', 'a folder of documents; folders in it count too')
    .requiredOption('--out <CORPUS>', "the corpus's folder")
    .option('--twins <N>', 'look-alikes of each document', '1')
    .option('--seed <N>', 'of every choice made at random', '0')
    .description('make a corpus of a folder of documents')
    .action(async (folder: string, flags: { out: string; twins: string; seed: string }) => {
      const { buildWeb } = await import('../run/standalone/sealed-web.ts')
      const tell = (line: string): void => void process.stderr.write(`${withoutControlCharacters(line)}\n`)
      process.stdout.write(`${await buildWeb(folder, flags, tell)}\n`)
    })
  web
    .command('serve')
    .argument('<CORPUS>', 'a folder that web build wrote')
    .option('--port <N>', 'on 127.0.0.1; 0: any free one', '0')
    .description('serve a corpus until Ctrl-C')
    .action(async (folder: string, flags: { port: string }) => {
      const { flagValue } = await import('./flag-value.ts')
      const values = await import('../core/option-values.ts')
      const port = flagValue('--port', values.port, flags.port)
      const { serveWeb } = await import('../run/standalone/sealed-web.ts')
      await serveWeb(folder, port, text => process.stdout.write(`${text}\n`))
    })
  web
    .command('search')
    .argument('<CORPUS>', 'a folder that web build wrote')
    .argument('<QUERY>', 'as an agent would ask')
    .description('search a corpus')
    .action(async (folder: string, query: string) => {
      const { searchWeb } = await import('../run/standalone/sealed-web.ts')
      process.stdout.write(`${withoutControlCharacters(await searchWeb(folder, query))}\n`)
    })
  web
    .command('drift')
    .argument('<RECORDING>', 'a folder that --record wrote')
    .description('fetch the recorded pages again: what changed, moved or died')
    .action(async (folder: string) => {
      const { driftOf } = await import('../run/standalone/sealed-web.ts')
      for await (const line of driftOf(folder)) process.stdout.write(`${withoutControlCharacters(line)}\n`)
    })
}
