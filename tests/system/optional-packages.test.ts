import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { modelProviders } from '../../src/models/registry.ts'
import {
  installCommand,
  isInstalled,
  type OptionalPart,
  optionalParts,
  requirePackages,
} from '../../src/system/optional-packages.ts'

const absent = (): boolean => false

describe('requirePackages', () => {
  it.each(Object.values<OptionalPart>(optionalParts))(
    'names the part, the packages and the command when nothing of "$use" is installed',
    part => {
      expect(() => requirePackages(part, absent)).toThrow(
        expect.objectContaining({
          name: 'ConfigError',
          code: 'missing-package',
          message: expect.stringMatching(
            /^\S.*: the packages? .+ (?:is|are) not installed\. Run: npm install \S+/,
          ),
        }),
      )
      for (const name of part.packages) expect(() => requirePackages(part, absent)).toThrow(name)
    },
  )

  it('names only the packages that are missing', () => {
    expect(() => requirePackages(optionalParts.queue, name => name === 'ioredis')).toThrow(
      '--queue: the package bullmq is not installed. Run: npm install bullmq@6.7.0',
    )
    expect(() => requirePackages(optionalParts.queue, absent)).toThrow('bullmq and ioredis are not installed')
  })

  it('accepts packages that are installed', () => {
    for (const part of [optionalParts.chroma, optionalParts.sql, optionalParts.browser, optionalParts.queue])
      expect(() => requirePackages(part)).not.toThrow()
  })

  it('covers the packages of providers that are not installed here', () => {
    const packages = modelProviders.entries().flatMap(([, { package: name }]) => name ?? [])
    expect(packages).toContain('@langchain/anthropic')
    expect(isInstalled('@langchain/anthropic')).toBe(false)
    expect(() => requirePackages({ use: "'anthropic:' models", packages: ['@langchain/anthropic'] })).toThrow(
      "'anthropic:' models: the package @langchain/anthropic is not installed. Run: npm install @langchain/anthropic",
    )
  })
})

it('installs the versions with which the tests run', () => {
  const tested: Readonly<Record<string, string>> = packageJson.devDependencies
  for (const [name, range] of Object.entries(packageJson.peerDependencies)) {
    expect(tested[name]?.replace('^', ''), name).toBe(range.replace('^', ''))
    if (Object.values<OptionalPart>(optionalParts).some(({ packages }) => packages.includes(name)))
      expect(installCommand([name])).toBe(`npm install ${name}@${tested[name]!.replace('^', '')}`)
  }
  expect(Object.keys(packageJson.peerDependenciesMeta)).toEqual(Object.keys(packageJson.peerDependencies))
})
