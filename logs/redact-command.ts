import {
  isSecretName,
  looksLikeKey,
  redacted,
  registerAddress,
  registerSecret,
} from '../src/system/secret-values.ts'
import { createRedactor } from './redact.ts'

const redactor = createRedactor([])

/** A value that the environment provides, such as `${MY_TOKEN}`. */
const variable = /^\$\{\w+\}$/

/**
 * Returns the words of a command line without the values of arguments that look like keys.
 *
 * @example
 * commandWithoutSecrets(['npx', 'server', '--api-key', 'abc']) // ['npx', 'server', '--api-key', '[redacted]']
 */
export function commandWithoutSecrets(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const before = words[index - 1] ?? ''
    const isValue = /^-|=$/.test(before) && isSecretName(before.replace(/=$/, ''))
    // Another flag follows a flag without a value. A key may begin with one dash.
    if (isValue && !word.startsWith('--')) return redactValue(word)
    return wordWithoutSecrets(word)
  })
}

/** Registers the values in a command line that `commandWithoutSecrets` removes. */
export function registerCommand(words: readonly string[]): void {
  const shown = commandWithoutSecrets(words)
  for (const [index, word] of words.entries()) {
    const clean = shown[index]
    if (word === clean) continue
    registerAddress(/[a-z][\w+.-]*:\/\/.*$/is.exec(word)?.[0])
    // The value of `--key=VALUE`, or the whole word.
    if (clean === redacted) registerSecret(word)
    else if (clean?.endsWith(`=${redacted}`)) registerSecret(word.slice(clean.length - redacted.length))
  }
}

/** Returns a command line in one text, as an option contains it, without the values of arguments that look like keys. */
export function commandLineWithoutSecrets(line: string): string {
  const parts = line.split(/("(?:[^"\\]|\\.)*"|'[^']*'|\s+)/).filter(part => part !== '')
  const isWord = (part: string): boolean => part.trim() !== ''
  const words = commandWithoutSecrets(parts.filter(isWord))
  return parts.map(part => (isWord(part) ? words.shift() : part)).join('')
}

function wordWithoutSecrets(word: string): string {
  const [, name, value] = /^(-{0,2}[\w.-]+)=(.+)$/s.exec(word) ?? []
  if (name !== undefined && value !== undefined)
    return `${name}=${isSecretName(name) ? redactValue(value) : wordWithoutSecrets(value)}`
  if (/^["']?[a-z][\w+.-]*:\/\//i.test(word)) return urlWithoutSecrets(word)
  return looksLikeKey(word) ? redacted : redactor.text(word)
}

/**
 * Returns a URL without user, password and fragment, without the values of its query, and without parts of its path that
 * look like keys.
 */
export function urlWithoutSecrets(url: string): string {
  const [, scheme = '', host = '', path = '', query] =
    /^([^/]*:\/\/)(?:[^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
  const pathParts = path.split('/').map(part => (looksLikeKey(part) ? redacted : part))
  const values = query?.split('&').map(pair => {
    const [name = '', ...value] = pair.split('=')
    if (value.length === 0) return looksLikeKey(name) ? redacted : name
    return `${name}=${redactValue(value.join('='))}`
  })
  return redactor.text(
    `${scheme}${host}${pathParts.join('/')}${values === undefined ? '' : `?${values.join('&')}`}`,
  )
}

function redactValue(value: string): string {
  return variable.test(value) ? value : redacted
}

/** User and password of an address, also of one that is misspelt: `http//me:secret@host`. A port is no password. */
const userOfAddress = /\b([a-z][\w+.-]*(?::\/{1,2}|\/\/))(?:[^\s'"@/:]+|[^\s'"@/]*:(?!\d{1,5}\/)[^\s'"]+)@/gi

/** Returns a message for a terminal or a log without keys, and without user and password of addresses. */
export function messageWithoutSecrets(message: string): string {
  return redactor.text(message.replace(userOfAddress, `$1${redacted}@`))
}

/** An address without a scheme that begins with user and password. */
const bareAddress = /^[^\s@/]*:[^\s@]*@(?=[\w.-]+(?::\d+)?(?:\/\d*)?$)/

/**
 * Returns a value that an option refused, for a message: without keys, and without user and password of addresses. A
 * password may contain any character, also an `@`.
 */
export function refusedValue(text: string): string {
  if (looksLikeKey(text)) return redacted
  const address = text.replace(/(:\/\/).*@/gs, `$1${redacted}@`).replace(bareAddress, `${redacted}@`)
  return messageWithoutSecrets(address)
}

/** Returns a message with each text that an option refused as `refusedValue` writes it. */
export function withoutRefused(message: string, refused: unknown): string {
  const texts = [refused].flat().filter(value => typeof value === 'string' && value !== '') as string[]
  return texts.reduce((shown, text) => shown.replaceAll(text, () => refusedValue(text)), message)
}
