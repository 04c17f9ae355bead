import { withoutControlCharacters } from '../text/plain-text.ts'
import type { RegisterCommand } from './command.ts'
import { tell } from './tell.ts'

/** Registers `web` and the commands below it. */
export const registerWeb: RegisterCommand = web => {
  web
    .command('build')
    .argument('<DIR>', 'a folder with documents, also in folders below it')
    .requiredOption('--out <CORPUS>', 'folder for the corpus')
    .option('--twins <N>', 'how many copies of each document with altered figures', '1')
    .option('--seed <N>', 'seed of all random choices', '0')
    .description('make a corpus from a folder of documents')
    .action(async (folder: string, flags: { out: string; twins: string; seed: string }) => {
      const { buildWeb } = await import('../run/standalone/sealed-web.ts')
      process.stdout.write(`${await buildWeb(folder, flags, tell)}\n`)
    })
  web
    .command('serve')
    .argument('<CORPUS>', 'a folder that web build wrote')
    .option('--port <N>', 'port on 127.0.0.1; 0 chooses a free one', '0')
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
    .argument('<QUERY>', 'the query, as an agent writes it')
    .description('search a corpus')
    .action(async (folder: string, query: string) => {
      const { searchWeb } = await import('../run/standalone/sealed-web.ts')
      process.stdout.write(`${withoutControlCharacters(await searchWeb(folder, query))}\n`)
    })
  web
    .command('drift')
    .argument('<RECORDING>', 'a folder that --record wrote')
    .description('fetch the recorded pages again, and list those that changed, moved or disappeared')
    .action(async (folder: string) => {
      const { driftOf } = await import('../run/standalone/sealed-web.ts')
      for await (const line of driftOf(folder)) process.stdout.write(`${withoutControlCharacters(line)}\n`)
    })
}
