import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../../src/config.ts'
import { loadComparison } from '../../../src/run/compare-folders.ts'
import { withRunPlaces } from '../../../src/run/pack/open-places.ts'
import { packLimits, unpackPack } from '../../../src/run/pack/unpack.ts'
import { type PackOptions, packRuns } from '../../../src/run/pack-runs.ts'
import { readManifest, writeManifest } from '../../../src/run/records/manifest-file.ts'
import { type PackVerification, verifyPack } from '../../../src/run/verify-pack.ts'
import { executeRun } from '../../../src/run.ts'
import { sha256 } from '../../../src/system/hash.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import { withRecordChecksum, withTextChecksum } from '../../../src/system/record-checksum.ts'
import { openZip } from '../../../src/system/zip.ts'
import { writeZip } from '../../../src/system/zip-writer.ts'
import { demoPaths } from '../../../tasks/demo/demo.ts'
import { tablehunt } from '../../cli/cli.ts'

const base = await mkdtemp(join(tmpdir(), 'tablehunt-pack-test-'))
const run = join(base, 'run')
const file = join(base, 'evidence.zip')

const options: PackOptions = {
  out: file,
  citation: {
    authors: [{ name: 'Josiah Carberry', orcid: 'https://orcid.org/0000-0002-1825-0097' }],
    title: 'Evidence',
    licence: 'CC-BY-4.0',
  },
  withheld: [],
  acceptKeys: false,
  env: {},
}

async function makeRun(out: string, changes: object = {}): Promise<void> {
  const tasks = join(base, 'project')
  await cp(join(demoPaths.tasks, '..'), tasks, { recursive: true })
  const config = {
    ...{ tasks: join(tasks, 'tasks.jsonl'), docs: join(tasks, 'documents'), web: 'sealed', out },
    ...{ setting: ['offline', 'online'], filter: 'tidepool', cache: join(base, 'cache'), browser: 'off' },
    ...{ record: join(base, 'recording'), ...changes },
  }
  await executeRun(resolveConfig(config), { env: {}, command: ['run', '--tasks', config.tasks] })
}

beforeAll(async () => {
  await makeRun(run)
  await packRuns([run], options)
  // What the run was made from is elsewhere now.
  await rename(join(base, 'project'), join(base, 'moved'))
})

/** Puts what the runs were made from back for as long as the work takes. */
async function withProject<T>(work: () => Promise<T>): Promise<T> {
  await rename(join(base, 'moved'), join(base, 'project'))
  try {
    return await work()
  } finally {
    await rename(join(base, 'project'), join(base, 'moved'))
  }
}

/** Copies the run into a folder of its own. */
async function copyRun(...place: string[]): Promise<string> {
  const copy = join(base, 'copies', ...place)
  await cp(run, copy, { recursive: true })
  return copy
}

async function verify(path: string, replay = false): Promise<PackVerification> {
  const pack = await unpackPack(path)
  try {
    return await verifyPack(pack, { replay })
  } finally {
    await pack.close()
  }
}

const contents = async (path = file): Promise<Record<string, Uint8Array>> =>
  Object.fromEntries([...openZip(await readFile(path), 1e9)].map(([name, entry]) => [name, entry.bytes()]))

/** Writes a pack with other files, as a program would that unpacks and packs again. */
async function repack(change: (files: Record<string, Uint8Array>) => void): Promise<string> {
  const files = await contents()
  change(files)
  const path = join(base, 'changed.zip')
  await writeFile(path, writeZip(files))
  return path
}

/** Writes a pack with other options in its manifest, whose hashes fit. */
async function forgeManifest(changes: object): Promise<string> {
  return await repack(files => {
    const read = (name: string) => JSON.parse(Buffer.from(files[name]!).toString())
    const { checksum: _, ...manifest } = read('runs/run/manifest.json')
    const text = withRecordChecksum({ ...manifest, config: { ...manifest.config, ...changes } })
    files['runs/run/manifest.json'] = Buffer.from(text)
    const crate = read('ro-crate-metadata.json')
    for (const entity of crate['@graph'])
      if (entity['@id'] === 'runs/run/manifest.json') entity.sha256 = sha256(text)
    files['ro-crate-metadata.json'] = Buffer.from(JSON.stringify(crate))
    const { checksum: __, ...pack } = read('pack.json')
    const metadataSha256 = sha256(JSON.stringify(crate))
    files['pack.json'] = Buffer.from(withTextChecksum(JSON.stringify({ ...pack, metadataSha256 })))
  })
}

