/** Prints how many packages of the default installation use each licence, from package-lock.json. */
import { readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
const byLicense = new Map()
for (const [path, { license = 'not declared' }] of installed) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  byLicense.set(license, [...(byLicense.get(license) ?? []), name])
}
for (const [license, names] of [...byLicense].sort((one, other) => other[1].length - one[1].length)) {
  console.log(`${license}\t${names.length}\t${names.length > 8 ? '' : names.join(' ')}`)
}
