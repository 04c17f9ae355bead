import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readTrace } from '../../../logs/reader.ts'
import { importLogs } from '../../../src/run/import/import-logs.ts'
import { readRun } from '../../../src/run/records/read-records.ts'
import { packageRoot } from '../../../src/system/paths.ts'

const fixtures = join(packageRoot, 'tests', 'logs', 'import', 'fixtures')
const newFolder = () => mkdtemp(join(tmpdir(), 'import-agents-'))

async function imported(format: string, ...files: string[]) {
  const folder = join(await newFolder(), 'run')
  const paths = files.map(file => (file.startsWith('/') ? file : join(fixtures, file)))
  const summary = await importLogs(format, paths, folder)
  const { attempts } = await readRun(folder)
  const ends = attempts.map(({ sourceId, termination: { cause, reason, forcedFinal, answerProduced } }) =>
    [sourceId, `${cause}/${reason}`, forcedFinal, answerProduced].join(' | '),
  )
  const usage = attempts.map(one => [one.usage.modelCalls, one.usage.searchCalls, one.usage.fetchCalls])
  return { folder, summary, attempts, ends, usage }
}

/** Lists what tools showed: the addresses of search results and of opened pages. */
async function shown(folder: string, attemptId: string): Promise<string[]> {
  const { events } = await readTrace(folder, attemptId)
  return events.flatMap(event =>
    event.type !== 'tool-answered'
      ? []
      : event.observations.flatMap(seen =>
          seen.kind === 'hits' ? seen.hits.map(({ url }) => `hit ${url}`) : [`page ${seen.finalUrl}`],
        ),
  )
}

const both = ['hit https://ulm.example.org/hotels', 'page https://ulm.example.org/hotels']

describe('Codex CLI', () => {
  it('reads a session as one attempt, and counts calls by its usage records', async () => {
    const { folder, attempts, ends, usage } = await imported('codex', 'codex.jsonl')
    expect(ends).toEqual(['session-1 | agent/answered | false | true'])
    expect(usage).toEqual([[3, 2, 1]])
    expect(attempts[0]).toMatchObject({ model: 'model-x', answer: { rows: 2 } })
    expect(attempts[0]?.usage).toMatchObject({ inputTokens: 600, outputTokens: 70, wallMs: 7_000 })
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual(both)
  })

  it('tells an overflow of the context from a session that was killed', async () => {
    const overflow = await imported('codex', 'codex-overflow.jsonl')
    expect(overflow.ends).toEqual(['session-1 | budget/context-window | false | false'])
    expect(overflow.attempts[0]?.usage.inputTokens).toBe(300)
    const killed = await imported('codex', 'codex-killed.jsonl')
    expect(killed.ends).toEqual(['session-1 | unknown/unmapped | false | false'])
    expect(killed.summary.skipped[0]?.problem).toContain('[cut-log-record]')
  })

  it('reads items without an envelope, and the events of exec --json', async () => {
    const { ends, usage, attempts } = await imported('codex', 'codex-0.20.jsonl', 'codex-exec.jsonl')
    expect(ends).toEqual([
      'session-20 | agent/answered | false | true',
      'thread-1 | agent/answered | false | true',
    ])
    expect(usage).toEqual([
      [null, 1, 0],
      [null, 2, 0],
    ])
    expect(attempts[0]?.usage.wallMs).toBeNull()
  })

  it.each([
    [{ type: 'turn_aborted', reason: 'interrupted' }, 'operator/cancelled'],
    [{ type: 'turn_aborted', reason: 'budget_limited' }, 'budget/tokens'],
    [{ type: 'turn_aborted', reason: 'replaced' }, 'unknown/unmapped'],
    [failed('x', 'session_budget_exceeded'), 'budget/tokens'],
    [failed('x', 'usage_limit_exceeded'), 'provider/rate-limited'],
    [failed('x', { http_connection_failed: { http_status_code: 401 } }), 'provider/auth'],
    [failed('x', { response_too_many_failed_attempts: { http_status_code: 429 } }), 'provider/rate-limited'],
    [failed('x', { http_connection_failed: { http_status_code: 502 } }), 'provider/unavailable'],
    [failed('stream disconnected before completion', 'other'), 'provider/unavailable'],
    [failed('incomplete, reason: max_output_tokens', 'other'), 'budget/output-limit'],
    [failed('incomplete, reason: content_filter', 'other'), 'provider/content-filter'],
    [failed('odd', 'other'), 'unknown/unmapped'],
  ])('maps the end %j', async (payload, end) => {
    const session = await readFile(join(fixtures, 'codex-killed.jsonl'), 'utf8')
    const lines = session.split('\n').slice(0, -1)
    const path = join(await newFolder(), 'session.jsonl')
    const last = JSON.stringify({ timestamp: '2026-03-01T10:00:09Z', type: 'event_msg', payload })
    await writeFile(path, [...lines, last].join('\n'))
    const { ends } = await imported('codex', path)
    expect(ends[0]).toContain(end)
  })
})

