import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { answerCsv, attemptOf, listIsolations, type ScriptedAttempt } from './external-attempt.ts'
import { page } from './harness.ts'

const ends = ({ termination }: { termination: { cause: string; reason: string } }): string =>
  `${termination.cause}/${termination.reason}`

const linux = it.runIf(process.platform === 'linux')

/** Ids of the processes whose command line contains a text. */
function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text) &&
          readlinkSync(`/proc/${pid}/exe`) !== ''
        )
      } catch {
        return false
      }
    })
    .map(Number)
}

describe('an agent that floods the gateway', () => {
  it('is ended after two thousand requests of unknown routes', async () => {
    const attempt = await attemptOf(`
      const base = env.OPENAI_BASE_URL
      let answered = 0
      for (let round = 0; round < 100; round++)
        await Promise.all(Array.from({ length: 100 }, () =>
          fetch(base + '/unknown').then(r => { answered += r.status === 404 }, () => {})))
      console.log(answer)`)
    expect(ends(attempt)).toBe('agent/no-progress')
    expect(attempt.termination.detail).toBe('the agent made thousands of requests that brought no result')
    expect(attempt.events.length).toBeLessThan(10)
  })

  it('never exceeds a budget, ends by it, leaves a trace of bounded size, and is refused afterwards', async () => {
    const attempt = await attemptOf(
      `let isOver = false
       process.on('SIGTERM', async () => {
         isOver = true
         const { isError, content } = await callTool('web_search', { queries: ['q'] })
         process.stdout.write(isError + ' ' + content[0].text, () => process.exit(0))
       })
       for (let round = 0; round < 1000 && !isOver; round++)
         await Promise.all(Array.from({ length: 10 }, () => post(env.SERPER_BASE_URL + '/search', { q: 'q' })))`,
      { environment: { caps: { searchCalls: 5 } } },
    )
    expect(ends(attempt)).toBe('budget/search-calls')
    expect(attempt.usage.searchCalls).toBe(5)
    expect(attempt.answerText).toBe('true The attempt is over. No more calls are possible.')
    expect(attempt.of('budget-charged').filter(({ kind }) => kind === 'searchCalls')).toHaveLength(5)
    expect(attempt.events.length).toBeLessThan(8_000)
  })

  it('is answered with a refusal when it repeats model calls beyond the budget', async () => {
    const attempt = await attemptOf(
      `const answers = await Promise.all(Array.from({ length: 50 }, () => ask('hello')))
       console.log(answers.filter(({ status }) => status === 200).length, answers.filter(({ status }) => status === 400).length)`,
      { environment: { caps: { modelCalls: 3 } } },
    )
    expect([ends(attempt), attempt.answerText]).toEqual(['budget/model-calls', '3 47\n'])
    expect(attempt.model.requests).toHaveLength(3)
  })

  it('is ended when it asks the MCP server for nothing but its tools', async () => {
    const attempt = await attemptOf(`
      for (let round = 0; round < 60; round++)
        await post(env.TABLEHUNT_MCP_URL, Array.from({ length: 50 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })))`)
    expect(ends(attempt)).toBe('agent/no-progress')
  })
})

describe('requests that cannot be answered', () => {
  it('are refused, and the attempt goes on', async () => {
    const attempt = await attemptOf(`
      const statuses = []
      const to = async (url, init) => statuses.push((await fetch(url, init)).status)
      const big = 'x'.repeat(50_000_000)
      const origin = new URL(env.OPENAI_BASE_URL).origin
      const json = { 'content-type': 'application/json' }
      await to(env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body: big })
      await to(env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body: '{"messages":' })
      await to(env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body: '{"messages": 7}' })
      await to(env.TABLEHUNT_MCP_URL, { method: 'POST', headers: json, body: '{' })
      await to(env.TABLEHUNT_MCP_URL, { method: 'POST', headers: json, body: big })
      await to(env.SERPER_BASE_URL + '/search', { method: 'POST', body: 'q' })
      await to(env.TAVILY_BASE_URL + '/extract', { method: 'POST', body: JSON.stringify({ urls: Array(21).fill('https://a.example') }) })
      await to(env.JINA_BASE_URL + '/https%3A%2F%2F%E0%A4%A')
      await to(origin + '/s/00000000000000000000000000000000/mcp')
      await to(origin + '/')
      console.log(statuses.join(' '), (await callTool('web_search', { queries: ['q'] })).content[0].text)`)
    expect(attempt.answerText).toBe('400 400 400 400 400 400 400 200 404 404 hits for q\n')
    expect(ends(attempt)).toBe('agent/answered-without-table')
  })

  it('do not keep the attempt waiting when they are never finished', async () => {
    const attempt = await attemptOf(`
      import { connect } from 'node:net'
      const { hostname, port, pathname } = new URL(env.TABLEHUNT_MCP_URL)
      const open = head => new Promise(resolve => {
        const socket = connect(port, hostname, () => { socket.write(head); resolve() })
        socket.on('error', () => {})
      })
      const request = 'POST ' + pathname + ' HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 1000\\r\\n'
      for (let n = 0; n < 30; n++) { await open(request); await open(request + '\\r\\n{') }
      console.log((await callTool('web_search', { queries: ['q'] })).content[0].text)
      process.exit(0)`)
    expect(attempt.answerText).toBe('hits for q\n')
  })

  it('beyond 512 open connections are closed', async () => {
    const attempt = await attemptOf(`
      import { connect } from 'node:net'
      const { hostname, port } = new URL(env.TABLEHUNT_MCP_URL)
      let closed = 0
      for (let n = 0; n < 700; n++) connect(port, hostname).on('error', () => {}).on('close', () => closed++)
      for (let n = 0; n < 200 && closed < 188; n++) await new Promise(resolve => setTimeout(resolve, 50))
      console.log(closed)
      process.exit(0)`)
    expect(Number(attempt.answerText)).toBe(700 - 512)
  })
})

