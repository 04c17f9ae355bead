import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readTrace } from '../../../logs/reader.ts'
import { DataError } from '../../../src/core/errors.ts'
import { compareRuns } from '../../../src/report/compare/comparison.ts'
import { renderTerminal } from '../../../src/report/tables/terminal.ts'
import { analyseTerminations } from '../../../src/report/trace/terminations.ts'
import { importLogs } from '../../../src/run/import/import-logs.ts'
import { readRun } from '../../../src/run/records/read-records.ts'
import { traceSource } from '../../../src/run/records/trace-source.ts'
import { readReport, writeHtmlReport } from '../../../src/run/report-run.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import { writeZip } from '../../../src/system/zip-writer.ts'

const fixtures = join(packageRoot, 'tests', 'logs', 'import', 'fixtures')
const written = join(packageRoot, 'tests', 'fixtures', 'inspect')

async function imported(format: string, ...files: string[]) {
  const folder = join(await mkdtemp(join(tmpdir(), 'import-')), 'run')
  const paths = files.map(file => (file.startsWith('/') ? file : join(fixtures, file)))
  const summary = await importLogs(format, paths, folder)
  const { attempts, manifest } = await readRun(folder)
  const ends = attempts.map(
    ({ sourceId, termination: { cause, reason, forcedFinal, answerProduced, detail } }) =>
      [sourceId, `${cause}/${reason}`, forcedFinal, answerProduced, detail].join(' | '),
  )
  return { folder, summary, attempts, manifest, ends }
}

/** Returns each attempt's stored answer; null when it has none. */
async function answersOf(folder: string, attempts: readonly { readonly attemptId: string }[]) {
  const files = attempts.map(({ attemptId }) => join(folder, 'answers', `${attemptId}.txt`))
  return await Promise.all(files.map(async file => (existsSync(file) ? await readFile(file, 'utf8') : null)))
}

/** Imports an Inspect AI log with these samples. */
async function importedSamples(samples: readonly object[]) {
  const path = join(await mkdtemp(join(tmpdir(), 'inspect-')), 'log.json')
  await writeFile(path, JSON.stringify({ eval: { task: 'who' }, samples }))
  const run = await imported('inspect', path)
  return { ...run, answers: await answersOf(run.folder, run.attempts) }
}

describe('Tongyi DeepResearch', () => {
  it('maps the termination words and keeps them', async () => {
    const { ends, summary, manifest } = await imported('tongyi', 'tongyi.jsonl')
    expect(ends).toEqual([
      'tongyi.jsonl:1 | agent/answered | false | true | answer',
      'tongyi.jsonl:2 | agent/answered-without-table | false | false | answer not found',
      'tongyi.jsonl:3 | budget/model-calls | false | false | exceed available llm calls',
      'tongyi.jsonl:4 | budget/wall-clock | false | false | No answer found after 2h30mins',
      'tongyi.jsonl:5 | budget/context-window | true | true | generate an answer as token limit reached',
      'tongyi.jsonl:6 | budget/context-window | true | false | format error: generate an answer as token limit reached',
      'tongyi.jsonl:7 | budget/wall-clock | false | false | Timeout (>1800s)',
      'tongyi.jsonl:8 | harness/crash | false | false | Future resolution failed: worker died',
      'tongyi.jsonl:9 | unknown/unmapped | false | false | max_turns_reached',
      'tongyi.jsonl:10 | unknown/unmapped | false | false | ',
    ])
    expect(summary.unmapped.get('max_turns_reached')).toBe(1)
    expect(summary.skipped.map(one => one.place)).toEqual(['tongyi.jsonl:11'])
    expect(manifest.skippedTasks).toHaveLength(1)
  })

  it('reads calls, code, reasoning and tool results from the texts', async () => {
    const { folder, attempts } = await imported('tongyi', 'tongyi.jsonl')
    const [first] = attempts
    expect(first?.answer.rows).toBe(1)
    expect(first?.usage).toMatchObject({ modelCalls: 4, searchCalls: 1, inputTokens: null, wallMs: null })
    expect(attempts[6]?.usage.modelCalls).toBeNull()
    expect(attempts.at(-1)?.language).toBe('zh')
    const { events } = await readTrace(folder, first!.attemptId)
    const calls = events.flatMap(event => (event.type === 'tool-called' ? [event.tool] : []))
    expect(calls).toEqual(['search', 'PythonInterpreter'])
    const shown = events.flatMap(event => (event.type === 'tool-answered' ? [[event.tool, event.text]] : []))
    expect(shown[0]).toEqual(['search', { text: 'Elm report: revenue 4,512,137' }])
    const turns = events.filter(event => event.type === 'model-answered')
    expect(turns[0]?.reasoning).toEqual({ text: 'Search first.' })
    expect(turns[2]?.malformedCalls).toHaveLength(1)
  })

  it('counts the same question again as another trial of the task', async () => {
    const { attempts } = await imported('tongyi', 'tongyi.jsonl')
    const same = attempts.filter(attempt => attempt.language === 'en')
    expect(new Set(same.map(attempt => attempt.taskId)).size).toBe(1)
    expect(new Set(same.map(attempt => attempt.trial)).size).toBe(same.length)
    expect(new Set(attempts.map(attempt => attempt.attemptId)).size).toBe(attempts.length)
  })
})