function failed(message: string, codex_error_info: unknown) {
  return { type: 'task_complete', last_agent_message: null, error: { message, codex_error_info } }
}

describe('MiroThinker and MiroFlow', () => {
  it('reads calls from tags, and counts by the steps', async () => {
    const { folder, attempts, ends, usage } = await imported('mirothinker', 'mirothinker.json')
    expect(ends).toEqual(['hotels_attempt-2_format-retry-0 | agent/answered | false | true'])
    expect(usage).toEqual([[3, 1, 1]])
    expect(attempts[0]).toMatchObject({
      taskId: 'hotels',
      trial: 1,
      model: 'thinker',
      startedAt: '2026-03-01T10:00:00.000Z',
      usage: { inputTokens: 400, outputTokens: 30, wallMs: 9_000 },
    })
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual(both)
  })

  it('reads the end from the steps, because the status says success for a dead server', async () => {
    const { ends } = await imported('mirothinker', 'mirothinker-ends.json')
    expect(ends.map(end => end.replace('_attempt-1_format-retry-0', ''))).toEqual([
      'max-turns | budget/model-calls | true | true',
      'context | budget/context-window | true | true',
      'dead | provider/unavailable | false | false',
      'limited | provider/rate-limited | false | false',
      'no-box | agent/answered-without-table | false | false',
      'failed | harness/crash | false | false',
      'rollbacks | agent/no-progress | false | false',
      'killed | unknown/unmapped | false | false',
    ])
  })

  it('keeps the last of several retries', async () => {
    const log = JSON.parse(await readFile(join(fixtures, 'mirothinker.json'), 'utf8')) as { task_id: string }
    const path = join(await newFolder(), 'retries.json')
    const retry = { ...log, task_id: 'hotels_attempt-2_format-retry-1' }
    await writeFile(path, JSON.stringify([retry, log]))
    const { ends, summary } = await imported('mirothinker', path)
    expect(ends).toEqual(['hotels_attempt-2_format-retry-1 | agent/answered | false | true'])
    expect(summary.skipped[0]?.problem).toContain('was repeated')
  })

  it('MiroFlow: includes what helper agents did', async () => {
    const { folder, attempts, ends, usage } = await imported('miroflow', 'task_hotels_attempt_2.json')
    expect(ends).toEqual(['hotels#2 | agent/answered | false | true'])
    expect(usage).toEqual([[3, 1, 1]])
    expect(attempts[0]).toMatchObject({ trial: 1, model: 'model-y', usage: { reasoningTokens: 20 } })
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual(both)
  })

  it('MiroFlow: maps statuses and steps', async () => {
    const { ends } = await imported('miroflow', 'miroflow-ends.json')
    expect(ends).toEqual([
      'turns | budget/model-calls | true | true',
      'context | budget/context-window | true | true',
      'dead | provider/unavailable | false | false',
      'slow | provider/timeout | false | false',
      'no-box | agent/answered-without-table | false | false',
      'crash | harness/crash | false | false',
      'pending | unknown/unmapped | false | false',
    ])
  })
})

