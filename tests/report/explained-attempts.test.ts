import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/core/task.ts'
import { makeAttemptPage } from '../../src/report/html/attempt-page.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { joinEntries } from '../../src/report/model/entries.ts'
import { selectExplained } from '../../src/report/model/explained-attempts.ts'
import { renderTerminal } from '../../src/report/tables/terminal.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import { scorers as registry } from '../../tasks/registry.ts'
import { scoreAnswer } from '../score/score-answer.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

const scored = (task: string, setting: string, cellF1: number, sentence: string) => {
  const attempt = makeAttempt({ task, setting })
  return {
    attempt,
    score: makeScore(attempt, cellF1, { explanation: [sentence], metrics: { cellF1, columnRecall: 0.5 } }),
  }
}

describe('the attempts that a reader should look at first', () => {
  const records = [
    scored('a', 'offline', 0.3, 'offline a'),
    scored('b', 'offline', 0.1, 'offline b'),
    scored('c', 'offline', 0.9, 'offline c'),
    scored('a', 'online', 0, 'online a'),
    scored('b', 'online', 0, 'online b'),
  ]
  const attempts = records.map(record => record.attempt)
  const scores = records.map(record => record.score)

  it('are the lowest of each arm in turn, starting with an arm that scored 0 throughout', () => {
    const entries = joinEntries(attempts, scores)
    const sentences = selectExplained(entries, scorers, 3).map(one => one.sentences[0])
    expect(sentences).toEqual(['online a', 'offline b', 'online b'])
    expect(selectExplained(entries, scorers, 9)).toHaveLength(4)
  })

  it('are listed below the tables of a report, whose comparison has column recall', () => {
    const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
    const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
    expect(report.explained).toHaveLength(3)
    expect(report.groups[0]?.metrics.columnRecall?.mean).toBe(0.5)
    const text = renderTerminal(report, { columns: 100 })
    expect(text).toMatch(/a · online · extractive: Cell F1 0\.0\n {2}- online a\n/)
    expect(text).toContain('recall')
  })
})

describe("an attempt's page", () => {
  const paper = 'Tidepool-40: A Benchmark for Classifying Intertidal Organisms in Low Light'
  const task: Task = {
    question: {
      taskId: 'a',
      benchmark: 'aoe',
      domain: 'academic',
      language: 'en',
      query: 'q',
      documentNames: [],
      form: { kind: 'table' },
    } as unknown as Task['question'],
    gold: {
      kind: 'table',
      keyColumns: ['paper_name', 'method'],
      targetColumns: ['result'],
      numericColumns: ['result'],
      rows: [{ paper_name: paper, method: 'TideNet', result: '71.4' }],
    },
    documents: [],
    evidence: null,
  }
  const csv = `paper_name,method,result\n${paper},ResNet-50,62.8\n${paper},TideNet,71.4\n`
  const page = async (scorer: string) => {
    const attempt = makeAttempt({
      task: 'a',
      setting: 'offline',
      over: { answer: { csv, rows: 2, columns: null, parseStatus: 'table', parseNote: null } },
    })
    const answerText = `\`\`\`csv\n${csv}\`\`\``
    const { gold } = task
    if (gold.kind !== 'table') throw new Error('a table')
    const common = { attempt, answerText, gold, judge: rulesJudge }
    const score = await scoreAnswer({ ...common, scorer: scorer })
    return await makeAttemptPage({ attempt, scores: [score], scorers, registry }, task, null)
  }

  it('lists the cells that scorer strict rates differently, with the row of each cell', async () => {
    const [scoring] = (await page('aoe')).scorings
    expect(scoring?.rows[0]?.at(-1)).toMatchObject({ predicted: '62.8', match: 'row 1, similarity 95' })
    expect(scoring?.difference?.title).toBe('Scorer strict rates 1 cell differently')
    expect(scoring?.difference?.rows[0]?.slice(1)).toEqual([
      'result',
      '71.4',
      '62.8 (0.0 · numeric-different · row 1, similarity 95)',
      '71.4 (100.0 · equal · row 2, exact key)',
    ])
  })

  it('shows all questions of a conversation', async () => {
    const form = { kind: 'table' } as const
    const turns = [{ query: 'And by year?', form }]
    const conversation = { ...task, question: { ...task.question, turns } }
    const attempt = makeAttempt({ task: 'a', setting: 'offline' })
    const shown = await makeAttemptPage({ attempt, scores: [], scorers }, conversation, null)
    expect(shown.questions).toEqual(['q', 'And by year?'])
  })

  it('compares a strict score with scorer aoe', async () => {
    const [scoring] = (await page('strict')).scorings
    expect(scoring?.difference?.title).toBe('Scorer aoe rates 1 cell differently')
  })
})