describe('BrowseComp-Plus', () => {
  it('maps the status, and for incomplete attempts the reason in the record', async () => {
    const { ends, attempts } = await imported(
      'browsecomp-plus',
      'browsecomp-completed.json',
      'browsecomp-others.jsonl',
    )
    expect(ends).toEqual([
      '769 | agent/answered | false | true | completed',
      '770 | budget/output-limit | false | true | incomplete: max_output_tokens',
      '771 | provider/content-filter | false | false | incomplete: content_filter',
      '772 | unknown/unmapped | false | true | incomplete',
      '773 | agent/answered | false | true | end_turn',
      'browsecomp-others.jsonl:5 | agent/answered | false | false | completed',
    ])
    expect(attempts[0]?.usage).toMatchObject({
      inputTokens: 5000,
      cachedInputTokens: 1000,
      outputTokens: 400,
      reasoningTokens: 150,
      modelCalls: null,
      searchCalls: 2,
      fetchCalls: 1,
    })
    expect(attempts[0]?.model).toBe('gpt-x')
  })

  it('builds turns from the list of results', async () => {
    const { folder, attempts } = await imported('browsecomp-plus', 'browsecomp-completed.json')
    const { events } = await readTrace(folder, attempts[0]!.attemptId)
    const told = events.map(event => `${event.step} ${event.type}`)
    expect(told.filter(line => !line.includes('model-called'))).toEqual([
      '0 attempt-started',
      '1 model-answered',
      '1 tool-called',
      '1 tool-called',
      '1 tool-answered',
      '1 tool-failed',
      '2 model-answered',
      '2 tool-called',
      '2 tool-answered',
      '3 model-answered',
      '3 answer-parsed',
      '3 terminated',
    ])
  })
})

const limits = [
  'limit-context#1 | budget/context-window | false | false | context: 10',
  'limit-time#1 | budget/wall-clock | false | false | time: 10',
  'limit-working#1 | budget/wall-clock | false | false | working: 10',
  'limit-message#1 | budget/model-calls | false | false | message: 10',
  'limit-turn#1 | budget/model-calls | false | false | turn: 10',
  'limit-token#1 | budget/tokens | false | false | token: 10',
  'limit-cost#1 | budget/cost | false | false | cost: 10',
  'limit-operator#1 | operator/cancelled | false | false | operator: 10',
  'limit-custom#1 | unknown/unmapped | false | false | custom: 10',
]

