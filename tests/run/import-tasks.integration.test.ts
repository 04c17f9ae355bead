import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveScoring } from '../../src/config/scoring-config.ts'
import { resolveConfig } from '../../src/config.ts'
import { compareFolders } from '../../src/run/compare-folders.ts'
import { importLogs } from '../../src/run/import/import-logs.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { verifyRun } from '../../src/run/records/verify-run.ts'
import { readReport } from '../../src/run/report-run.ts'
import { auditRun } from '../../src/run/scores/audit.ts'
import { scoreRun } from '../../src/run/scores/score-run.ts'

const alder =
  'Hotel Alder stands by the river in Ulm. It was opened in 1931 and has 12 beds in five rooms, a garden with old trees and a small library for its guests. Breakfast is served from seven. The house is closed in January of each year for repairs. Dogs are welcome on the ground floor, and there is a bus stop in front of the door.'
const birch =
  'The Birch is a large house in the centre of Graz, near the main square. With 30 beds it is the biggest hotel of the quarter. It has belonged to one family since 1954. There is a parking place behind the house. The kitchen is known for its soups, and the rooms of the upper floors have a view of the castle hill.'

const record = (id: string, query: string, documents: readonly string[]) => ({
  record_id: id,
  language: 'en',
  domain: 'travel',
  query,
  input_doc: documents,
  key_cols: ['Hotel'],
  target_value_columns: ['Beds', 'Town'],
  numeric_columns: ['Beds'],
  answers: [
    { Hotel: 'Alder', Beds: 12, Town: 'Ulm' },
    { Hotel: 'Birch', Beds: 30, Town: 'Graz' },
  ],
})

/** A sample: a search, one page of the two documents, shown in part, and an answer with one wrong cell. */
function sample(id: string, question: string, more: object = {}) {
  const call = (callId: string, name: string, args: object) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: callId, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  })
  const results = [
    { title: 'A hotel', link: 'https://a.example.org/house', snippet: alder.slice(0, 150) },
    { title: 'B', link: 'https://b.example.org/birch-hotel.txt', snippet: 'A large house' },
  ]
  return {
    id,
    question,
    model: 'my-agent',
    answer: 'Hotel,Beds,Town\nAlder,12,Ulm\nBirch,17,Graz\n',
    termination: 'agent/answered',
    messages: [
      { role: 'user', content: question },
      call('c1', 'web_search', { query: 'hotels' }),
      { role: 'tool', tool_call_id: 'c1', content: JSON.stringify({ organic: results }) },
      call('c2', 'visit_page', { url: 'https://a.example.org/house' }),
      { role: 'tool', tool_call_id: 'c2', content: alder.slice(0, 220) },
      { role: 'assistant', content: 'Hotel,Beds,Town\nAlder,12,Ulm\nBirch,17,Graz\n' },
    ],
    ...more,
  }
}

const question = 'List the hotels in these documents: hotel, beds, town.'

async function setUp(samples: readonly object[]) {
  const folder = await mkdtemp(join(tmpdir(), 'import-tasks-'))
  await mkdir(join(folder, 'documents'))
  await writeFile(join(folder, 'documents', 'alder.txt'), alder)
  await writeFile(join(folder, 'documents', 'birch-hotel.txt'), birch)
  const tasks = [
    record('hotels', question, ['alder.txt', 'birch-hotel.txt']),
    record('same-1', 'Which hotels are there in the two towns?', ['alder.txt']),
    record('same-2', 'Which hotels are there in the two towns?', ['birch-hotel.txt']),
  ]
  await writeFile(join(folder, 'tasks.jsonl'), tasks.map(task => JSON.stringify(task)).join('\n'))
  await writeFile(join(folder, 'log.jsonl'), samples.map(one => JSON.stringify(one)).join('\n'))
  const out = join(folder, 'run')
  const config = resolveConfig({
    tasks: join(folder, 'tasks.jsonl'),
    docs: join(folder, 'documents'),
    scorer: 'aoe',
    cache: join(folder, 'cache'),
    out,
  })
  const summary = importLogs('generic', [join(folder, 'log.jsonl')], out, { config, questions: null })
  return { out, summary }
}

