import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../../src/config.ts'
import { compareOptions } from '../../../src/report/app/run-changes.ts'
import type { PageData } from '../../../src/report/page/page-data.ts'
import type { AuditSheetData } from '../../../src/report/page/served-data.ts'
import { auditRun } from '../../../src/run/scores/audit.ts'
import { maxBodyBytes } from '../../../src/run/view/requests.ts'
import type { ViewServer } from '../../../src/run/view/server.ts'
import { viewRuns } from '../../../src/run/view-runs.ts'
import { executeRun } from '../../../src/run.ts'
import { demoPaths } from '../../../tasks/demo/demo.ts'

let folder = ''
let server: ViewServer
let attemptId = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-view-'))
  const { tasks, documents: docs } = demoPaths
  const config = { tasks, docs, setting: 'offline', limit: 2, out: join(folder, 'runs', 'first') }
  await executeRun(resolveConfig({ ...config, cache: join(folder, 'cache') }))
  await cp(config.out, join(folder, 'runs', 'broken'), { recursive: true })
  await executeRun(
    resolveConfig({
      ...{ ...config, showColumns: true, out: join(folder, 'runs', 'second') },
      cache: join(folder, 'cache'),
    }),
  )
  await writeFile(join(folder, 'runs', 'broken', 'manifest.json'), '{')
  await writeFile(join(folder, 'secret.json'), '"secret"')
  const [line = ''] = (await readFile(join(config.out, 'attempts.jsonl'), 'utf8')).split('\n')
  attemptId = JSON.parse(line).attemptId
  server = await viewRuns(join(folder, 'runs'), 0)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly body: string
}

/** Sends a request whose path and headers no client corrects. */
async function ask(
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server.url)
  return await new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request({ hostname, port, path, method, headers }, async response => {
      const chunks: Buffer[] = []
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer)
      } catch (error) {
        reject(error)
      }
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const write = (path: string, content: unknown, headers: Record<string, string> = {}) =>
  ask(path, {
    headers: { 'content-type': 'application/json', 'x-tablehunt-token': server.token, ...headers },
    body: JSON.stringify(content),
  })

/** Reads the first events of a stream until `isEnough`. */
async function events(path: string, isEnough: (text: string) => boolean): Promise<string> {
  const stop = new AbortController()
  const { body } = await fetch(new URL(path, server.url), { signal: stop.signal })
  let text = ''
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (isEnough(text)) break
  }
  stop.abort()
  return text
}