describe('Inspect AI', () => {
  it('maps a limit first, then an error, then the stop reason of the model', async () => {
    const { ends } = await imported('inspect', 'inspect.json')
    expect(ends).toEqual([
      'one#1 | agent/answered | false | true | stop',
      'one#2 | agent/answered | false | true | stop',
      ...limits,
      "error#1 | harness/crash | false | false | RuntimeError('socket closed')",
      'stop-tool_calls#1 | agent/answered | false | true | tool_calls',
      'stop-max_tokens#1 | budget/tokens | false | true | max_tokens',
      'stop-model_length#1 | budget/context-window | false | false | model_length',
      'stop-content_filter#1 | provider/content-filter | false | false | content_filter',
      'stop-unknown#1 | unknown/unmapped | false | false | unknown',
      'submitted#1 | agent/answered | false | true | tool_calls',
      'failed tool#1 | unknown/unmapped | false | false | ',
    ])
  })

  it('reads usage, times, epochs, attachments and failed tools from the log', async () => {
    const { folder, attempts } = await imported('inspect', 'inspect.json')
    const [first, second] = attempts
    expect(first?.usage).toMatchObject({
      inputTokens: 910,
      cachedInputTokens: 100,
      outputTokens: 41,
      wallMs: 9000,
    })
    expect([first?.trial, second?.trial, first?.usage.workingMs]).toEqual([0, 1, 7500])
    expect(first?.startedAt).toBe('2026-01-01T00:00:00.000Z')
    const { events } = await readTrace(folder, first!.attemptId)
    const asked = events.find(event => event.type === 'model-called')
    expect(asked?.messages[0]?.content).toEqual({ text: 'You are helpful.' })
    const failed = await readTrace(folder, attempts.at(-1)!.attemptId)
    expect(failed.events.find(event => event.type === 'tool-failed')?.message).toBe('timed out')
    const submitted = attempts.find(attempt => attempt.sourceId === 'submitted#1')
    expect(await readFile(join(folder, 'answers', `${submitted?.attemptId}.txt`), 'utf8')).toBe('Berlin')
  })

  it('treats NaN and Infinity, which Python writes into JSON, as unknown', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'nan-')), 'log.json')
    const samples = '[{"id":"NaN in a text","working_time":NaN,"total_time":-Infinity}]'
    await writeFile(path, `{"eval":{"task":"who"},"samples":${samples}}`)
    const { attempts } = await imported('inspect', path)
    expect(attempts[0]?.sourceId).toBe('NaN in a text#1')
    expect(attempts[0]?.usage).toMatchObject({ wallMs: null, workingMs: null })
  })

  it('reads an .eval archive like the same log in JSON', async () => {
    const log = JSON.parse(await readFile(join(fixtures, 'inspect.json'), 'utf8'))
    const { samples, ...header } = log as { samples: { id: string; epoch: number }[] }
    const path = join(await mkdtemp(join(tmpdir(), 'eval-')), 'log.eval')
    const files = Object.fromEntries([
      ['header.json', JSON.stringify(header)],
      ...samples.map(one => [`samples/${one.id}_epoch_${one.epoch}.json`, JSON.stringify(one)]),
    ])
    await writeFile(path, writeZip(files))
    const packed = await imported('inspect', path)
    expect(packed.ends.sort()).toEqual((await imported('inspect', 'inspect.json')).ends.sort())
  })

  it('names the damaged samples of an archive and reads the others', async () => {
    const good = JSON.stringify({ id: 'good', output: { stop_reason: 'stop', completion: 'Elm' } })
    const bytes = writeZip({
      'header.json': '{"eval":{}}',
      'samples/1.json': good,
      'samples/2.json': good.slice(0, 20),
      'samples/3.json': good,
      'samples/4.json': good,
    })
    // An invalid deflate block type, and a file with an offset beyond the end of the archive.
    bytes[bytes.indexOf('samples/3.json') + 'samples/3.json'.length] = 0xff
    bytes.writeUInt32LE(bytes.length, bytes.lastIndexOf('samples/4.json') - 4)
    const path = join(await mkdtemp(join(tmpdir(), 'broken-')), 'log.eval')
    await writeFile(path, bytes)
    const { ends, summary } = await imported('inspect', path)
    expect(ends).toEqual(['good#1 | agent/answered | false | true | stop'])
    expect(summary.skipped.map(one => one.place)).toEqual(['log.eval:2', 'log.eval:3', 'log.eval:4'])
    const problems = summary.skipped.map(one => one.problem)
    expect(problems[0]).toMatch(/samples\/2\.json: not JSON/)
    expect(problems[1]).toMatch(/samples\/3\.json: cannot be unpacked: invalid block type/)
    expect(problems[2]).toMatch(/samples\/4\.json: cannot be unpacked/)
  })

  it('counts cached input as sent when the total counts it separately, and a cost only when all models have one', async () => {
    const cached = {
      input_tokens: 10,
      output_tokens: 5,
      input_tokens_cache_read: 900,
      input_tokens_cache_write: 70,
    }
    const { attempts } = await importedSamples([
      { id: 'apart', model_usage: { a: { ...cached, total_tokens: 985, total_cost: 0.5 } } },
      {
        id: 'within',
        model_usage: { a: { ...cached, input_tokens: 1000, total_tokens: 1005, total_cost: 0.5 } },
      },
      {
        id: 'no total',
        model_usage: { a: { ...cached, total_cost: 0.5 }, b: { input_tokens: 1, output_tokens: 1 } },
      },
    ])
    expect(attempts.map(({ usage }) => [usage.inputTokens, usage.cachedInputTokens, usage.usd])).toEqual([
      [980, 900, 0.5],
      [1000, 900, 0.5],
      [981, 900, null],
    ])
  })

  it('counts reasoning that only the total contains as output, and marks counts that do not add up', async () => {
    const counts = { input_tokens: 100, output_tokens: 20 }
    const { attempts } = await importedSamples([
      { id: 'within', model_usage: { a: { ...counts, reasoning_tokens: 15, total_tokens: 120 } } },
      { id: 'apart', model_usage: { a: { ...counts, reasoning_tokens: 300, total_tokens: 420 } } },
      { id: 'unknown', model_usage: { a: { ...counts, total_tokens: 420 } } },
    ])
    expect(attempts.map(({ usage }) => [usage.outputTokens, usage.uncertain])).toEqual([
      [20, undefined],
      [320, undefined],
      [320, true],
    ])
  })

  it('counts the calls of helper agents, which are missing from the messages, including nested events of older logs', async () => {
    const search = { event: 'tool', function: 'web_search' }
    const { attempts } = await importedSamples([
      {
        events: [
          { event: 'model' },
          { event: 'tool', function: 'helper', events: [{ event: 'model' }, search, search] },
          { ...search, error: { type: 'parsing', message: 'no JSON' } },
          { event: 'tool', function: 'fetch_page', failed: true, events: 'none' },
        ],
      },
    ])
    expect(attempts[0]?.usage).toMatchObject({ modelCalls: 2, searchCalls: 2, fetchCalls: 1, toolErrors: 2 })
  })

  it('counts the searches that a provider ran itself', async () => {
    const use = (name: string) => ({
      type: 'tool_use',
      tool_type: 'web_search',
      id: '1',
      name,
      arguments: '{}',
    })
    const content = [use('web_search'), use('open_page'), use('find'), { type: 'text', text: 'Elm' }]
    const { attempts } = await importedSamples([
      { events: [{ event: 'model', output: { choices: [{ message: { content } }] } }] },
    ])
    expect(attempts[0]?.usage).toMatchObject({ modelCalls: 1, searchCalls: 2, fetchCalls: 1, toolErrors: 0 })
  })

  it('uses the argument of a submit tool of any name as the answer, otherwise the output', async () => {
    const said = (name: string, args: unknown) => ({
      output: {
        choices: [
          { message: { tool_calls: [{ function: name, arguments: args }] }, stop_reason: 'tool_calls' },
        ],
      },
      messages: [{ role: 'tool', content: 'noted' }],
    })
    const { answers } = await importedSamples([
      said('final_answer', { answer: 'Elm' }),
      { ...said('ask', { answer: 'Elm' }), limit: { type: 'custom' } },
      said('web_search', { query: 'Elm' }),
      {
        output: { choices: [{ message: { content: 'Elm' }, stop_reason: 'stop' }], completion: 'Elm' },
        messages: [{ role: 'assistant', content: 'It may be Elm.' }],
      },
    ])
    expect(answers).toEqual(['Elm', null, null, 'Elm'])
  })

  it('reads the last of two files with one name, names chunked samples, and reports an empty killed run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'eval-'))
    const [twice, killed] = [join(folder, 'twice.eval'), join(folder, 'killed.eval')]
    const answer = (completion: string) =>
      JSON.stringify({ id: 'a', output: { stop_reason: 'stop', completion } })
    const zip = writeZip({
      'header.json': '{"status":"error","eval":{"dataset":{"sample_ids":["a","c","d"]}}}',
      'samples/a_epoch_1.json': answer('Oak'),
      'samples/b_epoch_1.json': answer('Elm'),
      'samples/c_epoch_1/sample.json': '{"id":"c"}',
      'samples/c_epoch_1/events/0.json': '[]',
      'samples/c_epoch_1/metadata.json': '{}',
    })
    const renamed = zip.toString('latin1').replaceAll('samples/b_epoch_1', 'samples/a_epoch_1')
    await writeFile(twice, renamed, 'latin1')
    const { folder: run, attempts, summary } = await imported('inspect', twice)
    expect(await answersOf(run, attempts)).toEqual(['Elm'])
    expect(summary.skipped.map(one => one.problem)).toEqual([
      expect.stringMatching(/c_epoch_1: samples stored in chunks/),
      'd#1: not in the log, which ended as: error',
    ])
    await writeFile(killed, writeZip({ '_journal/start.json': '{"eval":{}}' }))
    await expect(imported('inspect', killed)).rejects.toThrow(/a log without samples \(started\)/)
  })

  it.each(['null', '[]', '7', '{}'])('rejects a file that contains %s', async text => {
    const path = join(await mkdtemp(join(tmpdir(), 'none-')), 'log.json')
    await writeFile(path, text)
    await expect(imported('inspect', path)).rejects.toThrow(DataError)
  })

  it('reads logs that Inspect AI wrote', async () => {
    const files = ['answered2.json', 'error2.json', 'filter2.json', 'token2.json'].map(name =>
      join(written, name),
    )
    const { ends, attempts } = await imported('inspect', ...files)
    expect(ends).toEqual([
      'answered2-0#1 | agent/answered | false | true | tool_calls',
      'answered2-1#1 | agent/answered | false | true | tool_calls',
      'answered2-2#1 | agent/answered | false | true | tool_calls',
      "error2-0#1 | harness/crash | false | false | RuntimeError('socket closed')",
      'filter2-0#1 | provider/content-filter | false | false | content_filter',
      'token2-0#1 | budget/tokens | false | false | token: Token limit exceeded. value: 1,560; limit: 1,500',
    ])
    const token = attempts.at(-1)!
    expect(token.usage).toMatchObject({
      inputTokens: 1500,
      outputTokens: 60,
      modelCalls: 3,
      searchCalls: 2,
    })
  })
})