describe('WideSearch and ASearcher', () => {
  it('WideSearch: maps the runner’s own messages and error markers', async () => {
    const { folder, attempts, ends } = await imported('widesearch', 'model-w_ws_1_0_response.jsonl')
    expect(ends).toEqual([
      'ws_1#0 | agent/answered | false | true',
      'ws_2#0 | budget/model-calls | true | true',
      'ws_3#0 | provider/unavailable | true | true',
      'ws_4#1 | provider/unavailable | false | false',
      'ws_5#0 | provider/bad-response | false | false',
      'ws_6#0 | unknown/unmapped | false | false',
    ])
    expect(attempts[0]).toMatchObject({ model: 'model-w', usage: { searchCalls: 1, fetchCalls: 1 } })
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual(['hit ', both[1]])
  })

  it('ASearcher: maps answers, the turn limit and errors', async () => {
    const { folder, attempts, ends, usage } = await imported('asearcher', 'asearcher.jsonl')
    expect(ends).toEqual([
      '0 | agent/answered | false | true',
      '1 | budget/model-calls | false | false',
      '2 | harness/crash | false | false',
      '3 | unknown/unmapped | false | false',
    ])
    expect(usage[0]).toEqual([3, 1, 1])
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual(both)
  })
})

describe('OpenAI Agents SDK', () => {
  it('reads the end from the agent and its last call', async () => {
    const { folder, attempts, ends, usage } = await imported('openai-agents', 'openai-agents.jsonl')
    expect(ends).toEqual([
      'trace_answered | agent/answered | false | true',
      'trace_turns | budget/model-calls | false | false',
      'trace_limited | provider/rate-limited | false | false',
      'trace_old | provider/unavailable | false | false',
      'trace_context | budget/context-window | false | false',
      'trace_tool | harness/crash | false | false',
      'trace_refused | agent/refused | false | false',
      'trace_cancelled | unknown/unmapped | false | false',
      'trace_killed | unknown/unmapped | false | false',
      'trace_submit | agent/answered | false | true',
    ])
    expect(usage[0]).toEqual([3, 1, 1])
    expect(usage[2]).toEqual([1, 1, 0])
    expect(usage[5]).toEqual([2, 1, 1])
    expect(attempts[0]).toMatchObject({
      model: 'model-o',
      startedAt: '2026-03-01T10:00:01.500Z',
      answer: { rows: 2 },
      usage: {
        inputTokens: 300,
        cachedInputTokens: 120,
        outputTokens: 30,
        reasoningTokens: 12,
        wallMs: 11_000,
      },
    })
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual(both)
  })

  it('reads several traces of one file, helper agents, and calls of the Responses API', async () => {
    const { folder, attempts, ends, usage } = await imported('openai-agents', 'openai-agents-mixed.jsonl')
    expect(ends).toEqual([
      'trace_responses | agent/answered | false | false',
      'trace_helper | agent/answered | false | true',
    ])
    expect(usage).toEqual([
      [3, 1, 1],
      [3, 0, 1],
    ])
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual(both)
  })
})

