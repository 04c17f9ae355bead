import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ConfigError } from '../core/errors.ts'
import { packageRoot } from './paths.ts'

/** A part of the program that needs packages which Tablehunt does not install. */
export interface OptionalPart {
  /** What needs the packages, as a user names it. */
  readonly use: string
  readonly packages: readonly string[]
}

/** The parts that need packages of their own, except the providers of models, which name theirs. */
export const optionalParts = {
  chroma: { use: '--vector-store chroma', packages: ['chromadb'] },
  sql: { use: 'SQL queries (--setting text-to-sql and table-rag)', packages: ['sql.js'] },
  browser: { use: 'showing pages in a browser', packages: ['playwright'] },
  queue: { use: '--queue', packages: ['bullmq', 'ioredis'] },
  onnx: { use: '--embedder onnx', packages: ['@huggingface/transformers'] },
  workbooks: { use: 'reading .xls, .xlsb and .ppt files', packages: ['@e965/xlsx'] },
  word: { use: 'reading .doc files', packages: ['word-extractor'] },
} as const satisfies Record<string, OptionalPart>

const beside = createRequire(import.meta.url)

/** Whether a package is installed where Tablehunt is, or in a folder above it. */
export function isInstalled(packageName: string): boolean {
  try {
    beside.resolve(packageName)
    return true
  } catch (error) {
    // A package that has no file for `require` is reported with another code.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND'
  }
}

const { peerDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Returns the command that installs packages, in the versions with which Tablehunt is tested. */
export function installCommand(packages: readonly string[]): string {
  const versioned = packages.map(name => {
    const version = peerDependencies[name]
    return version === undefined ? name : `${name}@${version.replace('^', '')}`
  })
  return `npm install ${versioned.join(' ')}`
}

/**
 * Checks that the packages of a part are installed. It is called before they are first loaded.
 *
 * @param isPresent whether a package is installed
 * @throws ConfigError `missing-package` with the command that installs what is missing
 */
export function requirePackages({ use, packages }: OptionalPart, isPresent = isInstalled): void {
  const missing = packages.filter(name => !isPresent(name))
  if (missing.length === 0) return
  const [noun, verb] = missing.length === 1 ? ['package', 'is'] : ['packages', 'are']
  throw new ConfigError(
    `${use}: the ${noun} ${missing.join(' and ')} ${verb} not installed. Run: ${installCommand(missing)}`,
    { code: 'missing-package' },
  )
}