function withChangedByte(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at]! ^= 1
  return copy
}

/** The code of the error of unpacking, or the names of damaged files. */
async function problems(path: string): Promise<readonly string[]> {
  try {
    const pack = await unpackPack(path)
    await pack.close()
    return pack.damages.map(({ name }) => name)
  } catch (error) {
    return [(error as { code: string }).code]
  }
}

const unpackedFolders = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter(name => name.startsWith('tablehunt-unpacked-'))

describe('a pack', () => {
  it('is verified elsewhere: files, scores, figures and attempts are equal', async () => {
    await mkdir(join(base, 'elsewhere'), { recursive: true })
    const moved = join(base, 'elsewhere', 'renamed.zip')
    await cp(file, moved)
    const { isEqual, damages, runs, limits } = await verify(moved, true)
    expect({ isEqual, damages, limits }).toEqual({ isEqual: true, damages: [], limits: [] })
    expect(runs).toHaveLength(1)
    expect(runs[0]!.scores).toEqual({ equal: 4, different: [], notDone: [] })
    expect(runs[0]!.replay).toEqual({ equal: 4, different: [], notDone: [] })
    expect(runs[0]!.figures.length).toBeGreaterThan(20)
    expect(runs[0]!.figures.find(({ figure }) => figure === 'Cell F1')).toMatchObject({
      isEqual: true,
      checkedFrom: 'scored',
    })
  })

  it('names no folder of the machine', async () => {
    const { 'runs/run/manifest.json': manifest, 'pack.json': pack } = await contents()
    for (const text of [manifest, pack]) expect(Buffer.from(text!).toString()).not.toContain(base)
    expect(JSON.parse(Buffer.from(manifest!).toString())).toMatchObject({
      command: ['run', '--tasks', 'tasks.jsonl'],
      config: {
        tasks: 'pack:inputs/tasks-1/tasks.jsonl',
        docs: 'pack:inputs/documents-1',
        record: 'pack:inputs/recording-1',
      },
    })
  })

  it.each([
    ['--web=replay:/home/ada lovelace/web', '--web=replay:web'],
    ['scripted:/home/ada/turns.jsonl', 'scripted:turns.jsonl'],
    ['command:python "/home/ada/a.py" --in=/home/ada/x', 'command:python "a.py" --in=x'],
    ['C:\\Users\\ada\\a.py', 'a.py'],
    ['python D:/ada/a.py', 'python a.py'],
    ['file:///home/ada/a.html', 'file://a.html'],
    ['openai:m@https://example.org/home/v1', 'openai:m@https://example.org/home/v1'],
    ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
    ['n/a and / or 3/4', 'n/a and / or 3/4'],
  ])('writes %j in options and commands as %j', async (text, packed) => {
    const copy = await copyRun('paths')
    const manifest = await readManifest(copy)
    const config = { ...manifest.config, userAgent: text, agents: { mine: { command: [text] } } }
    const changed = { ...manifest, config, identity: { mcp: [text] }, command: ['run', text] }
    await writeManifest(copy, changed as typeof manifest)
    const out = join(base, 'paths.zip')
    await withProject(() => packRuns([copy], { ...options, out }))
    expect(
      JSON.parse(Buffer.from((await contents(out))['runs/paths/manifest.json']!).toString()),
    ).toMatchObject({
      config: { userAgent: packed, agents: { mine: { command: [packed] } } },
      identity: { mcp: [packed] },
      command: ['run', packed],
    })
  })

  it('contains the files of all options, and no values that each machine has of its own', async () => {
    const copy = await copyRun('options')
    const own = await mkdtemp(join(base, 'own-'))
    for (const name of ['turns.jsonl', 'prices.json', 'prompts.yaml', '.env'])
      await writeFile(join(own, name), name)
    const manifest = await readManifest(copy)
    const paths = {
      ...{ model: [`scripted:${own}/turns.jsonl`, 'extractive'], prices: `${own}/prices.json` },
      ...{
        prompts: ['own', `${own}/prompts.yaml`],
        forks: own,
        embedder: `onnx:${own}`,
        judgePrompts: '/gone/x',
      },
    }
    const machine = { cache: '/home/ada/cache', queue: 'redis://127.0.0.1:9', plugins: ['/home/ada/p.ts'] }
    await writeManifest(copy, {
      ...manifest,
      config: { ...manifest.config, ...paths, ...machine },
    } as typeof manifest)
    const out = join(base, 'options.zip')
    const { notices } = await withProject(() => packRuns([copy], { ...options, out }))
    const files = await contents(out)
    const { config } = JSON.parse(Buffer.from(files['runs/options/manifest.json']!).toString())
    expect(config).toMatchObject({
      ...{ model: ['scripted:pack:inputs/files-3/turns.jsonl', 'extractive'], forks: 'pack:inputs/forks-1' },
      ...{
        prompts: ['own', 'pack:inputs/files-1/prompts.yaml'],
        prices: expect.stringMatching(/^pack:.*prices/),
      },
      ...{
        embedder: expect.stringMatching(/^onnx:pack:/),
        cache: null,
        queue: null,
        plugins: [],
        browser: 'off',
      },
    })
    for (const name of ['inputs/forks-1/turns.jsonl', 'inputs/files-1/prompts.yaml'])
      expect(files).toHaveProperty([name])
    expect(Object.keys(files).filter(name => name.endsWith('.env'))).toEqual([])
    expect(notices.join('\n')).toMatch(
      /x \(judgePrompts\) was not at hand\.\n.*Hidden files of own-\S+ are left out: \.env\.$/,
    )
  })

  it('follows links among the documents, says what it leaves out, and refuses links that lead elsewhere', async () => {
    const project = join(base, 'moved')
    const documents = join(project, 'documents')
    const [first] = await readdir(documents)
    const added = ['linked.txt', 'broken.txt', 'Report: 2020.txt', 'inner/.env', '.env']
    await mkdir(join(documents, 'inner'))
    await symlink(join('.', first!), join(documents, added[0]!))
    await symlink('nowhere', join(documents, added[1]!))
    for (const name of added.slice(2)) await writeFile(join(documents, name), name)
    const out = join(base, 'links.zip')
    const pack = () => withProject(() => packRuns([run], { ...options, out }))
    try {
      const { notices } = await pack()
      const names = Object.keys(await contents(out)).map(name => name.split('/').at(-1))
      expect(added.map(name => names.includes(name))).toEqual([true, false, true, false, false])
      expect(notices.join('\n')).toMatch(/: \.env, inner\/\.env\.[\s\S]*broken\.txt: left out/)
      expect(await problems(out)).toEqual([])
      await writeFile(join(documents, 'a\nb'), 'x')
      await expect(pack()).rejects.toMatchObject({
        code: 'unsafe-name',
        message: expect.stringContaining('a\nb'),
      })
      await rm(join(documents, 'a\nb'))
      await symlink('/etc/hostname', join(documents, 'a\nb'))
      await expect(pack()).rejects.toMatchObject({ code: 'link-outside-folder' })
    } finally {
      for (const name of [...added, 'inner', 'a\nb'])
        await rm(join(documents, name), { force: true, recursive: true })
    }
  })

  it('has the structure of an RO-Crate 1.2 that lists every file', async () => {
    const files = await contents()
    const text = Buffer.from(files['ro-crate-metadata.json']!).toString()
    const { '@context': context, '@graph': graph } = JSON.parse(text) as {
      '@context': string
      '@graph': Record<string, unknown>[]
    }
    const entity = (id: string) => graph.find(({ '@id': other }) => other === id)
    expect(context).toBe('https://w3id.org/ro/crate/1.2/context')
    expect(entity('ro-crate-metadata.json')).toMatchObject({
      '@type': 'CreativeWork',
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
      about: { '@id': './' },
    })
    const root = entity('./')!
    expect(root).toMatchObject({
      '@type': 'Dataset',
      name: 'Evidence',
      description: expect.stringMatching(/^1 run of Tablehunt with 4 attempts: records, traces, answers/),
      license: { '@id': 'https://spdx.org/licenses/CC-BY-4.0' },
      author: { '@id': 'https://orcid.org/0000-0002-1825-0097' },
    })
    expect(root.datePublished).toMatch(/^\d{4}-\d\d-\d\d$/)
    const parts = (root.hasPart as { '@id': string }[]).map(part => part['@id'])
    expect(parts.map(decodeURIComponent).sort()).toEqual(
      Object.keys(files)
        .filter(name => name !== 'ro-crate-metadata.json')
        .sort(),
    )
    for (const id of parts) expect(entity(id)).toMatchObject({ '@type': 'File' })
    const ids = graph.map(({ '@id': id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const references = [...text.matchAll(/\{\s*"@id": "([^"]+)"\s*\}/g)].map(([, id]) => id!)
    expect(references.filter(id => !ids.includes(id) && id !== 'https://w3id.org/ro/crate/1.2')).toEqual([])
  })

  it('has the same bytes when it is made again', async () => {
    const again = join(base, 'again.zip')
    await withProject(() => packRuns([run], { ...options, out: again }))
    expect((await readFile(again)).equals(await readFile(file))).toBe(true)
  })

  it('names each run after its folder, and no two runs alike', async () => {
    const folders = [await copyRun('a-2'), await copyRun('a'), await copyRun('b', 'a')]
    const out = join(base, 'three.zip')
    await withProject(() => packRuns([...folders, folders[0]!], { ...options, out }))
    const pack = JSON.parse(Buffer.from((await contents(out))['pack.json']!).toString())
    expect(pack.runs.map(({ folder }: { folder: string }) => folder)).toEqual([
      'runs/a-2',
      'runs/a',
      'runs/a-3',
    ])
  })

  it('keeps its runs locked until it is written', async () => {
    const isLocked: boolean[] = []
    const citation = Object.defineProperty({ ...options.citation }, 'title', {
      get: () => isLocked.push(readdirSync(run).some(name => name.startsWith('lock.'))) && 'Evidence',
    })
    await withProject(() => packRuns([run], { ...options, citation, out: join(base, 'locked.zip') }))
    expect(isLocked).toEqual(isLocked.map(() => true))
    expect(readdirSync(run).filter(name => name.startsWith('lock.'))).toEqual([])
  })

  it('may have more files than a process may have open', async () => {
    const many = await copyRun('many')
    for (let at = 0; at < 200; at++) await writeFile(join(many, 'answers', `${at}.txt`), String(at))
    const program = `ulimit -n 100; exec "$0" "$@"`
    const args = ['bin/tablehunt.js', 'pack', many, '--out', join(base, 'many.zip'), '--licence', 'CC0-1.0']
    const packing = withProject(() =>
      promisify(execFile)('sh', ['-c', program, process.execPath, ...args], { cwd: packageRoot }),
    )
    await expect(packing).resolves.toMatchObject({ stdout: expect.stringContaining('many.zip') })
  })

  it('is refused without its tasks, and with a damaged run', async () => {
    const out = join(base, 'refused.zip')
    await expect(packRuns([run], { ...options, out })).rejects.toMatchObject({ code: 'tasks-missing' })
    const damaged = join(base, 'damaged')
    await cp(run, damaged, { recursive: true })
    const [answer] = await readdir(join(damaged, 'answers'))
    await writeFile(join(damaged, 'answers', answer!), 'other')
    await expect(packRuns([damaged], { ...options, out })).rejects.toMatchObject({ code: 'run-not-whole' })
    const citation = { ...options.citation, licence: null }
    await expect(packRuns([run], { ...options, citation })).rejects.toMatchObject({ code: 'missing-licence' })
  })
})

describe('the command pack', () => {
  it('replaces an earlier pack, and no other file', async () => {
    const other = join(base, 'notes.txt')
    await writeFile(other, 'my notes')
    const flags = ['pack', run, '--licence', 'MIT', '--author', 'A', '--author', 'B']
    const refused = await tablehunt([...flags, '--out', other])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is no pack')])
    expect(await readFile(other, 'utf8')).toBe('my notes')
    const named = await tablehunt([...flags, '--out', other, '--citation', join(base, 'missing.cff')])
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('[invalid-citation]')])
  })
})

describe('a changed byte', () => {
  const kinds: Readonly<Record<string, RegExp>> = {
    attempts: /attempts\.jsonl$/,
    scores: /scores\.jsonl$/,
    manifest: /manifest\.json$/,
    trace: /\/traces\/[^/]+\.jsonl$/,
    blob: /\/traces\/blobs\//,
    answer: /\/answers\//,
    tasks: /^inputs\/tasks/,
    document: /^inputs\/documents/,
    'recorded page': /^inputs\/recording-1\/bodies\//,
    'index of the recording': /^inputs\/recording-1\/index/,
    prompts: /^prompts\//,
    prices: /^prices/,
    metadata: /^ro-crate-metadata/,
    'description of the pack': /^pack\.json$/,
  }
  const changes = Object.keys(kinds).flatMap(kind => [0.3, 0.8].map(share => [kind, share] as const))

  it.each(changes)('is found: %s, at %d of its length', async (kind, share) => {
    const names = Object.keys(await contents()).filter(name => kinds[kind]!.test(name))
    const name = names[Math.floor(names.length * share)]!
    const changed = await repack(files => {
      files[name] = withChangedByte(files[name]!, Math.floor(files[name]!.length * share))
    })
    expect(await problems(changed)).toContain(name === 'pack.json' ? 'not-a-pack' : name)
  })

  it('is found anywhere in the archive, if it changes any file', async () => {
    const bytes = await readFile(file)
    const path = join(base, 'flipped.zip')
    const before = await contents()
    for (let share = 0.01; share < 1; share += 0.07) {
      await writeFile(path, withChangedByte(bytes, Math.floor(bytes.length * share)))
      if ((await problems(path)).length > 0) continue
      expect(await contents(path)).toEqual(before)
    }
  })

  it('makes verify fail, and report and compare refuse the pack', async () => {
    const path = await repack(files => {
      files['runs/run/scores.jsonl'] = withChangedByte(files['runs/run/scores.jsonl']!, 50)
    })
    expect(await verify(path)).toMatchObject({ isEqual: false, runs: [] })
    await expect(withRunPlaces([path], async () => undefined)).rejects.toMatchObject({ code: 'damaged-pack' })
  })

  it('is found in a missing and in an added file', async () => {
    const path = await repack(files => {
      delete files['prices.json']
      files['runs/run/added.txt'] = Buffer.from('x')
    })
    expect(await problems(path)).toEqual(['runs/run/added.txt', 'prices.json'])
  })

  it('of a score is found when all hashes were made to fit', async () => {
    const forged = join(base, 'forged')
    await cp(run, forged, { recursive: true })
    const path = join(forged, 'scores.jsonl')
    const [first, ...rest] = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const score = JSON.parse(first!)
    score.metrics.cellF1 = score.metrics.cellF1 === 1 ? 0.5 : 1
    await writeFile(path, `${[withRecordChecksum(score), ...rest].join('\n')}\n`)
    const out = join(base, 'forged.zip')
    await withProject(() => packRuns([forged], { ...options, out }))
    const { isEqual, runs } = await verify(out)
    expect(isEqual).toBe(false)
    expect(runs[0]!.scores.different).toHaveLength(1)
    expect(runs[0]!.figures.find(({ figure }) => figure === 'Cell F1')).toMatchObject({ isEqual: false })
  })
})

describe('what may not be passed on', () => {
  async function packWithout(...withheld: PackOptions['withheld']): Promise<string> {
    const out = join(base, `without-${withheld.join('-')}.zip`)
    await withProject(() => packRuns([run], { ...options, out, withheld }))
    return out
  }

  it('gold: the pack has hashes of tasks, and figures from records that say so', async () => {
    const path = await packWithout('gold')
    const files = await contents(path)
    expect(Object.keys(files).filter(name => name.startsWith('inputs/tasks'))).toEqual([])
    const scores = Buffer.from(files['runs/run/scores.jsonl']!).toString().trimEnd().split('\n')
    for (const line of scores) {
      const { cells, explanation } = JSON.parse(line)
      expect(explanation).toEqual([])
      for (const cell of cells) expect(cell).toMatchObject({ gold: '', predicted: null })
    }
    const pack = JSON.parse(Buffer.from(files['pack.json']!).toString())
    expect(pack.withheldFiles['inputs/tasks-1/tasks.jsonl']).toMatch(/^[0-9a-f]{64}$/)
    const { isEqual, runs, limits } = await verify(path, true)
    expect(isEqual).toBe(true)
    expect(limits).toEqual([expect.stringContaining('gold')])
    expect(runs[0]!.figures.every(({ checkedFrom }) => checkedFrom === 'records')).toBe(true)
    expect(runs[0]!.replay?.notDone).toEqual([expect.stringContaining('not in the pack')])
  })

  it('pages: no page, document or trace is in the pack, and scores are still made again', async () => {
    const path = await packWithout('pages')
    const files = await contents(path)
    const crate = JSON.parse(Buffer.from(files['ro-crate-metadata.json']!).toString())
    expect(crate['@graph'][1].description).toMatch(/: records, answers, .* made from, without pages\./)
    const names = Object.keys(files)
    expect(names.filter(name => /traces\/|documents|bodies\//.test(name))).toEqual([])
    expect(names).toContain('inputs/recording-1/index.jsonl')
    const { isEqual, runs } = await verify(path)
    expect(isEqual).toBe(true)
    expect(runs[0]!.scores.equal).toBe(4)
    const from = (name: string) => runs[0]!.figures.find(({ figure }) => figure === name)?.checkedFrom
    expect([from('Cell F1'), from('lost')]).toEqual(['scored', 'records'])
  })

  it.each([
    ['answers', 'known'],
    ['traces/blobs', 'likely'],
  ])('keys: a run with one in %s is refused', async (part, kind) => {
    const secret = 'planted-secret-value-1'
    const planted = join(base, `planted-${kind}`)
    await makeRun(planted, { record: null })
    const [name] = await readdir(join(planted, part))
    const line = kind === 'known' ? secret : 'Authorization: Bearer abcdef0123456789abcdef'
    await writeFile(join(planted, part, `${name}x`), line)
    const env = { SOME_API_KEY: secret }
    const pack = (acceptKeys: boolean) =>
      packRuns([planted], { ...options, out: join(base, 'planted.zip'), env, acceptKeys })
    const refusal = {
      code: 'keys-found',
      message: expect.stringMatching(new RegExp(`^(?![^]*${secret})[^]*/${part}/${name}x:1: `)),
    }
    await expect(pack(false)).rejects.toMatchObject(refusal)
    if (kind === 'known') await expect(pack(true)).rejects.toMatchObject(refusal)
    else await expect(pack(true)).resolves.toBeDefined()
  })
})

describe('a hostile archive', () => {
  it.each([
    '../evil',
    '/etc/evil',
    'a/../../evil',
    'a\\..\\evil',
    'C:evil',
    'a/c:evil',
    'a//b',
    './a',
    'a\nb',
  ])('is refused for the name %j, and writes nothing', async name => {
    const before = await unpackedFolders()
    const path = await repack(files => {
      files[name] = Buffer.from('evil')
    })
    expect(await problems(path)).toEqual(['unsafe-pack'])
    expect(await unpackedFolders()).toEqual(before)
  })

  it('is refused when it is larger than the limits', async () => {
    for (const limits of [
      { ...packLimits, bytes: 1_000 },
      { ...packLimits, files: 3 },
    ])
      await expect(unpackPack(file, limits)).rejects.toMatchObject({ code: 'pack-too-large' })
  })

  it('cannot write more of a file than its directory states', async () => {
    const path = await repack(files => {
      files['runs/run/bomb'] = Buffer.alloc(50_000_000)
    })
    const bytes = await readFile(path)
    const entry = bytes.lastIndexOf('runs/run/bomb') - 46
    bytes.writeUInt32LE(10, entry + 24)
    await writeFile(path, bytes)
    const pack = await unpackPack(path)
    expect(pack.damages).toEqual([{ name: 'runs/run/bomb', problem: expect.stringContaining('longer') }])
    await pack.close()
  })

  it.each(['no archive', ''])('is refused when it is none: %j', async text => {
    const path = join(base, 'none.zip')
    await writeFile(path, text)
    expect(await problems(path)).toEqual(['not-a-pack'])
  })
})

describe("a stranger's manifest", () => {
  it.each([
    ['agent', ['sh -c "touch /tmp/tablehunt-never"'], 'started programs'],
    ['plugins', ['./evil.ts'], 'plug-ins'],
    ['mcp', ['sh'], 'started programs'],
    ['embedder', 'onnx:evil', 'embedder'],
    ['model', ['openai:gpt-4o@http://127.0.0.1:9'], 'deterministic'],
    ['pageReader', 'jina', 'jina'],
  ])('names a program or a model (%s): attempts are not made again', async (name, value, reason) => {
    const { isEqual, runs } = await verify(await forgeManifest({ [name]: value }), true)
    expect(isEqual).toBe(true)
    expect(runs[0]!.replay).toMatchObject({ equal: 0, notDone: [expect.stringContaining(reason)] })
  })

  it.each([
    ['setting', 'somewhere'],
    ['model', 5],
    ['trials', 'many'],
  ])('has a value that no run has (%s): a sentence says so', async (name, value) => {
    const { runs } = await verify(await forgeManifest({ [name]: value }), true)
    expect(runs[0]!.scores.equal).toBe(4)
    expect(runs[0]!.replay?.notDone).toEqual([expect.stringContaining(`--${name}: `)])
  })

  it('has options that a run refuses: a sentence says so', async () => {
    const { runs } = await verify(await forgeManifest({ filter: 'no such task' }), true)
    expect(runs[0]!.replay).toMatchObject({ equal: 0, notDone: [expect.stringContaining('no such task')] })
  })

  it('has a threshold that no run has: answers are not scored again', async () => {
    const { runs } = await verify(await forgeManifest({ successAt: 'half' }))
    expect(runs[0]!.scores).toMatchObject({ equal: 0, notDone: [expect.stringContaining("'half'")] })
  })

  it.each([
    ['docs', (path: string) => path],
    ['prompts', (path: string) => ['own', path]],
    ['prices', (path: string) => path],
    ['judgePrompts', (path: string) => path],
    ['faults', (path: string) => path],
    ['forks', (path: string) => path],
    ['web', (path: string) => `replay:${path}`],
  ])('names a file of the reader (%s): attempts are not made again', async (name, value) => {
    const own = join(base, 'own-file')
    await writeFile(own, '{}')
    const path = await forgeManifest({ [name]: value(own) })
    const { runs } = await verify(path, true)
    expect(runs[0]!.replay).toMatchObject({ equal: 0, notDone: [expect.stringContaining('not in the pack')] })
  })

  it('would ask the live web for what was not recorded: attempts are made again from the recording alone', async () => {
    const path = await forgeManifest({
      ...{ web: 'replay:pack:inputs/recording-1', record: null, replay: 'auto' },
      allowHost: ['127.0.0.1:9'],
    })
    expect((await verify(path, true)).runs[0]!.replay).toMatchObject({ equal: 4, notDone: [] })
  })

  it('names a queue and a browser: attempts are made again without them', async () => {
    const path = await forgeManifest({
      queue: 'redis://127.0.0.1:9',
      browser: '/bin/false',
      chroma: 'http://127.0.0.1:9',
    })
    const { runs } = await verify(path, true)
    expect(runs[0]!.replay?.equal).toBe(4)
  })
})

describe('packs beside runs', () => {
  it('are compared like the run that they were made from, and removed afterwards', async () => {
    const before = await unpackedFolders()
    const armsOf = (paths: readonly string[]) =>
      withRunPlaces(paths, async places => {
        const { comparison, runs } = await loadComparison(places, {})
        return {
          names: runs.map(({ name }) => name),
          scores: comparison.groups.map(({ metrics }) => metrics.cellF1?.mean),
        }
      })
    const both = await armsOf([file, run])
    expect(both.names).toEqual(['evidence.zip', 'run'])
    expect(new Set(both.scores)).toEqual(new Set((await armsOf([run])).scores))
    expect(await unpackedFolders()).toEqual(before)
  })

  it('are not put together when their webs differ', async () => {
    const other = join(base, 'other')
    await makeRun(other, { web: `replay:${join(base, 'recording')}`, record: null })
    const out = join(base, 'other.zip')
    await packRuns([other], { ...options, out })
    expect((await verify(out, true)).runs[0]!.replay).toEqual({ equal: 4, different: [], notDone: [] })
    const compared = withRunPlaces([file, out], async places => await loadComparison(places, {}))
    await expect(compared).rejects.toMatchObject({ code: 'webs-differ' })
  })
})
