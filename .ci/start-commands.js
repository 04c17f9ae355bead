// Prints the commands of the first code block in the README's section "Start", one a line, without comments.
import { readFileSync } from 'node:fs'

const lines = readFileSync(process.argv[2], 'utf8').split('\n')
const section = lines.slice(lines.findIndex(line => /^##\s+Start\b/.test(line)) + 1)
const start = section.findIndex(line => /^(?: {4}|```)/.test(line))
const isFenced = section[start]?.startsWith('```')
const block = section.slice(isFenced ? start + 1 : start)
const end = block.findIndex(line => (isFenced ? line.startsWith('```') : !line.startsWith('    ')))
const commands = block
  .slice(0, end)
  .map(line => line.replace(/(?:^|\s)#.*$/, '').trim())
  .filter(line => line !== '')
if (start < 0 || !commands.some(command => /\bnpm test\b/.test(command))) {
  console.error('README.md: the section "Start" names no command "npm test" in its first code block')
  process.exit(1)
}
console.log(commands.join('\n'))
