import { chmod, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findAgentFiles } from '../../agents/external/isolation/visible-files.ts'

/** Writes files below a new folder, and returns the folder. */
async function newProject(...names: string[]): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'visible-files-')))
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), '')
  }
  return folder
}

const list = async (program: Partial<Parameters<typeof findAgentFiles>[0]>) => {
  const all = { name: 'mine', cwd: null, reads: [], privatePaths: [], path: null }
  const { shown, hidden, notices } = await findAgentFiles({ ...all, command: ['python3'], ...program })
  return { shown: shown.map(({ to }) => to), hidden: hidden.map(({ path }) => path), notices }
}

describe('what an isolated agent sees', () => {
  it('is the folder of its script', async () => {
    const folder = await newProject('agent/main.py', 'agent/helper.py', 'tasks.jsonl')
    const privatePaths = [join(folder, 'tasks.jsonl')]
    const found = await list({ command: ['python3', join(folder, 'agent/main.py')], privatePaths })
    expect(found).toEqual({ shown: [join(folder, 'agent')], hidden: [], notices: [] })
  })

  it('has no keys, also in the folder of its script and below it', async () => {
    const keys = [
      '.env',
      '.env.local',
      '.envrc',
      '.netrc',
      'deep/er/.env',
      'deep/tablehunt.config.ts',
      'queue-secret',
    ]
    const folder = await newProject(
      ...['main.py', '.environment', 'deep/x', ...keys].map(name => `agent/${name}`),
    )
    const found = await list({ command: ['python3', join(folder, 'agent/main.py')] })
    expect(found.hidden.sort()).toEqual(keys.map(name => join(folder, 'agent', name)))
  })

  it('is not said to be its script alone when its working folder shows the rest', async () => {
    const folder = await newProject('main.py', 'tasks.jsonl')
    const privatePaths = [join(folder, 'tasks.jsonl')]
    const found = await list({ command: ['python3', 'main.py'], cwd: folder, privatePaths })
    expect(found).toEqual({ shown: [folder], hidden: privatePaths, notices: [] })
  })

  it('is its script alone when tasks, documents or runs are beside it, and the run says so', async () => {
    const folder = await newProject('main.py', 'old-tasks.jsonl', 'deep/documents/a.pdf')
    const privatePaths = [join(folder, 'deep/documents')]
    const found = await list({ command: ['python3', join(folder, 'main.py')], privatePaths })
    expect(found.shown).toEqual([join(folder, 'main.py')])
    expect(found.notices).toEqual([
      expect.stringMatching(/^agent mine sees main\.py alone, because .* Move it to/),
    ])
  })

  it('never is a private file, also when the command names it', async () => {
    const folder = await newProject('agent/main.py', 'gold/tasks.jsonl')
    const gold = join(folder, 'gold/tasks.jsonl')
    const command = ['python3', join(folder, 'agent/main.py'), gold]
    const found = await list({ command, privatePaths: [gold] })
    expect(found.shown).toEqual([join(folder, 'agent')])
    expect(found.notices).toEqual([`agent mine does not see ${gold}, which is private to the run`])
  })

  it('is its working folder, in which private places and keys are covered, also behind a link', async () => {
    const folder = await newProject('project/main.py', 'project/.env', 'project/runs/one/gold.txt')
    await symlink(join(folder, 'project'), join(folder, 'link'))
    const privatePaths = [join(folder, 'project/runs')]
    const found = await list({ cwd: join(folder, 'link'), privatePaths })
    expect(found.shown.sort()).toEqual([join(folder, 'link'), join(folder, 'project')])
    expect(found.hidden.sort()).toEqual([
      ...[join(folder, 'link/.env'), join(folder, 'link/runs')],
      ...[join(folder, 'project/.env'), join(folder, 'project/runs')],
    ])
  })

  it('cannot be the home folder, a folder above it, or a missing file', async () => {
    for (const cwd of [homedir(), dirname(homedir()), '/'])
      await expect(list({ cwd })).rejects.toMatchObject({ code: 'agent-folder-too-wide' })
    await expect(list({ reads: ['/no/such/file'] })).rejects.toMatchObject({ code: 'agent-reads' })
  })

  it('contains a virtual environment, the installation below it, and the packages of Node above a script', async () => {
    const folder = await newProject(
      'base/bin/python3',
      'venv/lib/x',
      'js/src/agent.mjs',
      'js/node_modules/a/b.js',
      'js/package.json',
    )
    await chmod(join(folder, 'base/bin/python3'), 0o755)
    await mkdir(join(folder, 'venv/bin'))
    await symlink(join(folder, 'base/bin/python3'), join(folder, 'venv/bin/python'))
    await writeFile(join(folder, 'venv/pyvenv.cfg'), `home = ${join(folder, 'base/bin')}\n`)
    const python = await list({ command: [join(folder, 'venv/bin/python')], path: '' })
    expect(python.shown).toEqual(expect.arrayContaining([join(folder, 'base'), join(folder, 'venv')]))
    const node = await list({ command: ['node', join(folder, 'js/src/agent.mjs')] })
    expect(node.shown.sort()).toEqual(
      ['js/node_modules', 'js/package.json', 'js/src'].map(name => join(folder, name)),
    )
  })

  it('contains the interpreter that the first line of a program names', async () => {
    const folder = await newProject('tool/bin/run', 'python/bin/python3')
    await writeFile(join(folder, 'tool/bin/run'), '#!/usr/bin/env -S python3 -u\n')
    for (const program of ['tool/bin/run', 'python/bin/python3']) await chmod(join(folder, program), 0o755)
    const { shown } = await list({
      command: ['run'],
      path: `${join(folder, 'tool/bin')}:${join(folder, 'python/bin')}`,
    })
    expect(shown).toEqual(expect.arrayContaining([join(folder, 'tool'), join(folder, 'python')]))
  })
})
