import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveScoring } from '../../src/config/scoring-config.ts'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { compareFolders, loadComparison } from '../../src/run/compare-folders.ts'
import { writeComparisonPage } from '../../src/run/comparison-page.ts'
import { makeFolderPlace } from '../../src/run/pack/open-places.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { readReport, writeHtmlReport } from '../../src/run/report-run.ts'
import { scoreRun } from '../../src/run/scores/score-run.ts'
import { executeRun } from '../../src/run.ts'

const golds: Readonly<Record<string, string>> = {
  game: 'Team: <NEWLINE> |  | Points | <NEWLINE> | Elms | 98 | <NEWLINE> Player: <NEWLINE> |  | Points | <NEWLINE> | Ann Lee | 21 |',
  crates: '<table><tr><th>Place</th><th>Crates</th></tr><tr><td>Elm & Oak</td><td>12</td></tr></table>',
  loads: '\\begin{tabular}{lr}\nPlace & Load \\\\\nElm & 12 \\\\\n\\end{tabular}',
}
/** Contents with characters that a page or Markdown could change. */
const contents: Readonly<Record<string, string>> = {
  game: 'The Elms scored 98 points, 21 of them by Ann Lee.',
  crates: 'Content:\nPlace | Crates | Elm & Oak | <12> | *all* of _them_',
  loads: 'Content:\nRow 1: cell 1 holds "\\textbf{Place}"; cell 2 holds "Load \\%".',
}
const form = 'Format: one table for each kind of row.'
const settings = ['offline', 'rag', 'closed-book', 'online']

let folder = ''
const at = (name: string): string => join(folder, name)
const optionsOf = (model: string, out: string) => ({
  ...{ benchmark: 'struc-bench', tasks: at('records.jsonl'), web: 'sealed', browser: 'off', twins: 0 },
  ...{ vectorStore: 'exact', cache: at('cache'), setting: settings, prompts: ['own', 'format-cot'] },
  ...{ model, out },
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-struc-bench-'))
  const records = Object.entries(golds).map(([id, output]) => ({
    ...{ id, instruction: 'Write the table.', input: `${contents[id]}\n${form}`, output },
  }))
  await writeFile(at('records.jsonl'), records.map(record => JSON.stringify(record)).join('\n'))
  const script = Object.entries(golds).flatMap(([taskId, gold]) => [
    { taskId, turns: [{ text: `The form is clear.\n<answer>\n${gold}\n</answer>` }] },
    { taskId, setting: 'closed-book', turns: [{ text: '<answer>\nI do not know.\n</answer>' }] },
  ])
  await writeFile(at('script.jsonl'), script.map(line => JSON.stringify(line)).join('\n'))
  await executeRun(resolveConfig(optionsOf(`scripted:${at('script.jsonl')}`, at('scripted'))))
  await executeRun(resolveConfig(optionsOf('extractive', at('rules'))))
})
afterAll(() => rm(folder, { recursive: true }))

const usesSteps = ({ options }: Attempt): boolean => options.prompts === 'format-cot'
const traceOf = async (run: string, { attemptId }: Attempt): Promise<string> =>
  await readFile(join(at(run), 'traces', `${attemptId}.jsonl`), 'utf8')
/** A text as a JSON string contains it. */
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

