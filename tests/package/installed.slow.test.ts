import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

let folder: string
let installed: Outcome

/** Runs a program in the folder that the package was installed to, with a home of its own. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const options = { cwd: folder, env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), ...env } }
  return new Promise(resolve => {
    execFile(program, args, { ...options, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        stdout,
        stderr,
      }),
    )
  })
}

const tablehunt = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome> =>
  run('npx', ['--no-install', 'tablehunt', ...args], env)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-installed-'))
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await mkdir(join(folder, 'tables'))
  const rivers = Array.from({ length: 400 }, (_, at) => `River ${at},${at * 37},${at % 7}`)
  await writeFile(join(folder, 'tables', 'rivers.csv'), `river,km,states\n${rivers.join('\n')}\n`)
  // The scripts would build again what the tests run on.
  await run('npm', ['pack', packageRoot, '--ignore-scripts', '--silent'])
  const tarball = (await readdir(folder)).find(name => name.endsWith('.tgz'))
  installed = await run('npm', ['install', `./${tarball}`, '--no-audit', '--no-fund', '--prefer-offline'])
})

describe('the package, installed from its tarball in an empty folder', () => {
  it('needs no flag, no override and no other version of Node', () => {
    expect(installed.stderr).not.toMatch(/ERESOLVE|EBADENGINE|npm error/)
    expect(installed.code).toBe(0)
  })

  it('runs the demo and prints its report again', async () => {
    const demo = await tablehunt(['demo', '--out', 'demo'])
    expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining('rag') })
    expect(await tablehunt(['report', 'demo'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('online'),
    })
  })

  it.each([
    ['run-and-read.js', /answered, Cell F1 [\d.]+/],
    ['score-answers.js', /Cell F1 0\.5: /],
  ])('runs the example %s of the library', async (name, printed) => {
    const example = join('node_modules', 'tablehunt', 'examples', name)
    expect(await run('node', [example])).toMatchObject({ code: 0, stdout: expect.stringMatching(printed) })
  })

  it('runs the script of a project that init makes', async () => {
    expect(await tablehunt(['init'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('  npm run eval\n'),
    })
    expect(await tablehunt(['tasks', 'check', 'tasks.jsonl'])).toMatchObject({ code: 0 })
    const evaluated = await run('npm', ['run', 'eval'])
    expect(evaluated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^offline +1\/1 +100\.0/m) })
  })

  it('works when the cache folder is not writable, with one notice', async () => {
    const tool = await tablehunt(['demo', '--setting', 'offline', '--limit', '1', '--out', 'no-cache'], {
      XDG_CACHE_HOME: '/dev/null/cache',
      TMPDIR: folder,
    })
    expect(tool.code).toBe(0)
    expect(tool.stderr.match(/cannot be written, so .* is used/g)).toHaveLength(1)
  })

  it('installs few packages, without install scripts, and few megabytes', async () => {
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>
    }
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
    expect(packages.length).toBeLessThan(60)
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([])
    const [kilobytes] = (await run('du', ['-sk', 'node_modules'])).stdout.split('\t')
    expect(Number(kilobytes)).toBeLessThan(150 * 1024)
  })

  it.each<[string, string[], NodeJS.ProcessEnv?]>([
    ['chromadb', ['run', '--setting', 'rag', '--vector-store', 'chroma']],
    ['sql.js', ['tasks', 'make', 'longtablebench', '--tables', 'tables', '--out', 'made']],
    ['playwright', ['run', '--setting', 'online', '--browser', process.execPath]],
    ['bullmq and ioredis', ['run', '--queue', 'redis://127.0.0.1:1']],
    ['bullmq and ioredis', ['worker', '--queue', 'redis://127.0.0.1:1']],
    ['@huggingface/transformers', ['run', '--setting', 'rag', '--embedder', 'onnx:Xenova/bge-m3']],
    [
      '@langchain/anthropic',
      ['run', '--setting', 'offline', '--model', 'anthropic:claude'],
      { ANTHROPIC_API_KEY: 'k' },
    ],
  ])(
    'asks for %s when it is first used, and ends with exit code 2',
    async (packages, command, env: NodeJS.ProcessEnv = {}) => {
      const tasks = ['--tasks', demoFile('tasks.jsonl'), '--docs', demoFile('documents'), '--limit', '1']
      const model = command.includes('--model') ? [] : ['--model', 'extractive']
      const others = command[0] === 'run' ? [...tasks, ...model, '--out', 'asked'] : []
      const { code, stderr } = await tablehunt([...command, ...others], env)
      expect(stderr).toMatch(/: the packages? .+ not installed\. Run: npm install .+ \[missing-package\]/)
      expect(stderr).toContain(packages)
      expect(code).toBe(2)
    },
  )

  it('lists the optional packages that are not installed', async () => {
    const { stdout } = await tablehunt(['info', 'doctor'])
    for (const name of [
      'chromadb',
      'sql.js',
      'playwright',
      'bullmq',
      'word-extractor',
      '@langchain/anthropic',
    ])
      expect(stdout).toMatch(new RegExp(`^${name} +not found: .*\\(npm install ${name}`, 'm'))
  })
})

const demoFile = (name: string): string => join('node_modules', 'tablehunt', 'tasks', 'demo', name)

describe('the types of the package', () => {
  it('pass the compiler with the checks of libraries, without the optional packages', async () => {
    await mkdir(join(folder, 'typed'))
    await writeFile(
      join(folder, 'typed', 'plugin.ts'),
      `import { definePlugin, type Scorer, z } from 'tablehunt'
       import { testPlugin } from 'tablehunt/testing'
       export const schema = z.object({ name: z.string() })
       export const scorers: Scorer[] = []
       export { testPlugin }
       export default definePlugin({ name: 'mine' })`,
    )
    const types = join(packageRoot, 'node_modules', '@types')
    const compilerOptions = {
      module: 'NodeNext',
      target: 'ES2023',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    }
    await writeFile(
      join(folder, 'typed', 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots: [types], types: ['node'] } }),
    )
    const compiler = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc')
    expect(await run('node', [compiler, '-p', 'typed'])).toMatchObject({ code: 0, stdout: '' })
  })
})
