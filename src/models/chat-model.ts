import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { ConfigError } from '../core/errors.ts'

/** The constructor of a LangChain chat model. */
export type ChatModelClass = new (fields: Record<string, unknown>) => BaseChatModel

/**
 * Imports the chat model class of a provider.
 *
 * @throws ConfigError `missing-package` when the package is not installed, and `outdated-package` when it does not
 *   export the class
 */
export async function loadChatModelClass(
  provider: string,
  packageName: string,
  className: string,
): Promise<ChatModelClass> {
  let loaded: Record<string, unknown>
  try {
    loaded = await loadPackage(packageName)
  } catch (cause) {
    if (!isMissing(cause, packageName)) throw cause
    throw new ConfigError(
      `'${provider}:' models need the package ${packageName}, which is not installed. Run: npm install ${packageName}`,
      { code: 'missing-package', cause },
    )
  }
  const found = loaded[className]
  if (typeof found !== 'function') {
    throw new ConfigError(
      `'${provider}:' models need ${className}, which the installed ${packageName} does not export. Run: npm install ${packageName}@latest`,
      { code: 'outdated-package' },
    )
  }
  return found as ChatModelClass
}

/** Loads a package. The one that is always installed is named, so that the build joins its 230 modules to the command. */
async function loadPackage(name: string): Promise<Record<string, unknown>> {
  return name === '@langchain/openai'
    ? { ...(await import('@langchain/openai')) }
    : ((await import(name)) as Record<string, unknown>)
}

function isMissing(error: unknown, packageName: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${packageName}'`)
  )
}