describe('smolagents', () => {
  it('maps the flags and turns steps in text or messages into turns', async () => {
    const { ends, attempts, folder } = await imported('smolagents', 'smolagents.jsonl')
    expect(ends).toEqual([
      't-1 | agent/answered | false | true | iteration_limit_exceeded: false, agent_error: null',
      't-2 | budget/model-calls | false | false | iteration_limit_exceeded: true',
      't-3 | provider/rate-limited | false | false | Error in generating model output: 429',
      'smolagents.jsonl:4 | agent/answered | false | true | iteration_limit_exceeded: false, agent_error: null',
    ])
    expect(attempts[0]?.usage).toMatchObject({ modelCalls: 2, searchCalls: 1, wallMs: 150_000 })
    expect(attempts[3]?.usage).toMatchObject({ inputTokens: 1200, outputTokens: 80, fetchCalls: 1 })
    const { events } = await readTrace(folder, attempts[3]!.attemptId)
    expect(events.find(event => event.type === 'tool-answered')?.text).toEqual({ text: 'Elm 4,512,137' })
  })
})

describe('the generic format', () => {
  it('accepts known terminations and keeps the words of others', async () => {
    const { ends, attempts } = await imported('generic', 'generic.jsonl')
    expect(ends).toEqual([
      'g-1 | budget/tokens | true | true | token cap hit',
      'g-2 | agent/answered | false | true | agent/answered',
      'g-3 | unknown/unmapped | false | false | the dog ate it',
      'g-4 | unknown/unmapped | false | false | budget/patience',
      'generic.jsonl:5 | budget/wall-clock | false | false | budget / wall-clock',
    ])
    expect(attempts[0]).toMatchObject({
      taskId: 'financial_1_4_en',
      domain: 'financial',
      model: 'my-model',
      trial: 1,
      usage: { inputTokens: 1000, usd: 0.01, wallMs: 60_000, searchCalls: 1 },
      answer: { parseStatus: 'table', rows: 1 },
    })
  })
})

