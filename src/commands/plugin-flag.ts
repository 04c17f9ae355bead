import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { allowRepeats, collectValues } from './repeated-flags.ts'

/**
 * Adds --plugin to a command, or the flag of another name. Before the command runs, it loads the plug-ins in this flag, in TABLEHUNT_PLUGINS and in the
 * config file of the working folder. Commands that read all options of a config file do not need it.
 */
export function withPlugins(command: Command, flag = '--plugin'): Command {
  return command.addOption(makePluginFlag(flag)).hook('preAction', async (_, called) => {
    const { plugins } = called.opts<{ plugins?: readonly string[] }>()
    await loadFor(plugins)
  })
}

function makePluginFlag(flag: string): Option {
  const option = new Option(
    `${flag} <FILE|PACKAGE>`,
    'load a plug-in: a file, or an installed package; may be given several times (docs/plugins.md)',
  )
  option.attributeName = () => 'plugins'
  return allowRepeats(option.argParser(collectValues))
}

async function loadFor(plugins: readonly string[] | undefined): Promise<void> {
  const { env } = process
  const configFiles = ['tablehunt.config.ts', 'tablehunt.config.json']
  // Reading options takes longer than many commands, and most folders have none of these files.
  if (plugins === undefined && env.TABLEHUNT_PLUGINS === undefined && !configFiles.some(existsSync)) return
  const { loadGivenPlugins } = await import('../config/gather-options.ts')
  const flags = plugins === undefined ? {} : { plugins }
  await loadGivenPlugins({ folder: process.cwd(), file: null, flags, env })
}
