import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { localWeb } from '../tools/support/local-web.ts'
import { startTablehunt, tablehunt } from './cli.ts'

let folder: string
let corpus: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-web-'))
  corpus = join(folder, 'corpus')
  const built = await tablehunt(['web', 'build', demoPaths.documents, '--out', corpus])
  expect(built).toMatchObject({ code: 0, stderr: '' })
  expect(built.stdout).toMatch(/^26 documents, 13 of them twins -> /)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inFolder = (name: string) => join(folder, name)

/** A served corpus: its address once it is told, and its end. */
async function serve(args: readonly string[]) {
  const command = startTablehunt(['web', 'serve', ...args])
  const address = /http:\/\/127\.0\.0\.1:\d+/
  await command.saying(address)
  return {
    url: address.exec(command.stdout())![0],
    ended: command.ended,
    stop: () => command.signal('SIGINT'),
  }
}

describe('web build', () => {
  it('reads the documents in a mixed folder, and names the other files', async () => {
    const odd = inFolder('odd')
    await mkdir(join(odd, 'sub'), { recursive: true })
    await writeFile(join(odd, 'sub', 'größe 中文.txt'), '恒岳公司营业收入 4,512,137')
    await writeFile(join(odd, 'broken.pdf'), '%PDF-1.4 broken')
    await writeFile(join(odd, 'zero.txt'), '')
    await writeFile(join(odd, 'letters.txt'), 'a'.repeat(20_000_000))
    await writeFile(join(odd, 'bytes.dat'), Buffer.from([0xff, 0xfe, 0, 1, 2, 0xd8]))
    await symlink('/nowhere/at/all', join(odd, 'dangling.pdf'))
    const built = await tablehunt(['web', 'build', odd, '--out', inFolder('odd-corpus')])
    expect(built.code).toBe(0)
    const told = built.stderr.trim().split('\n')
    for (const name of ['broken.pdf', 'zero.txt', 'dangling.pdf'])
      expect(told.filter(line => line.startsWith(`documents: ${name}: `))).toHaveLength(1)
    const found = await tablehunt(['web', 'search', inFolder('odd-corpus'), '营业收入'])
    expect(found.stdout).toContain('4,512,137')
  })

  it.each([
    [
      'a folder that is not there',
      ['web', 'build', '/nowhere/at/all', '--out', 'x'],
      /not a folder that can be read/,
    ],
    ['a file', ['web', 'build', 'package.json', '--out', 'x'], /not a folder that can be read/],
    [
      'a file without documents',
      ['web', 'build', demoPaths.tasks, '--out', 'x'],
      /\.jsonl:1: .*docid.*\[invalid-corpus-document\]/,
    ],
    ['no --out', ['web', 'build', demoPaths.documents], /--out/],
    [
      'a place that cannot be written',
      ['web', 'build', demoPaths.documents, '--out', demoPaths.tasks],
      /--out/,
    ],
    [
      'a number that is none',
      ['web', 'build', demoPaths.documents, '--out', 'x', '--twins', 'many'],
      /--twins/,
    ],
    ['a corpus that is not there', ['web', 'search', '/nowhere/at/all', 'x'], /web build DIR --out/],
    [
      'a port that is none',
      ['web', 'serve', '/nowhere', '--port', '80x'],
      /--port: '80x' .*0 to 65535 \[invalid-option\]/,
    ],
    ['a recording that is not there', ['web', 'drift', '/nowhere/at/all'], /--record/],
  ])('refuses %s in one line that contains the fix', async (_what, args, mend) => {
    const refused = await tablehunt(args, { cwd: folder })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(mend)
    expect(refused.stderr.trim().split('\n').length).toBeLessThanOrEqual(3)
  })

  it('refuses an empty folder, an empty query, and a corpus with missing files', async () => {
    await mkdir(inFolder('empty'))
    const empty = await tablehunt(['web', 'build', inFolder('empty'), '--out', inFolder('x')])
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('contains no documents') })
    const query = await tablehunt(['web', 'search', corpus, ' '])
    expect(query).toMatchObject({ code: 2, stderr: expect.stringContaining('[empty-query]') })
    const torn = inFolder('torn')
    await tablehunt(['web', 'build', demoPaths.documents, '--out', torn, '--twins', '0'])
    await rm(join(torn, 'texts'), { recursive: true })
    const lost = await tablehunt(['web', 'serve', torn])
    expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining('build the corpus again') })
  })
})