describe('the server of view', () => {
  it('sends a row for each run, and names a run that cannot be read', async () => {
    const text = await events('events', sent => sent.includes('"first"') && sent.includes('"broken"'))
    expect(text).toMatch(/"name":"first",.*"state":"done","planned":2,"done":2/)
    expect(text).toMatch(/"name":"broken","state":"broken","problem":".*manifest\.json is damaged/)
    expect((await ask('/run/broken/')).status).toBe(409)
  })

  it('shows the index, the report, an attempt and its trace', async () => {
    expect((await ask('/')).body).toContain('id="index-data"')
    const report = await ask('/run/first/')
    expect(report.body).toContain('id="served-page"')
    expect(report.body).not.toContain('data-attempt="')
    const id = encodeURIComponent(attemptId)
    expect(JSON.parse((await ask(`/run/first/attempt/${id}.json`)).body)).toMatchObject({ id: attemptId })
    expect(JSON.parse((await ask(`/run/first/trace/${id}.json`)).body).steps.length).toBeGreaterThan(0)
  })

  it('sends the data of the page alone, for a page that is open while attempts end', async () => {
    const data: PageData = JSON.parse((await ask('/run/first/page.json')).body)
    expect([data.title, data.attempts.id.length, data.results.length]).toEqual(['first', 2, 1])
  })

  it('compares runs, with the options of each, and has the attempts of all by the name of their run', async () => {
    const path = `/compare/${encodeURIComponent('first/second')}/`
    const { body } = await ask(path)
    expect(body).toContain('id="served-page">{"kind":"comparison"}')
    const [, json = ''] = /id="page-data">(.*?)<\/script>/s.exec(body) ?? []
    const { runs, attempts, arms }: PageData = JSON.parse(json)
    const values = compareOptions(runs).flatMap(({ name, values, differs }) =>
      differs ? [[name, ...values]] : [],
    )
    expect(values).toEqual([['--show-columns', 'false', 'true']])
    expect([attempts.id.length, arms.map(({ run }) => run)]).toEqual([4, [0, 1]])
    const id = `second/${attemptId}`
    const ids = attempts.id.filter(name => name.startsWith('second/'))
    expect(ids).toHaveLength(2)
    const [first = id] = ids
    const attempt = await ask(`${path}attempt/${encodeURIComponent(first)}.json`)
    expect(JSON.parse(attempt.body)).toMatchObject({ id: first })
    const trace = await ask(`${path}trace/${encodeURIComponent(first)}.json`)
    expect(JSON.parse(trace.body).steps.length).toBeGreaterThan(0)
  })

  it.each(['first', 'first/first', 'first/nothing', 'first/..', 'first/second/attempt/none.json'])(
    'has no comparison of %s',
    async names => {
      const [first = '', second = '', ...rest] = names.split('/')
      const path = `/compare/${encodeURIComponent([first, second].join('/'))}/${rest.map(encodeURIComponent).join('/')}`
      expect((await ask(path)).status).toBe(404)
    },
  )

  it('says which run of a comparison cannot be read', async () => {
    const answer = await ask(`/compare/${encodeURIComponent('first/broken')}/`)
    expect(answer).toMatchObject({ status: 409, body: expect.stringContaining('manifest.json is damaged') })
  })

  it('refuses other host names, which DNS rebinding would use, and other origins', async () => {
    const { port } = new URL(server.url)
    const status = async (headers: Record<string, string>) => (await ask('/', { headers })).status
    expect(await status({ host: `evil.example:${port}` })).toBe(403)
    expect(await status({ host: '127.0.0.1:1' })).toBe(403)
    expect(await status({ host: `localhost:${port}` })).toBe(200)
    expect(await status({ origin: 'http://evil.example' })).toBe(403)
    expect(await status({ origin: 'null' })).toBe(403)
    expect(await status({ origin: `http://127.0.0.1:${port}` })).toBe(200)
  })

  it('writes nothing without its token, from another origin, or in another format', async () => {
    const notes = { note: 'x', tags: [] }
    const status = async (headers: Record<string, string>) =>
      (await write('/run/first/notes', notes, headers)).status
    expect(await status({ 'x-tablehunt-token': '' })).toBe(403)
    expect(await status({ 'x-tablehunt-token': 'a'.repeat(server.token.length) })).toBe(403)
    expect(await status({ origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await status({ 'content-type': 'text/plain' })).toBe(415)
    expect((await write('/run/first/notes', { note: 1 })).status).toBe(400)
    expect((await write('/run/first/notes', { note: 'x'.repeat(maxBodyBytes), tags: [] })).status).toBe(413)
    await expect(readFile(join(folder, 'runs', 'first', 'notes.json'))).rejects.toThrow('ENOENT')
  })

  it('opens no path outside its runs', async () => {
    const paths = [
      '/run/../secret.json',
      '/run/..%2f/',
      '/run/..%2f..%2fsecret.json/',
      '/run/first/trace/..%2f..%2fmanifest.json',
      '/run/first/attempt/..%2fmanifest.json',
      '/run/first/manifest.json',
      '/run/%ff/',
      '/secret.json',
    ]
    for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 404])
  })

  it('forbids other pages to show it, and to run scripts in its pages', async () => {
    const answer = await fetch(new URL('run/first/', server.url))
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(await answer.text()).toMatch(
      /Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-/,
    )
  })

  it('keeps notes in the run, and tells the index', async () => {
    const notes = { note: 'Baseline.', tags: ['paper'] }
    expect(JSON.parse((await write('/run/first/notes', notes)).body)).toEqual(notes)
    expect(await events('events', sent => sent.includes('"first"'))).toContain('"tags":["paper"]')
  })

  it('keeps a mark and a note of a whole answer, also when a sample is drawn later', async () => {
    const read = (answer: Answer): AuditSheetData => JSON.parse(answer.body)
    const answerMark = { id: null, attemptId, item: null, marker: 'Ada' }
    await write('/run/second/marks', { ...answerMark, attemptId: 'none', mark: 'right' }).then(answer =>
      expect(answer.status).toBe(409),
    )
    const [line = ''] = (await readFile(join(folder, 'runs', 'second', 'attempts.jsonl'), 'utf8')).split('\n')
    const second = { ...answerMark, attemptId: JSON.parse(line).attemptId as string }
    await write('/run/second/marks', { ...second, mark: 'wrong' })
    await write('/run/second/marks', { ...second, note: '=The last row, "2021", is missing.' })
    const expected = [
      {
        attemptId: second.attemptId,
        marks: ['wrong', ''],
        note: expect.stringContaining('last row, "2021"'),
      },
    ]
    expect(read(await ask('/run/second/audit.json'))).toMatchObject({ items: [], answers: expected })
    const sheet = read(await write('/run/second/sample', { size: 2 }))
    expect(sheet).toMatchObject({ markers: ['Ada', ''], answers: expected })
    expect(sheet.items).toHaveLength(2)
    // A whole answer is no item of the agreement, and does not make the sheet outdated.
    const options = { sample: null, seed: 0, scorer: null, judge: null, sheet: null, secondSheet: null }
    const audit = await auditRun(join(folder, 'runs', 'second'), { ...options, anew: false })
    expect(audit).toMatchObject({ kind: 'read', items: 2, marked: 0 })
    const long = 'x'.repeat(4_001)
    expect((await write('/run/second/marks', { ...second, note: long })).status).toBe(400)
  })

  it('draws a sample, and writes marks that audit reads with both markers', async () => {
    const read = (answer: Answer): AuditSheetData => JSON.parse(answer.body)
    const { items } = read(await write('/run/first/sample', { size: 3 }))
    expect(items).toHaveLength(3)
    const [item] = items
    for (const [marker, mark] of [
      ['Ada', 'right'],
      ['Ben', 'wrong'],
    ]) {
      const { id, attemptId: attempt } = item!
      await write('/run/first/marks', { id, attemptId: attempt, item: null, mark, marker })
    }
    await write('/run/first/marks', { id: null, attemptId, item: 0, mark: 'right', marker: 'Ada' })
    const sheet = read(await ask('/run/first/audit.json'))
    expect(sheet.markers).toEqual(['Ada', 'Ben'])
    expect(sheet.items[0]?.marks).toEqual(['right', 'wrong'])
    const options = { sample: null, seed: 0, scorer: null, judge: null, sheet: null, secondSheet: null }
    const audit = await auditRun(join(folder, 'runs', 'first'), { ...options, anew: false })
    expect(audit).toMatchObject({ kind: 'read', marked2: 1 })
    const third = { id: null, attemptId, item: 0, mark: 'right', marker: 'Cleo' }
    expect(await write('/run/first/marks', third)).toMatchObject({
      status: 409,
      body: expect.stringContaining('Ada and Ben'),
    })
    expect((await write('/run/first/marks', { ...third, marker: '=1+1' })).status).toBe(400)
    expect(await write('/run/first/marks', { ...third, item: 999 })).toMatchObject({ status: 409 })
  })

  it('names a port in use, and a folder without runs', async () => {
    const { port } = new URL(server.url)
    await expect(viewRuns(join(folder, 'runs'), Number(port))).rejects.toMatchObject({
      code: 'port-not-available',
    })
    await mkdir(join(folder, 'empty'))
    await expect(viewRuns(join(folder, 'empty'), 0)).rejects.toMatchObject({ code: 'no-runs' })
    await expect(viewRuns(join(folder, 'nowhere'), 0)).rejects.toMatchObject({
      code: 'no-runs',
      message: expect.stringMatching(/nowhere: .*does not exist.*tablehunt demo/),
    })
  })

  it('opens the only run of a folder that is itself a run', async () => {
    const single = await viewRuns(join(folder, 'runs', 'first'), 0)
    try {
      const answer = await fetch(`${single.url}?token=x`, { redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/run/first/?token=x'])
    } finally {
      await single.close()
    }
  })
})