/** Imports records written as JSON lines. A string is written as it is, as invalid JSON. */
async function importedLines(format: string, records: readonly unknown[]) {
  const path = join(await mkdtemp(join(tmpdir(), 'odd-')), 'odd.jsonl')
  const lines = records.map(record => (typeof record === 'string' ? record : JSON.stringify(record)))
  await writeFile(path, lines.join('\n'))
  return await imported(format, path)
}

async function messagesTold(folder: string, attemptId: string) {
  const { events } = await readTrace(folder, attemptId)
  return events.flatMap(event => {
    if (event.type === 'model-answered') return [`model: ${'text' in event.text ? event.text.text : ''}`]
    if (event.type === 'tool-called') return [`call: ${event.tool} ${JSON.stringify(event.args)}`]
    if (event.type === 'tool-answered')
      return [`${event.tool}: ${'text' in event.text ? event.text.text : ''}`]
    return event.type === 'tool-failed' ? [`${event.tool} failed: ${event.message}`] : []
  })
}

describe('the reader of unusual but valid records', () => {
  it('accepts content in parts, nulls, an empty termination with an error, and an invalid first line (Tongyi)', async () => {
    const { ends, attempts, folder, summary } = await importedLines('tongyi', [
      '{"question": "cut of',
      {
        question: 'q',
        messages: [
          { role: 'system', content: null },
          { role: 'user', content: [{ type: 'text', text: 'q' }] },
          { role: 'assistant', content: [{ type: 'text', text: '<think>hm</think>' }, { text: 'done' }] },
        ],
        prediction: ['a,b', '1,2'],
        termination: 'answer',
      },
      {
        question: 'q',
        messages: null,
        prediction: null,
        termination: '',
        error: 'Timeout (>900s)',
        rollout_idx: 2.5,
      },
      { question: null, termination: null },
      { question: 'q', termination: ['odd'] },
      '{"question": "NaN", "score": NaN, "prediction": "x", "termination": "answer"}',
      {},
    ])
    expect(ends).toEqual([
      'odd.jsonl:2 | agent/answered | false | true | answer',
      'odd.jsonl:3 | budget/wall-clock | false | false | Timeout (>900s)',
      'odd.jsonl:4 | unknown/unmapped | false | false | ',
      'odd.jsonl:5 | unknown/unmapped | false | false | odd',
      'odd.jsonl:6 | agent/answered | false | true | answer',
    ])
    expect(summary.skipped.map(one => one.place)).toEqual(['odd.jsonl:1', 'odd.jsonl:7'])
    expect(attempts[0]?.answer.rows).toBe(1)
    expect(await messagesTold(folder, attempts[0]!.attemptId)).toEqual(['model: done'])
  })

  it('accepts other tools, reasoning after the answer, a missing status and invalid counts (BrowseComp-Plus)', async () => {
    const { ends, attempts, summary } = await importedLines('browsecomp-plus', [
      {
        query_id: 5,
        status: 'completed',
        tool_call_counts: { local_knowledge_base_retrieval: 3, get_document: 2 },
        usage: { input_tokens: 10, output_tokens: -1, input_tokens_cached: null },
        result: [
          {
            type: 'tool_call',
            tool_name: 'search',
            arguments: 'not json',
            output: [{ type: 'text', text: 'hit' }],
          },
          { type: 'output_text', output: [{ type: 'output_text', text: 'Elm' }] },
          { type: 'reasoning', output: null },
        ],
      },
      { query_id: null, status: null, result: null, tool_call_counts: { search: null } },
      { query_id: 'x', status: 'incomplete', incomplete_details: 'content_filter' },
      {
        query_id: 'y',
        status: 'incomplete',
        incomplete_details: { reason: 'bored' },
        usage: null,
        result: [],
      },
      { question: 'another format' },
    ])
    expect(ends).toEqual([
      '5 | agent/answered | false | true | completed',
      'odd.jsonl:2 | unknown/unmapped | false | false | ',
      'x | provider/content-filter | false | false | incomplete: content_filter',
      'y | unknown/unmapped | false | false | incomplete: bored',
    ])
    expect(attempts[0]?.usage).toMatchObject({
      searchCalls: 3,
      fetchCalls: 2,
      inputTokens: 10,
      outputTokens: null,
    })
    expect(attempts[1]?.usage).toMatchObject({ searchCalls: null, fetchCalls: 0 })
    expect(summary.skipped).toHaveLength(1)
  })

  it('accepts attachments in parts, a stop reason without choices, errors as text, and unreadable calls (Inspect AI)', async () => {
    const hash = 'a'.repeat(32)
    const sample = {
      id: 7,
      epoch: 3,
      input: [
        { role: 'user', content: [{ type: 'text', text: `attachment://${hash}` }] },
        { role: 'assistant', content: 'before' },
      ],
      attachments: { [hash]: 'the long question' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: `attachment://${hash}` }, { type: 'image' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', reasoning: 'hm' },
            { type: 'text', text: 'look' },
          ],
          tool_calls: [
            { id: 'c1', function: 'web_search', arguments: { query: 'q' } },
            { id: 'c2', function: 'web_search', arguments: {}, parse_error: 'no JSON' },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'hit' }], error: null },
        { role: 'tool', tool_call_id: 'c2', content: '', error: { type: 'parsing', message: 'no JSON' } },
        { role: 'user', content: 'go on' },
      ],
      output: { stop_reason: 'stop', completion: 'Elm' },
      model_usage: { m: { input_tokens: 5, output_tokens: 1.5 }, n: {} },
      total_time: null,
    }
    const log = {
      status: 'success',
      eval: { task: null, model: null },
      samples: [
        sample,
        { id: null, error: 'boom', messages: null, output: null },
        { id: 'l', limit: { type: 'attempts', limit: null }, error: { message: 'x' } },
        'no sample',
      ],
    }
    const { ends, attempts, folder, summary, manifest } = await importedLines('inspect', [log])
    expect(ends).toEqual([
      '7#3 | agent/answered | false | true | stop',
      'odd.jsonl:2 | harness/crash | false | false | boom',
      'l#1 | unknown/unmapped | false | false | attempts',
    ])
    expect(summary.skipped).toHaveLength(1)
    expect(manifest.skippedTasks).toHaveLength(1)
    expect(attempts[0]).toMatchObject({ trial: 2, model: 'inspect', domain: 'imported' })
    expect(attempts[0]?.usage).toMatchObject({ inputTokens: 5, outputTokens: null, wallMs: null, usd: null })
    const { events } = await readTrace(folder, attempts[0]!.attemptId)
    const [asked] = events.filter(event => event.type === 'model-called')
    expect(asked?.messages[0]?.content).toEqual({ text: 'the long question\n[image]' })
    const [turn] = events.filter(event => event.type === 'model-answered')
    expect(turn).toMatchObject({ reasoning: { text: 'hm' }, malformedCalls: [{ problem: 'no JSON' }] })
    expect(turn?.toolCalls).toHaveLength(1)
  })

  it('uses the status of a cancelled log for samples without an end (Inspect AI)', async () => {
    const samples = [
      { id: 'a', output: { choices: [] } },
      { id: 'b', output: { stop_reason: 'stop' } },
    ]
    const { ends } = await importedLines('inspect', [{ status: 'cancelled', eval: {}, samples }])
    expect(ends).toEqual([
      'a#1 | unknown/unmapped | false | false | status: cancelled',
      'b#1 | agent/answered | false | false | stop',
    ])
  })

  it('attributes an error to the operator when the run was cancelled, and otherwise to a crash (Inspect AI)', async () => {
    const error = { message: "CancelledError('Cancelled via cancel scope 7f')" }
    const samples = [
      { id: 'a', error },
      { id: 'b', error: 'Cancelled()' },
      { id: 'c', error: "RuntimeError('Cancelled(')" },
    ]
    const { ends } = await importedLines('inspect', [{ status: 'cancelled', eval: {}, samples }])
    expect(ends.map(end => end.split(' | ')[1])).toEqual([
      'operator/cancelled',
      'operator/cancelled',
      'harness/crash',
    ])
    const failed = await importedLines('inspect', [
      { status: 'error', eval: {}, samples: [{ id: 'a', error }] },
    ])
    expect(failed.ends[0]).toContain('harness/crash')
  })

  it('does not treat tool calls without an answer after them as an answer of the agent (Inspect AI)', async () => {
    const tool_calls = [{ id: '1', function: 'web_search', arguments: { query: 'x' } }]
    const output = {
      choices: [{ message: { content: 'Let me see', tool_calls }, stop_reason: 'tool_calls' }],
    }
    const { ends } = await importedLines('inspect', [
      { status: 'success', eval: {}, samples: [{ id: 'a', output }] },
    ])
    expect(ends).toEqual(['a#1 | unknown/unmapped | false | false | tool_calls'])
  })

  it.each([
    [2, []],
    [4, ['7#2: not in the log, which ended as: success', 'a#2: not in the log, which ended as: success']],
    [null, ['7#2: not in the log, which ended as: success', 'a#2: not in the log, which ended as: success']],
  ])(
    'misses no sample when the log says that it has %s of them, and has 2 (Inspect AI)',
    async (total, missing) => {
      const planned = { dataset: { sample_ids: ['a', 7] }, config: { epochs: 2 } }
      const samples = ['a', 7].map(id => ({
        id,
        epoch: 1,
        output: { stop_reason: 'stop', completion: 'Elm' },
      }))
      const results = total === null ? null : { total_samples: total }
      const { summary } = await importedLines('inspect', [
        { status: 'success', eval: planned, results, samples },
      ])
      expect(summary.skipped.map(({ problem }) => problem).toSorted()).toEqual(missing)
    },
  )

  it('names each planned sample that the log lacks, and each unreadable one once (Inspect AI)', async () => {
    const planned = { dataset: { sample_ids: ['a', 7, 'c'] }, config: { epochs: 2 } }
    const output = { stop_reason: 'stop', completion: 'Elm' }
    const samples = [
      { id: 'a', epoch: 1, output },
      { id: 7, epoch: 1, output },
      { id: 'c', epoch: 1, output: 'odd' },
      { id: 'a', epoch: 2, output },
    ]
    const { ends, summary, manifest } = await importedLines('inspect', [
      { status: 'cancelled', eval: planned, samples },
    ])
    expect(ends).toHaveLength(3)
    expect(summary.skipped.map(({ place, problem }) => `${place} ${problem}`)).toEqual([
      'odd.jsonl:3 output: is a text, an object is expected',
      'odd.jsonl:5 7#2: not in the log, which ended as: cancelled',
      'odd.jsonl:6 c#2: not in the log, which ended as: cancelled',
    ])
    expect(manifest.skippedTasks).toHaveLength(3)
  })

  it('counts one turn per step for memories as messages and as Python prints them (smolagents)', async () => {
    const calling =
      "Calling tools:\n[{'id': 'call_1', 'type': 'function', 'function': {'name': 'web_search', 'arguments': {'query': 'x'}}}]"
    const { ends, attempts, folder } = await importedLines('smolagents', [
      {
        task_id: 3,
        question: 'Which firm?',
        prediction: { answer: 'Elm' },
        iteration_limit_exceeded: false,
        intermediate_steps: [
          { role: 'system', content: [{ type: 'text', text: 'be good' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Search it.' }] },
          { role: 'tool-call', content: [{ type: 'text', text: calling }] },
          { role: 'tool-response', content: [{ type: 'text', text: 'Observation:\nElm' }] },
          { role: 'assistant', content: 'Done.' },
        ],
      },
      {
        agent_error: { type: 'AgentError', message: '429' },
        iteration_limit_exceeded: false,
        intermediate_steps: [
          'SystemPromptStep(system_prompt="x")',
          "TaskStep(task='find it', task_images=None)",
          "ActionStep(step_number=1, tool_calls=[ToolCall(name='visit', arguments={'url': 'u'}, id='c')], error=AgentParsingError('bad'), observations='it\\'s Elm')",
          'FinalAnswerStep(output=None)',
        ],
      },
      {
        task_id: 't',
        iteration_limit_exceeded: true,
        agent_error: 'also',
        intermediate_steps: null,
        prediction: null,
      },
      { task_id: 'u', agent_error: '', iteration_limit_exceeded: null, prediction: 'x', token_counts: null },
      { other: 1 },
    ])
    expect(ends).toEqual([
      '3 | agent/answered | false | true | iteration_limit_exceeded: false, agent_error: null',
      'odd.jsonl:2 | provider/rate-limited | false | false | {"type":"AgentError","message":"429"}',
      't | budget/model-calls | false | false | iteration_limit_exceeded: true',
      'u | agent/answered | false | true | iteration_limit_exceeded: null, agent_error: null',
    ])
    expect(attempts.map(attempt => attempt.usage.modelCalls)).toEqual([2, 1, null, null])
    const { events } = await readTrace(folder, attempts[0]!.attemptId)
    const asked = events.find(event => event.type === 'model-called')
    expect(asked?.messages.map(message => message.role)).toEqual(['user', 'system'])
    expect(await messagesTold(folder, attempts[0]!.attemptId)).toEqual([
      'model: Search it.',
      "call: web_search \"{'query': 'x'}\"",
      'web_search: Observation:\nElm',
      'model: Done.',
    ])
    const printed = await messagesTold(folder, attempts[1]!.attemptId)
    expect(printed.at(-1)).toBe("visit failed: AgentParsingError('bad')")
  })

  it('leaves a record out whose values are nested too deeply, and keeps the others (Tongyi)', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { attempts, summary } = await importedLines('tongyi', [
      { question: 'q', messages: [], prediction: 'x', termination: 'answer' },
      `{"question": "q", "messages": [{"role": "assistant", "content": ${deep}}], "prediction": "x", "termination": "answer"}`,
    ])
    expect(attempts).toHaveLength(1)
    expect(summary.skipped.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^its values are nested too deeply .*\[damaged-log-record\]$/),
    ])
  })

  it('treats an invalid field as unknown and keeps the record (generic format)', async () => {
    const termination = 'agent/answered'
    const { attempts, summary } = await importedLines('generic', [
      { id: 1, termination, usage: { inputTokens: -5, outputTokens: 7, usd: '1' }, trial: -1, model: 4 },
      { id: 2, termination, usage: [], startedAt: {}, domain: ['x'] },
      { id: 3, termination, answer: 5 },
    ])
    const [first, second] = attempts
    expect(first?.usage).toMatchObject({ inputTokens: null, outputTokens: 7, usd: null, modelCalls: null })
    expect(first).toMatchObject({ trial: 0, model: 'generic' })
    expect(second).toMatchObject({ domain: 'imported', usage: { inputTokens: null } })
    expect(summary.skipped.map(({ problem }) => problem)).toEqual([
      'answer: is a number, a text is expected [damaged-log-record]',
    ])
  })

  it('keeps texts with Unicode line separators whole in every Node version (generic format)', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'separators-')), 'log.jsonl')
    const record = (id: string) =>
      JSON.stringify({ id, termination: 'agent/answered', answer: 'a\u2028b\u2029c' })
    await writeFile(path, `${record('1')}\r\n\n${record('2')}\n${record('3')}`)
    const { folder, attempts, summary } = await imported('generic', path)
    expect(summary.skipped).toEqual([])
    expect(await answersOf(folder, attempts)).toEqual(Array(3).fill('a\u2028b\u2029c'))
  })

  it('reads numeric times as Python seconds or milliseconds (smolagents)', async () => {
    const { attempts } = await importedLines('smolagents', [
      { task_id: 1, prediction: 'x', start_time: 1_767_225_600.5, end_time: 1_767_225_602 },
      { task_id: 2, prediction: 'x', start_time: 1_767_225_600_500, end_time: 1_767_225_602_000 },
    ])
    for (const { startedAt, usage } of attempts)
      expect([startedAt, usage.wallMs]).toEqual(['2026-01-01T00:00:00.500Z', 1_500])
  })

  it('accepts a missing reason, a null end, a setting like a path, and nested parts (generic format)', async () => {
    const nested = [
      {
        type: 'tool_result',
        content: [
          { type: 'text', text: ['odd'] },
          { type: 'text', text: 'hit' },
        ],
      },
    ]
    const { ends, attempts, folder, summary } = await importedLines('generic', [
      {
        id: 1,
        setting: '../../escape',
        answer: 'a,b\n1,2',
        termination: { cause: 'agent', reason: 'answered' },
      },
      { id: 2, termination: { cause: 'agent' } },
      { id: 3, termination: null },
      { id: 4, termination: { cause: null, reason: null, detail: 'gave up' } },
      {
        id: 5,
        termination: 'agent/no-progress',
        messages: [
          { role: 'developer', content: 'x' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 9, function: { name: 'fetch', arguments: '{"u":1}' } }],
          },
          { role: 'tool', tool_call_id: 9, content: nested, error: '' },
        ],
      },
      { id: 6 },
    ])
    expect(ends).toEqual([
      '1 | agent/answered | false | true | agent/answered',
      '2 | unknown/unmapped | false | false | agent',
      '3 | unknown/unmapped | false | false | ',
      '4 | unknown/unmapped | false | false | gave up',
      '5 | agent/no-progress | false | false | agent/no-progress',
    ])
    expect(summary.skipped).toHaveLength(1)
    expect(existsSync(join(folder, 'traces', `${attempts[0]!.attemptId}.jsonl`))).toBe(true)
    expect(attempts[0]!.attemptId).not.toContain('/')
    expect(await messagesTold(folder, attempts[4]!.attemptId)).toEqual([
      'model: ',
      'call: fetch {"u":1}',
      'fetch: [text]\nhit',
    ])
  })
})