describe('web serve', () => {
  it('serves the search API, its hosts and a page that lists them, and reports a port that is in use', async () => {
    const first = await serve([corpus])
    const taken = await tablehunt(['web', 'serve', corpus, '--port', new URL(first.url).port])
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('in use') })
    const front = await (await fetch(first.url)).text()
    const host = /<a href="\/([^/"]+)\/">/.exec(front)?.[1]
    expect((await fetch(`${first.url}/${host}/?page=x`)).status).toBe(200)
    const ask = (body: string, key = 'any') =>
      fetch(`${first.url}/search`, { method: 'POST', headers: { 'x-api-key': key }, body })
    const found = (await (await ask('{"q":"annual report"}')).json()) as { organic: unknown[] }
    expect(found.organic.length).toBeGreaterThan(3)
    expect((await ask('{"q":')).status).toBe(400)
    expect((await ask('{"q":"x"}', '')).status).toBe(403)
    expect((await fetch(`${first.url}/%ff%zz`)).status).toBe(404)
    first.stop()
    expect((await first.ended).code).toBe(0)
  })
})

describe('tool, with inputs from standard input', () => {
  it('prints one line for each of 200 inputs in order, including invalid ones', async () => {
    const lines = Array.from(
      { length: 200 },
      (_, index): Uint8Array => Buffer.from(JSON.stringify({ queries: [`annual report ${index}`] })),
    )
    const broken: Record<number, Uint8Array> = {
      3: Buffer.from('not json'),
      50: Buffer.concat([Buffer.from('{"queries":["'), Buffer.from([0xff, 0xfe]), Buffer.from('"]}')]),
      51: Buffer.from('[]'),
      52: Buffer.from('{"queries":[]}'),
      53: Buffer.from(`{"queries":["${'x'.repeat(500_000)}"]}`),
      199: Buffer.from('{"queries":'),
    }
    for (const [index, line] of Object.entries(broken)) lines[Number(index)] = line
    const marked = Buffer.concat([
      Buffer.from('\ufeff'),
      ...lines.flatMap(line => [line, Buffer.from('\r\n')]),
    ])
    const run = await tablehunt(['tools', 'call', 'web_search', '-', '--web', `sealed:${corpus}`], {
      input: marked,
    })
    expect(run.code).toBe(0)
    const answers = run.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(answers.map(({ ok }, index) => (ok ? null : index)).filter(index => index !== null)).toEqual(
      Object.keys(broken).map(Number),
    )
    for (const [index, answer] of answers.entries()) {
      expect(Object.keys(answer)).toEqual(['ok', 'text', 'truncated', 'error', 'events'])
      if (answer.ok) expect(answer.text).toContain(`annual report ${index}`)
      else expect(answer.error).toMatch(/^bad-input: /)
    }
    expect(answers[50].error).toContain('UTF-8')
  })

  it('prints nothing and succeeds without input, and refuses an unknown tool', async () => {
    const args = ['--web', `sealed:${corpus}`]
    expect(await tablehunt(['tools', 'call', 'web_search', '-', ...args])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    const unknown = await tablehunt(['tools', 'call', 'web_serch', '{}', ...args])
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('web_search') })
  })
})

describe('tool, with a search service of its own', () => {
  it.each([
    ['serper', 403, '{"message":"Unauthorized."}', /^auth: .*key/, 1],
    ['brave', 429, '{"error":{"code":"QUOTA_LIMITED"}}', /^auth: .*credit/, 1],
    ['tavily', 503, 'down', /^unavailable: /, 3],
    ['searxng', 200, '<html>not json</html>', /^bad-response: /, 3],
    ['serper', 400, '{"message":"bad"}', /^bad-input: /, 1],
  ] as const)(
    'explains that %s answers %i, without showing the key',
    async (search, status, body, error, atLeast) => {
      const service = await localWeb(() => ({ status, body }))
      const name = search.toUpperCase()
      const run = await tablehunt(['tools', 'call', 'web_search', '{"queries":["x"]}', '--search', search], {
        env: { [`${name}_BASE_URL`]: service.url, [`${name}_API_KEY`]: 'sk-this-is-the-key' },
      })
      await service.close()
      expect(run).toMatchObject({ code: 0, stderr: '' })
      expect(run.stdout).not.toContain('sk-this-is-the-key')
      expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, error: expect.stringMatching(error) })
      expect(service.requests.length).toBeGreaterThanOrEqual(atLeast)
      if (atLeast === 1) expect(service.requests).toHaveLength(1)
    },
  )
})

describe('web drift', () => {
  it('names the place where a truncated recording is damaged', async () => {
    const record = inFolder('record')
    const args = ['tools', 'call', 'web_search', '{"queries":["annual report"]}', '--web', `sealed:${corpus}`]
    expect((await tablehunt([...args, '--record', record])).code).toBe(0)
    const index = join(record, 'index.jsonl')
    await writeFile(index, `${await readFile(index, 'utf8')}{"key": 5}\n`)
    const drift = await tablehunt(['web', 'drift', record])
    expect(drift).toMatchObject({ code: 2, stderr: expect.stringContaining('index.jsonl:2') })
  })
})
