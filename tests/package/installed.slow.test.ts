import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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
  // The scripts would build again what the tests run on.
  await run('npm', ['pack', packageRoot, '--ignore-scripts', '--silent'])
  const tarball = (await readdir(folder)).find(name => name.endsWith('.tgz'))
  installed = await run('npm', ['install', `./${tarball}`, '--no-audit', '--no-fund', '--prefer-offline'])
}, 600_000)

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

  it('works when the cache folder is not writable, with one notice', async () => {
    const tool = await tablehunt(['demo', '--setting', 'offline', '--limit', '1', '--out', 'no-cache'], {
      XDG_CACHE_HOME: '/dev/null/cache',
      TMPDIR: folder,
    })
    expect(tool.code).toBe(0)
    expect(tool.stderr.match(/cannot be written, so .* is used/g)).toHaveLength(1)
  })

  it("searches the demo's documents without Chroma's server, with the same results", async () => {
    const modules = join(folder, 'node_modules')
    for (const name of await readdir(modules))
      if (name.startsWith('chromadb-js-bindings')) await rm(join(modules, name), { recursive: true })
    const demo = await tablehunt(['demo', '--out', 'exact'])
    expect(demo.stderr).not.toMatch(/Chroma/)
    expect(await scoresOf('exact')).toEqual(await scoresOf('demo'))
    // More chunks than hits, so that Chroma would search them.
    await writeFile(
      join(folder, 'elm.txt'),
      'The board met and discussed the weather of the year.\n'.repeat(3_000),
    )
    const answers = [{ Filename: 'elm.txt', Revenue: '5' }]
    const keys = { key_cols: ['Filename'], target_value_columns: ['Revenue'], numeric_columns: ['Revenue'] }
    const task = { record_id: 'financial_elm_4_en', language: 'en', domain: 'financial', query: 'Revenue?' }
    await writeFile(
      join(folder, 'tasks.jsonl'),
      JSON.stringify({ ...task, input_doc: ['elm.txt'], answers, ...keys }),
    )
    const run = ['run', '--tasks', 'tasks.jsonl', '--docs', '.', '--setting', 'rag', '--model', 'extractive']
    const asked = await tablehunt([...run, '--vector-store', 'chroma', '--out', 'asked'])
    expect(asked.code).toBe(1)
    expect(asked.stderr).toMatch(/has no server for.*Leave out --vector-store .*\[chroma-not-started\]/)
    expect((await tablehunt(['info', 'doctor'])).stdout).toMatch(
      /chroma .*does not start \(the package chromadb/,
    )
  })
})

/** Scores by attempt, without what a run has of its own. */
async function scoresOf(name: string): Promise<unknown[]> {
  const lines = (await readFile(join(folder, name, 'scores.jsonl'), 'utf8')).trim().split('\n')
  return lines.map(line => {
    const { attemptId, cell } = JSON.parse(line) as { attemptId: string; cell: unknown }
    return [attemptId, cell]
  })
}
