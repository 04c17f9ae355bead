/**
 * Writes sbom.cdx.json (CycloneDX) when the package is packed: the packages that npm installs with it, and those that the
 * build has joined with it (dist/…/licenses.md). Works without the network.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** Which packages are in the package: not those for development, unless they were joined. */
export function selectComponents(sbom, joined) {
  const isForDevelopment = ({ properties = [] }) =>
    properties.some(({ name }) => name === 'cdx:npm:package:development')
  const identify = ({ name, version }) => `${name} ${version}`
  const known = new Set(sbom.components.map(identify))
  const missing = [...joined].filter(id => !known.has(id))
  if (missing.length > 0) throw new Error(`package-lock.json does not have ${missing.join(', ')}`)
  const components = sbom.components
    .filter(component => !isForDevelopment(component) || joined.has(identify(component)))
    .map(({ properties: _, ...component }) => component)
  const names = new Set(['tablehunt', ...components.map(component => component['bom-ref'])])
  const isKept = ref => names.has(ref) || ref.startsWith('tablehunt@')
  const dependencies = sbom.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) }))
  // Without the time and a random number, equal packages have equal files.
  const { bomFormat, specVersion, $schema, version, metadata } = sbom
  const component = { ...metadata.component, name: 'tablehunt' }
  return { $schema, bomFormat, specVersion, version, metadata: { component }, components, dependencies }
}

/** Reads the headings of the lists of licenses, such as `## zod - 3.25.76 (MIT)`. */
export function readJoined(text) {
  return [...text.matchAll(/^## (\S+) - (\S+)/gm)].map(([, name, version]) => `${name} ${version}`)
}

if (process.argv[1] === import.meta.filename && ['pack', 'publish'].includes(process.env.npm_command)) {
  const npm = process.env.npm_execpath
  const args = [npm, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline']
  const options = { encoding: 'utf8', maxBuffer: 100e6, env: { ...process.env, npm_config_dry_run: '' } }
  const sbom = JSON.parse(execFileSync(process.execPath, args, options))
  const lists = ['dist/bundle/licenses.md', 'dist/report-app/licenses.md']
  const joined = new Set(lists.flatMap(file => readJoined(readFileSync(file, 'utf8'))))
  writeFileSync('sbom.cdx.json', `${JSON.stringify(selectComponents(sbom, joined), null, 1)}\n`)
}
