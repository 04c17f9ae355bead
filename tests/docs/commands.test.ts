import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { type CommandEntry, commands } from '../../src/commands/registry.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { commandLinesOf, patternOf, shellBlocksOf } from './page-blocks.ts'

const docs = readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
const agentExamples = readdirSync(join(packageRoot, 'examples', 'agents'), {
  recursive: true,
  encoding: 'utf8',
})
const pagesOf = (folder: string, names: readonly string[]): string[] =>
  names.flatMap(name => (/^(?!.*node_modules).*\.md$/.test(name) ? [`${folder}/${name}`] : []))
const pages = ['README.md', ...pagesOf('docs', docs), ...pagesOf('examples/agents', agentExamples)]

/** The command line with every command, as the program declares it. */
async function wholeProgram(): Promise<Command> {
  const program = new Command('tablehunt')
  for (const [name, entry] of Object.entries<CommandEntry>(commands)) {
    const command = program.command(name)
    const register = await entry.load()
    register(command, () => undefined)
  }
  return program
}

/** Returns what is wrong with a command line: an unknown command, an unknown option, or a missing value. */
function problemsOf(program: Command, words: readonly string[]): string[] {
  let command = program
  const rest = [...words]
  while (command.commands.length > 0) {
    const name = rest.shift()
    const next = command.commands.find(one => one.name() === name)
    if (next === undefined && name === undefined && command.name() === 'info') return []
    if (next === undefined) return name?.startsWith('-') || name === 'COMMAND' ? [] : [`no command ${name}`]
    command = next
  }
  return rest.flatMap((word, at) => {
    if (!word.startsWith('--') || word === '--help' || /^--[\w-]*…/.test(word)) return []
    const option = command.options.find(({ long }) => long === word.split('=', 1)[0])
    if (option === undefined) return [`no option ${word} of ${command.name()}`]
    const needsValue = option.required && !word.includes('=')
    return needsValue && rest[at + 1] === undefined ? [`no value for ${word}`] : []
  })
}

it.each(pages)('names only existing commands and options in %s', async page => {
  const program = await wholeProgram()
  const lines = commandLinesOf(readFileSync(join(packageRoot, page), 'utf8'))
  const problems = lines.flatMap(words =>
    problemsOf(program, words).map(problem => `${words.join(' ')}: ${problem}`),
  )
  expect(problems).toEqual([])
})

it('finds commands in shell blocks, indented blocks and inline code', () => {
  const page = [
    "```sh\nA=1 npx tablehunt run --tasks t \\\n  --out r # comment\ncat > f <<'EOF'\nnpx tablehunt no\nEOF\n```\n",
    '    npx tablehunt tools call web_search \'{"a b": 1}\' > out\n\nCall `npx tablehunt info doctor`.\n',
  ].join('\n')
  expect(commandLinesOf(page)).toEqual([
    ['run', '--tasks', 't', '--out', 'r'],
    ['tools', 'call', 'web_search', '{"a b": 1}'],
    ['info', 'doctor'],
  ])
})

it('finds a wrong command and a wrong option', async () => {
  const program = await wholeProgram()
  expect(problemsOf(program, ['runs'])).toEqual(['no command runs'])
  expect(problemsOf(program, ['run', '--task', 'x'])).toEqual(['no option --task of run'])
  expect(problemsOf(program, ['logs', 'diff', 'a', 'b'])).toEqual([])
})

it('reads what a block needs and what it prints', () => {
  const page = '```sh\n# needs Redis\na\n```\n\n```sh\nb\n```\n\n```text\nin … s\n…\nend\n```\n'
  const [first, second] = shellBlocksOf(page)
  expect(first).toMatchObject({ needs: 'Redis', output: null })
  expect(second).toMatchObject({ needs: null, output: 'in … s\n…\nend\n' })
  const pattern = patternOf(second!.output!)
  expect(['in 3 s\n1\n2\nend\n', 'in 3 s\n1\n', 'in 3\n1\nend'].map(text => pattern.test(text))).toEqual([
    true,
    false,
    false,
  ])
})
