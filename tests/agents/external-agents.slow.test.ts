import { beforeEach, describe, expect, it } from 'vitest'
import { ProviderError } from '../../src/core/errors.ts'
import { answerCsv, listIsolations, type ScriptedAttempt, attemptOf as start } from './external-attempt.ts'
import { scripted } from './harness.ts'

const ends = ({ termination }: { termination: { cause: string; reason: string } }): string =>
  `${termination.cause}/${termination.reason}`

const isolations = await listIsolations()

describe.each(isolations)('how the attempt of a program ends $title', ({ isolate, isMissing }) => {
  beforeEach(({ skip }) => skip(isMissing))
  const attemptOf = async (script: string, given: ScriptedAttempt = {}) =>
    await start(script, { isolate, ...given })

  it('is answered by exit code 0 and an answer on standard output', async () => {
    const attempt = await attemptOf(`console.log('thinking\\n' + answer)`)
    expect(ends(attempt)).toBe('agent/answered')
    expect(attempt.answerText).toContain(answerCsv)
    expect(attempt.of('agent-exited')).toEqual([{ type: 'agent-exited', exitCode: 0, signal: null }])
  })

  it('is answered without a table when no answer can be read', async () => {
    const attempt = await attemptOf(`console.log('I do not know.')`)
    expect(ends(attempt)).toBe('agent/answered-without-table')
  })

  it('gets the prompt on standard input and the task in a file', async () => {
    const attempt = await attemptOf(`
      import { readFileSync } from 'node:fs'
      let given = ''
      for await (const chunk of process.stdin) given += chunk
      const task = JSON.parse(readFileSync(env.TABLEHUNT_TASK, 'utf8'))
      console.log(JSON.stringify({ same: given === task.prompt.user, ...task, key: env.SECRET_API_KEY ?? null }))`)
    const task = JSON.parse(attempt.answerText!)
    expect(task).toMatchObject({
      ...{ same: true, taskId: 'financial_1_0_en', query: 'Compare revenue.', key: null },
      ...{ documentNames: ['a.pdf', 'b.pdf'], language: 'en', answerKind: 'table', deadline: null },
    })
  })

  it('reads the answer from the named file', async () => {
    const attempt = await attemptOf(
      `import { writeFileSync } from 'node:fs'
       console.log('log')
       writeFileSync(env.TABLEHUNT_FOLDER + '/answer.md', answer)`,
      { answer: { from: 'file', name: 'answer.md' } },
    )
    expect([ends(attempt), attempt.answerText]).toEqual(['agent/answered', answerCsv])
    expect(attempt.of('agent-output')).toMatchObject([{ stream: 'stdout', text: { text: 'log\n' } }])
  })

  it('is a crash when the program ends without an answer, with its last lines in the detail', async () => {
    const attempt = await attemptOf(`
      console.error('Traceback in /home/somebody/agent.py')
      console.error('ValueError: no table after 3.2 s from http://127.0.0.1:4000/v1')
      process.exit(3)`)
    expect(ends(attempt)).toBe('agent/crashed')
    expect(attempt.termination.detail).toBe(
      'the agent ended with exit code 3: ValueError: no table after [time] from [url] (last lines: Traceback in agent.py)',
    )
    expect(attempt.answerText).toBeNull()
    expect(attempt.of('agent-output')).toMatchObject([{ stream: 'stderr' }])
  })

  it('is a crash when the program ends with exit code 0 and writes nothing', async () => {
    const attempt = await attemptOf('')
    expect(ends(attempt)).toBe('agent/crashed')
    expect(attempt.termination.detail).toBe('the agent ended with exit code 0 and no answer')
  })

  it('keeps a readable answer of a program that crashes afterwards', async () => {
    const attempt = await attemptOf(`
      process.stdout.write(answer, () => { throw new Error('late') })`)
    expect([ends(attempt), attempt.termination.answerProduced]).toEqual(['agent/crashed', true])
    expect(attempt.answerText).toBe(answerCsv)
  })

  it('is the failure of the provider when that made the agent crash', async () => {
    const down = new ProviderError('auth', 'bad key', { retryable: false })
    const attempt = await attemptOf(
      `const { status } = await ask('hello')
       process.exit(status === 400 ? 1 : 2)`,
      { model: scripted({ turns: [down] }) },
    )
    expect([ends(attempt), attempt.termination.detail]).toEqual(['provider/auth', 'bad key'])
  })

  it('is a crash when the program cannot be started', async () => {
    const attempt = await attemptOf('', { env: { BIG: 'x'.repeat(3_000_000) } })
    expect(ends(attempt)).toBe('agent/crashed')
    expect(attempt.termination.detail).toBe('the program could not be started (E2BIG)')
  })

  it('is stopped by its timeout', async () => {
    const attempt = await attemptOf(`setInterval(() => {}, 1000)`, { timeoutMs: 20_000 })
    expect([ends(attempt), attempt.termination.detail]).toEqual([
      'agent/crashed',
      'the agent was stopped because it ran longer than its timeout',
    ])
  })

  it('is stopped when it uses too much memory', async () => {
    const attempt = await attemptOf(
      `const kept = []
       setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 5)`,
      { memoryMb: 300 },
    )
    expect([ends(attempt), attempt.termination.detail]).toEqual([
      'agent/crashed',
      'the agent was stopped because it used more than 300 MB of memory',
    ])
  })

  it.runIf(process.platform === 'linux')('counts memory that its processes share once', async () => {
    const attempt = await attemptOf(
      `import { execFileSync } from 'node:child_process'
       execFileSync('python3', ['-c', [
         'import os, time',
         'shared = bytearray(b"x") * 150_000_000',
         'for _ in range(4):',
         '    if os.fork() == 0:',
         '        time.sleep(2); os._exit(0)',
         'time.sleep(2)',
       ].join('\\n')])
       console.log(answer)`,
      { memoryMb: 400 },
    )
    expect(ends(attempt)).toBe('agent/answered')
  })

  it('tells the agent through tool results when the time is nearly over, and keeps the answer that follows', async () => {
    const attempt = await attemptOf(
      `for (;;) {
         const { isError, content } = await callTool('web_search', { queries: ['q'] })
         if (isError) { console.log(content[0].text + '\\n' + answer); break }
         await new Promise(resolve => setTimeout(resolve, 20))
       }`,
      { environment: { caps: { wallMs: 150_000 } } },
    )
    expect(ends(attempt)).toBe('agent/answered')
    expect(attempt.answerText).toContain(answerCsv)
  })

  it('is the wall clock when the program goes on, and what it wrote by then is its answer', async () => {
    const attempt = await attemptOf(
      `process.on('SIGTERM', () => {})
       console.log(answer)
       setInterval(() => {}, 1000)`,
      { environment: { caps: { wallMs: 30_000 } } },
    )
    expect([ends(attempt), attempt.termination.answerProduced]).toEqual(['budget/wall-clock', true])
    expect(attempt.of('agent-exited')).toMatchObject([{ signal: 'SIGKILL' }])
  })

  it('is cancelled by the operator, and the program gets SIGTERM first', async () => {
    const attempt = await attemptOf(
      `process.on('SIGTERM', () => { console.log(answer); process.exit(0) })
       setInterval(() => {}, 1000)`,
      { started: cancel => void setTimeout(() => cancel.abort(new Error('Ctrl-C')), 500) },
    )
    expect(ends(attempt)).toBe('operator/cancelled')
  })
})