describe('an imported run', () => {
  it('is reported, compared, analysed and viewed like any run, without invented numbers', async () => {
    const one = await imported('inspect', 'inspect.json')
    const other = await imported('tongyi', 'tongyi.jsonl')
    const loaded = await readReport(one.folder)
    const all = loaded.report.groups.find(group => group.domain === 'all')
    expect(all).toMatchObject({ n: one.attempts.length, scored: 0, metrics: {} })
    expect(loaded.report.notes.join()).toContain('imported from inspect logs')
    await writeHtmlReport(loaded, { copy: null })
    const html = await readFile(join(one.folder, 'report.html'), 'utf8')
    const pages = [...html.matchAll(/data-attempt="[^"]*">([^<]*)</g)].map(match =>
      inflateRawSync(Buffer.from(match[1] ?? '', 'base64')).toString(),
    )
    expect(pages.join()).toContain('limit-token#1')
    expect(pages.join()).toContain('Its text is in answers/')
    const text = renderTerminal(loaded.report, { columns: 120 })
    expect(text).toContain('Attempts (not scored)')
    expect(text).toMatch(/All\s+other\s+attempts\s+failed/)
    expect(text).not.toMatch(/cell F1|Cell F1|judge none|scorer none/)
    const runs = await Promise.all([one.folder, other.folder].map(readRun))
    const compared = runs.map(run => ({ ...run, scorers: {} }))
    expect(compareRuns(compared, { force: false }).groups.length).toBeGreaterThan(1)
    const { attempts, scores } = runs[1]!
    const ends = await analyseTerminations({
      runId: 'r',
      attempts,
      scores,
      scorers: {},
      skippedTasks: 0,
      eventsOf: traceSource(other.folder).eventsOf,
    })
    expect(ends.failures).toBe(8)
    expect(ends.resourceShareOfFailures).toBeCloseTo(4 / 8)
    expect(ends.costOfFailures).toMatchObject({ tokens: null, wallMs: null })
    expect(ends.lastSteps.some(row => row.action === 'called search')).toBe(true)
  })

  it('never replaces a run and rejects files of another format', async () => {
    const { folder } = await imported('generic', 'generic.jsonl')
    const file = join(fixtures, 'generic.jsonl')
    await expect(importLogs('generic', [file], folder)).rejects.toMatchObject({ code: 'folder-not-empty' })
    const empty = join(await mkdtemp(join(tmpdir(), 'import-')), 'run')
    await expect(importLogs('browsecomp-plus', [file], empty)).rejects.toMatchObject({
      code: 'no-attempts-in-logs',
      message: expect.stringContaining('generic.jsonl:1'),
    })
    await expect(importLogs('inspect', [file], empty)).rejects.toMatchObject({ code: 'not-json' })
    const gone = importLogs('tongyi', [`${file}.gone`], empty)
    await expect(gone).rejects.toMatchObject({ code: 'unreadable-log' })
    expect(existsSync(empty)).toBe(false)
  })
})
