/** The option `plugins` of the functions of the API. */
export interface PluginsOption {
  /** Plug-ins to load: paths relative to the working folder, or names of packages. They stay loaded in this process. */
  readonly plugins?: string | readonly string[]
}

/**
 * Loads the plug-ins of a call.
 *
 * @throws ConfigError [plugin-not-found, plugin-load-failed, plugin-invalid, plugin-name-taken]
 */
export async function loadPluginsOption(plugins: PluginsOption['plugins']): Promise<void> {
  if (plugins === undefined || plugins.length === 0) return
  const { addPlugins } = await import('../config/gather-options.ts')
  const { parseOption } = await import('../config.ts')
  await addPlugins(parseOption('plugins', plugins))
}
