import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
// @ts-expect-error The script of the release has no types.
import { readJoined, selectComponents } from '../../.ci/make-sbom.js'

const development = { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] }
const component = (name: string, more: object = {}) => ({
  name,
  version: '1.0.0',
  'bom-ref': `${name}@1.0.0`,
  ...more,
})
const sbom = {
  metadata: { timestamp: 'now', component: { name: 'folder', 'bom-ref': 'tablehunt@0.1.0' } },
  components: [component('installed'), component('joined', development), component('tool', development)],
  dependencies: [
    { ref: 'tablehunt@0.1.0', dependsOn: ['installed@1.0.0', 'tool@1.0.0'] },
    { ref: 'installed@1.0.0' },
    { ref: 'tool@1.0.0' },
  ],
}

it('lists what is installed and what was joined, and not what only builds and tests it', () => {
  const joined = new Set(readJoined('# Licenses\n\n## joined - 1.0.0 (MIT)\n\nText\n'))
  const { components, dependencies, metadata } = selectComponents(sbom, joined)
  expect(components).toEqual([component('installed'), component('joined')])
  expect(metadata).toEqual({ component: { name: 'tablehunt', 'bom-ref': 'tablehunt@0.1.0' } })
  expect(dependencies).toEqual([
    { ref: 'tablehunt@0.1.0', dependsOn: ['installed@1.0.0'] },
    { ref: 'installed@1.0.0', dependsOn: [] },
  ])
})

it('refuses a joined package that the lock file does not have', () => {
  expect(() => selectComponents(sbom, new Set(['unknown 2.0.0']))).toThrow('unknown 2.0.0')
})

it('writes nothing unless the package is packed', () => {
  const env = { ...process.env, npm_command: 'install' }
  expect(execFileSync(process.execPath, ['.ci/make-sbom.js'], { env, encoding: 'utf8' })).toBe('')
})