describe('WebThinker and open_deep_research', () => {
  it('WebThinker: reads the conversation from the output, and pages from the explorer', async () => {
    const { folder, attempts, ends, usage } = await imported('webthinker', 'webthinker.json')
    expect(ends).toEqual([
      '0 | agent/answered | false | true',
      '1 | budget/search-calls | true | true',
      '2 | provider/unavailable | false | false',
      '3 | provider/unavailable | false | false',
      '4 | agent/no-progress | false | false',
      '5 | budget/search-calls | true | true',
    ])
    expect(usage).toEqual([
      [2, 1, null],
      [3, 1, null],
      [0, 0, null],
      [1, 1, null],
      [2, 1, null],
      [2, 0, null],
    ])
    expect(attempts[1]?.answer).toMatchObject({ rows: 2 })
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual([
      'hit https://ulm.example.org/hotels',
      'hit https://ulm.example.org/',
      'hit https://ulm.example.org/guide',
      'page https://ulm.example.org/hotels',
      'page https://ulm.example.org/birch',
    ])
  })

  it('WebThinker: reads the model from the name of the folder', async () => {
    const folder = join(await newFolder(), 'gaia.model-v1.5.webthinker')
    await mkdir(folder)
    await copyFile(join(fixtures, 'webthinker.json'), join(folder, 'test.json'))
    expect((await imported('webthinker', join(folder, 'test.json'))).attempts[0]?.model).toBe('model-v1.5')
  })

  it('open_deep_research: maps the errors in place of a report', async () => {
    const { attempts, ends, usage } = await imported(
      'open-deep-research',
      'deep_research_bench_model-d.jsonl',
    )
    expect(ends).toEqual([
      '0 | agent/answered | false | true',
      '1 | budget/context-window | false | false',
      '2 | budget/context-window | false | false',
      '3 | provider/rate-limited | false | false',
      '4 | provider/auth | false | false',
      '5 | provider/unavailable | false | false',
      '6 | unknown/unmapped | false | false',
      '7 | unknown/unmapped | false | false',
    ])
    expect(usage[0]).toEqual([null, null, null])
    expect(attempts[0]).toMatchObject({ model: 'model-d', answer: { rows: 2 } })
  })
})

describe('relatives of Tongyi DeepResearch', () => {
  it('reads WebSailor’s trials, dead servers and NestBrowse’s ends', async () => {
    const { attempts, ends, usage } = await imported('tongyi', 'websailor.jsonl')
    expect(ends.map(end => end.split(' | ')[1])).toEqual([
      'agent/answered',
      'provider/unavailable',
      'budget/model-calls',
      'budget/context-window',
      'provider/bad-response',
      'provider/unavailable',
    ])
    expect(attempts.slice(0, 2).map(({ trial }) => trial)).toEqual([1, 2])
    expect(usage.slice(0, 2)).toEqual([
      [2, 0, 1],
      [1, 1, 0],
    ])
  })

  it('reads the trial from the name of the file when no record has it', async () => {
    const path = join(await newFolder(), 'iter3.jsonl')
    await writeFile(path, JSON.stringify({ question: 'q', prediction: 'x', termination: 'answer' }))
    expect((await imported('tongyi', path)).attempts[0]?.trial).toBe(2)
  })
})

describe('lists of chat messages', () => {
  it('reads a conversation in Anthropic’s form, one file each', async () => {
    const { folder, attempts, ends, usage } = await imported('generic', 'anthropic-messages.json')
    expect(ends).toEqual(['anthropic-messages | agent/answered | false | true'])
    expect(usage).toEqual([[2, 1, 0]])
    expect(await shown(folder, attempts[0]!.attemptId)).toEqual([both[0]])
  })

  it('reads conversations in OpenAI’s form, one per line', async () => {
    const { ends } = await imported('generic', 'openai-messages.jsonl')
    expect(ends.map(end => end.split(' | ').slice(1).join(' '))).toEqual([
      'agent/answered false true',
      'budget/output-limit false true',
      'unknown/unmapped false false',
    ])
  })
})

