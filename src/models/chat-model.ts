import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { ConfigError } from '../core/errors.ts'

/** LangChain's chat model classes as far as we build them. */
export type ChatModelClass = new (fields: Record<string, unknown>) => BaseChatModel

/** Imports a provider's chat model class; ConfigError names the package to install where it is not there. */
export async function loadChatModelClass(
  provider: string,
  packageName: string,
  className: string,
): Promise<ChatModelClass> {
  let loaded: Record<string, unknown>
  try {
    loaded = (await import(packageName)) as Record<string, unknown>
  } catch (cause) {
    if (!isMissing(cause, packageName)) throw cause
    throw new ConfigError(
      `'${provider}:' models need the package ${packageName}, which is not installed: npm install ${packageName}`,
      { cause },
    )
  }
  const found = loaded[className]
  if (typeof found !== 'function') {
    throw new ConfigError(
      `the installed ${packageName} has no ${className}: npm install ${packageName}@latest`,
    )
  }
  return found as ChatModelClass
}

function isMissing(error: unknown, packageName: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${packageName}'`)
  )
}