describe('logs import --tasks', () => {
  it('matches by id, by question, and by a question inside a prompt; names the others', async () => {
    const { out, summary } = await setUp([
      sample('hotels', 'other words'),
      sample('s-2', question.toUpperCase()),
      sample('s-3', `You are an agent.\n\n${question}\nAnswer with CSV.`),
      sample('s-4', 'Which hotels are there in the two towns? Documents: birch-hotel.txt'),
      sample('s-5', 'Which hotels are there in the two towns?'),
      sample('s-6', 'Something else'),
    ])
    expect((await summary).unmatched).toEqual([
      { sourceId: 's-5', reason: 'several tasks have its question: same-1, same-2' },
      { sourceId: 's-6', reason: 'no task has its id or its question' },
    ])
    const { attempts, scores } = await readRun(out)
    expect(attempts.map(({ taskId }) => taskId).slice(0, 4)).toEqual(['hotels', 'hotels', 'hotels', 'same-2'])
    expect(attempts[0]).toMatchObject({ benchmark: 'aoe', domain: 'travel' })
    expect(scores.map(({ metrics }) => metrics?.cellF1)).toEqual([0.75, 0.75, 0.75, 0.75])
    // Samples without a task have no score to lose. Those with a task do.
    expect(await verifyRun(out)).toMatchObject({ isWhole: true, unscored: [] })
    const path = join(out, 'scores.jsonl')
    await writeFile(path, (await readFile(path, 'utf8')).split('\n').slice(1).join('\n'))
    expect(await verifyRun(out)).toMatchObject({ isWhole: false, unscored: [attempts[0]!.attemptId] })
  })

  it('finds documents by the part that the log shows and by their names, and classifies losses', async () => {
    const { out, summary } = await setUp([sample('hotels', question)])
    expect((await summary).scored).toBe(1)
    const { attempts, scores } = await readRun(out)
    const hints = attempts[0]?.discovery?.hints
    expect(hints?.map(one => [one.surfacedStep, one.openedStep, one.url])).toEqual([
      [1, 2, 'https://a.example.org/house'],
      [1, null, 'https://b.example.org/birch-hotel.txt'],
    ])
    const [score] = scores
    const cells = score !== undefined && 'cells' in score ? (score.cells ?? []) : []
    expect(new Set(cells.map(cell => cell.class))).toEqual(new Set(['correct', 'not-opened']))
  })

  it('gives no discovery when the log has no result of a tool', async () => {
    const { out, summary } = await setUp([sample('hotels', question, { messages: [] })])
    await summary
    const { attempts } = await readRun(out)
    expect(attempts[0]?.discovery).toBeNull()
    expect(attempts[0]?.usage.searchCalls).toBeNull()
  })

  it('is reported, compared, audited and scored again like a run', async () => {
    const samples = [sample('hotels', question), sample('s-9', 'Something else')]
    const { out, summary } = await setUp(samples)
    await summary
    const before = await readRun(out)
    const { report } = await readReport(out)
    expect(report.groups.find(group => group.domain === 'travel')).toMatchObject({ n: 1, scored: 1 })
    expect(report.notes.join()).toContain('1 sample of the logs match no task')
    const config = resolveScoring({ scorer: 'aoe' })
    const scoring = await scoreRun(out, { config, repeats: 1, signal: new AbortController().signal })
    expect(scoring.scores).toBe(1)
    const after = await readRun(out)
    expect(after.scores[0]?.metrics).toEqual(before.scores[0]?.metrics)
    expect(after.scores[0]).toMatchObject({ cells: (before.scores[0] as { cells: unknown }).cells })
    const other = await setUp([sample('hotels', question, { answer: 'Hotel,Beds,Town\nAlder,12,Ulm\n' })])
    await other.summary
    const compared = await compareFolders([out, other.out], { force: false })
    expect(compared.groups.length).toBeGreaterThan(0)
    const audit = await auditRun(out, {
      sample: 2,
      seed: 0,
      scorer: null,
      judge: null,
      sheet: null,
      secondSheet: null,
      anew: false,
    })
    expect(audit.kind).toBe('written')
  })

  it('says so when no sample matches, and writes nothing', async () => {
    const { out, summary } = await setUp([sample('x', 'Something else')])
    await expect(summary).rejects.toMatchObject({ code: 'no-sample-matches' })
    await expect(readRun(out)).rejects.toMatchObject({ code: 'not-a-run' })
  })
})