describe('log files', () => {
  it('unpacks gzip', async () => {
    const path = join(await newFolder(), 'log.jsonl.gz')
    await writeFile(path, zlib.gzipSync(await readFile(join(fixtures, 'asearcher.jsonl'))))
    expect((await imported('asearcher', path)).attempts).toHaveLength(4)
    await writeFile(path, zlib.gzipSync('{"id":1}').subarray(0, 15))
    const out = join(await newFolder(), 'run')
    await expect(importLogs('asearcher', [path], out)).rejects.toMatchObject({ code: 'unreadable-log' })
  })

  it('unpacks zstd where Node can, and names the fix where it cannot', async () => {
    const path = join(await newFolder(), 'log.jsonl.zst')
    // {"id": 1, "prompt": "q", "article": "a"}, written by zstd
    await writeFile(
      path,
      Buffer.from('KLUv/QRYSQEAeyJpZCI6IDEsICJwcm9tcHQiOiAicSIsICJhcnRpY2xlIjogImEifQqtN6Tv', 'base64'),
    )
    const log = imported('open-deep-research', path)
    if ('createZstdDecompress' in zlib) expect((await log).attempts).toHaveLength(1)
    else {
      await expect(log).rejects.toMatchObject({ code: 'unsupported-compression' })
      await expect(log).rejects.toThrow(/log\.jsonl\.zst: .* zstd, which needs Node 22\.15 .* zstd -d /)
    }
  })

  it('refuses a damaged zstd file', async () => {
    const path = join(await newFolder(), 'log.jsonl.zst')
    await writeFile(path, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]))
    await expect(imported('open-deep-research', path)).rejects.toMatchObject({
      code: 'createZstdDecompress' in zlib ? 'unreadable-log' : 'unsupported-compression',
    })
  })

  it.each([
    ['openai-agents', 'openai-agents.jsonl'],
    ['webthinker', 'webthinker.json'],
    ['open-deep-research', 'deep_research_bench_model-d.jsonl'],
  ])('recognises %s', async (format, file) => {
    const wrong = imported('codex', file)
    await expect(wrong).rejects.toMatchObject({ code: 'wrong-log-format' })
    await expect(wrong).rejects.toThrow(new RegExp(`of the format codex, but of ${format}\\.`))
  })

  it('suggests the format that recognises the file', async () => {
    const out = join(await newFolder(), 'run')
    const wrong = importLogs('tongyi', [join(fixtures, 'asearcher.jsonl')], out)
    await expect(wrong).rejects.toMatchObject({ code: 'wrong-log-format' })
    await expect(wrong).rejects.toThrow(/asearcher\.jsonl.*tablehunt logs import asearcher/)
  })

  it('names a file that is a copy of another, and counts its attempts as further trials', async () => {
    const copy = join(await newFolder(), 'copy.jsonl')
    await copyFile(join(fixtures, 'asearcher.jsonl'), copy)
    const single = await imported('asearcher', 'asearcher.jsonl')
    const { summary, attempts } = await imported('asearcher', 'asearcher.jsonl', copy)
    expect(single.summary.copies).toEqual([])
    expect(summary.copies).toEqual([{ file: copy, original: join(fixtures, 'asearcher.jsonl') }])
    expect(attempts).toHaveLength(2 * single.attempts.length)
  })

  it('refuses empty files', async () => {
    const path = join(await newFolder(), 'empty.jsonl')
    await writeFile(path, '\n')
    const out = join(await newFolder(), 'run')
    await expect(importLogs('codex', [path], out)).rejects.toMatchObject({ code: 'empty-log' })
  })

  it('BrowseComp-Plus: reads questions from the file beside the log, or the one that is named', async () => {
    const folder = await newFolder()
    const log = join(folder, 'run.json')
    await copyFile(join(fixtures, 'browsecomp-completed.json'), log)
    await writeFile(join(folder, 'queries.tsv'), '769\tWhich firm?\n')
    const questionOf = async (questions: string | null, files: string[]) => {
      const out = join(await newFolder(), 'run')
      await importLogs('browsecomp-plus', files, out, { config: null, questions })
      const { attempts } = await readRun(out)
      const { events } = await readTrace(out, attempts[0]!.attemptId)
      const asked = events.find(event => event.type === 'model-called')
      return asked?.messages[0]?.content
    }
    expect(await questionOf(null, [log, join(folder, 'queries.tsv')])).toEqual({ text: 'Which firm?' })
    await writeFile(join(folder, 'other.tsv'), '769\tWho?\n')
    expect(await questionOf(join(folder, 'other.tsv'), [log])).toEqual({ text: 'Who?' })
    await expect(questionOf(join(folder, 'gone.tsv'), [log])).rejects.toMatchObject({
      code: 'unreadable-questions',
    })
  })
})