const isolations = await listIsolations()

describe.each(isolations)('an agent whose processes do not behave $title', ({ isolate, isMissing }) => {
  beforeEach(({ skip }) => skip(isMissing))
  const attemptIn = async (script: string, given: ScriptedAttempt = {}) =>
    await attemptOf(script, { isolate, ...given })

  it('writes a gigabyte to standard output, and the end of it is read', async () => {
    const before = process.memoryUsage().rss
    const attempt = await attemptIn(`
      const chunk = Buffer.alloc(1_000_000, 'x\\n')
      const write = data => new Promise(resolve => process.stdout.write(data, resolve))
      for (let n = 0; n < 1000; n++) await write(chunk)
      await write(answer)`)
    expect(ends(attempt)).toBe('agent/answered')
    expect(attempt.answerText).toHaveLength(8_000_000)
    expect(attempt.answerText!.endsWith(answerCsv)).toBe(true)
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
  })

  linux(
    'leaves children in its group, in a session of their own, and without its environment: none survives',
    async () => {
      const mark = `survivor-${process.pid}`
      const attempt = await attemptIn(
        `import { spawn } from 'node:child_process'
       const source = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); //${mark}'
       const start = options => spawn(process.execPath, ['-e', source], { stdio: 'ignore', ...options }).unref()
       start({})
       start({ detached: true })
       start({ detached: true, env: {} })
       start({ detached: true, env: {}, cwd: '/' })
       await new Promise(resolve => setTimeout(resolve, 700))
       console.log(answer)
       process.exit(0)`,
      )
      expect(ends(attempt)).toBe('agent/answered')
      expect(processesWith(mark)).toEqual([])
    },
  )

  linux('starts children without end, and is stopped', async () => {
    const mark = `forker-${process.pid}`
    const attempt = await attemptIn(
      `import { spawn } from 'node:child_process'
       for (let n = 0; n < 40; n++) for (let m = 0; m < 20; m++) spawn('sleep', ['1000'], { stdio: 'ignore', argv0: '${mark}' })
       setInterval(() => {}, 1000)`,
    )
    expect([ends(attempt), attempt.termination.detail]).toEqual([
      'agent/crashed',
      'the agent was stopped because it ran more than 500 processes',
    ])
    expect(processesWith(mark)).toEqual([])
  })

  it('exits while its calls are under way, and the attempt ends at once', async () => {
    const attempt = await attemptIn(
      `for (let n = 0; n < 20; n++) callTool('fetch_page', { url: 'https://slow.example' }).catch(() => {})
       await new Promise(resolve => setTimeout(resolve, 300))
       process.stdout.write(answer, () => process.exit(0))`,
      {
        environment: {
          makeTools: [page(() => new Promise(() => undefined))],
        },
      },
    )
    expect(ends(attempt)).toBe('agent/answered')
    const called = attempt.of('tool-called').length
    expect(attempt.of('tool-failed')).toHaveLength(called)
  })
})

describe('two agents that run as one user', () => {
  it("finds nothing of another attempt's gateway without its secret path, and does not harm it", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'two-agents-'))
    const victim = attemptOf(
      `import { existsSync, renameSync, writeFileSync } from 'node:fs'
       writeFileSync('port', new URL(env.TABLEHUNT_MCP_URL).port)
       renameSync('port', '${folder}/port')
       while (!existsSync('${folder}/done')) await new Promise(resolve => setTimeout(resolve, 20))
       console.log((await callTool('web_search', { queries: ['q'] })).content[0].text)`,
    )
    const spy = attemptOf(
      `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
       while (!existsSync('${folder}/port')) await new Promise(resolve => setTimeout(resolve, 20))
       const other = 'http://127.0.0.1:' + readFileSync('${folder}/port', 'utf8')
       const own = new URL(env.TABLEHUNT_MCP_URL).pathname
       const statuses = new Set()
       for (let n = 0; n < 300; n++)
         statuses.add((await fetch(other + (n % 2 ? '/s/' + n + '/mcp' : own))).status)
       writeFileSync('${folder}/done', '')
       console.log([...statuses].join())`,
    )
    const [{ answerText }, spied] = await Promise.all([victim, spy])
    expect([answerText, spied.answerText]).toEqual(['hits for q\n', '404\n'])
  })
})