describe('a run of --benchmark struc-bench', () => {
  it('scores the table between the tags of the answer in every setting, with both prompts', async () => {
    const { attempts, scores } = await readRun(at('scripted'))
    expect(attempts).toHaveLength(3 * 4 * 2)
    expect(attempts.filter(usesSteps)).toHaveLength(3 * 4)
    for (const attempt of attempts) {
      const score = scores.find(({ attemptId }) => attemptId === attempt.attemptId)!
      const isClosed = attempt.setting === 'closed-book'
      expect([attempt.attemptId, score.status, score.success]).toEqual([
        ...[attempt.attemptId, 'scored', !isClosed],
      ])
      expect(attempt.answer.text).toBe(isClosed ? 'I do not know.' : golds[attempt.taskId])
    }
  })

  it('gives the form as a part of the question, and the content as the document that each setting provides', async () => {
    const { attempts } = await readRun(at('scripted'))
    for (const attempt of attempts) {
      const [asked = ''] = (await traceOf('scripted', attempt)).split('"type":"model-answered"')
      expect(asked).toContain(form)
      expect(asked).toContain(`${attempt.taskId}.txt`)
      expect(asked).not.toContain(quoted(golds[attempt.taskId]!))
      const content = quoted(contents[attempt.taskId]!.replace('Content:\n', ''))
      expect([attempt.attemptId, asked.includes(content)]).toEqual([
        ...[attempt.attemptId, ['offline', 'rag'].includes(attempt.setting)],
      ])
      expect(asked.includes('describe its form step by step')).toBe(usesSteps(attempt))
    }
  })

  it('serves the content on the sealed web, where the agent finds it and reads every character', async () => {
    const { attempts } = await readRun(at('rules'))
    const online = attempts.filter(({ setting }) => setting === 'online')
    expect(online).toHaveLength(3 * 2)
    for (const attempt of online) {
      expect(attempt.discovery?.recall).toMatchObject({ surfaced: 1, opened: 1, parsed: 1 })
      const content = quoted(contents[attempt.taskId]!.replace('Content:\n', ''))
      expect(await traceOf('rules', attempt)).toContain(content)
    }
  })

  it('prints Table 2 with both prompts as arms, without a mean over the forms', async () => {
    const { tables } = await compareFolders([at('scripted')], {})
    expect(tables.map(({ id }) => id)).toEqual(['struc-bench-table2'])
    const rows = new Map(tables[0]!.rows.map(row => [row.label, row]))
    expect([...rows.keys()]).toEqual([
      ...['closed-book', 'closed-book [prompts=format-cot]', 'offline', 'offline [prompts=format-cot]'],
      ...['rag', 'rag [prompts=format-cot]'],
      ...['online', 'online [prompts=format-cot]'],
    ])
    const valuesOf = (label: string) =>
      rows.get(label)?.cells.map(({ domain, metric, value }) => [domain, metric, value])
    // The gold's own sums: the published code never reads the column specification of LaTeX.
    const best = [
      ['html', 'strucBenchContent', 2],
      ['html', 'strucBenchFormat', 3],
      ['latex', 'strucBenchContent', 3],
      ['latex', 'strucBenchFormat', 3],
      ['text', 'strucBenchContent', 2],
      ['text', 'strucBenchFormat', 4],
    ]
    expect(valuesOf('offline')).toEqual(best)
    expect(valuesOf('online [prompts=format-cot]')).toEqual(best)
  })
})

describe('the ability map of a run', () => {
  const ratings = { coverage: 8, formattingReasoning: 6, comprehension: 7, pragmatics: 9, hallucination: 10 }

  beforeAll(async () => {
    // Rates answers that are not tables 0 in coverage. Cannot rate the LaTeX table.
    const ask = async (prompt: string): Promise<string> => {
      if (/<table>\s*\\begin/.test(prompt)) return 'I cannot tell.'
      const coverage = prompt.includes('I do not know.') ? 0 : ratings.coverage
      return JSON.stringify({ ...ratings, coverage })
    }
    const config = resolveScoring({ scorer: 'struc-bench-abilities' })
    await scoreRun(at('scripted'), { config, ask, repeats: 1, signal: new AbortController().signal })
  })

  it('has the means of the attempts that the judge could rate, and counts the others as unscored', async () => {
    const { radarTables } = await compareFolders([at('scripted')], {})
    const [map, ...others] = radarTables
    expect(others).toEqual([])
    expect(map?.axes.map(({ label }) => label)).toEqual([
      ...['Coverage', 'Formatting reasoning', 'Comprehension', 'Pragmatics', 'Hallucination control'],
    ])
    const row = (setting: string) =>
      map?.rows.find(one => one.setting === setting && optionsText(one.options) === '')
    expect(row('offline')?.cells.map(({ mean, n }) => [mean, n])).toEqual([
      ...Object.values(ratings).map(rating => [rating, 2]),
    ])
    expect(row('offline')?.unscored).toBe(1)
    expect(row('closed-book')?.cells[0]).toMatchObject({ mean: 0, n: 3 })
  })

  it('is a chart with a table in the report and in the page of a comparison', async () => {
    const { radarTables } = await compareFolders([at('scripted')], {})
    await writeHtmlReport(await readReport(at('scripted')), { copy: null })
    await writeComparisonPage(
      await loadComparison([at('scripted')].map(makeFolderPlace), {}),
      at('compare.html'),
    )
    for (const name of ['compare.html', join('scripted', 'report.html')]) {
      const html = await readFile(at(name), 'utf8')
      const { sections } = JSON.parse(/id="page-data">(.*)<\/script>/.exec(html)?.[1] ?? 'null')
      const section = sections.find(({ id }: { id: string }) => id === 'radar')
      expect(section.figures.map(({ kind, id }: { kind: string; id: string }) => [kind, id])).toEqual([
        ['radar', radarTables[0]!.id],
      ])
      expect(section.tables).toHaveLength(1)
    }
  })
})
