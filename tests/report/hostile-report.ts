import type { TraceEvent } from '../../logs/events.ts'
import type { Task } from '../../src/core/task.ts'
import type { HtmlInput } from '../../src/report/html/html.ts'
import type { RunBenchmarks } from '../../src/report/model/benchmark-tables.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { makeAttempt, makeCell, makeScore, scorers } from './records.ts'

/** Texts that a model, a page or a file name could contain to change a report that shows them. */
export const hostileTexts = [
  '</script><script>window.hurt=1</script>',
  '<img src=x onerror="window.hurt=1">',
  '<svg onload=window.hurt=1><style>*{display:none}</style>',
  '<!-- <script>',
  'javascript:window.hurt=1',
  '[link](javascript:window.hurt=1) ![image](http://127.0.0.1:9/image.png)',
  '" onfocus="window.hurt=1" autofocus style="background:url(http://127.0.0.1:9/x)',
  `';}body{display:none}`,
  '\u202e\u2066reversed\u200f',
  '\ud800 broken \udc00',
  '\u0000\u2028\u2029&lt;&#60;',
  '__proto__',
] as const

/** A radar chart of three metrics. */
const radarOf = (text: string): RunBenchmarks => ({
  aoe: {
    layouts: [
      {
        ...{ kind: 'radar', id: 'radar', title: text, source: text, remark: text },
        ...{ scorers: ['aoe'], axes: ['cellF1', 'rowF1', 'answered'] },
      },
    ],
  },
})

/** Returns a report of three arms on two tasks, in which every free text is the given one. */
export function reportWith(text: string): HtmlInput {
  const hint = { surfacedStep: 1, openedStep: 2, parsedStep: 2, usedStep: null }
  const attempts = [`1 ${text}`, '2'].flatMap(task =>
    ['offline', 'rag', 'online'].map((setting, at) => ({
      ...makeAttempt({
        ...{ task, domain: text, setting },
        over: {
          language: 'zh',
          discovery: {
            hints: [{ ...hint, hint: text, query: text, url: text }],
            recall: { surfaced: 1, opened: 1, parsed: 1, used: 0 },
            distractorsOpened: 0,
          },
          answer: {
            csv: `a,b\n"${text.replaceAll('"', '""')}",2\n`,
            ...{ rows: 1, columns: ['a', 'b'], parseStatus: 'table', parseNote: text },
          },
        },
      }),
      attemptId: `${task.slice(0, 1)}.${at}`,
    })),
  )
  const scores = attempts.map((attempt, at) =>
    makeScore(attempt, at / 10, {
      explanation: [text],
      cells: [
        makeCell({ gold: text, predicted: text, rule: text }),
        makeCell({ column: text, gold: text, predicted: `other ${text}`, score: 0, class: 'wrong' }),
      ],
    }),
  )
  const manifest = { runId: text, startedAt: null, endedAt: null, config: { web: 'sealed' } }
  const skippedTasks = [{ line: 1, recordId: text, problem: text }]
  const run = { name: text, runId: text, startedAt: null, facts: [[text, text]], command: text, bibtex: text }
  return {
    report: buildReport({ manifest, scorers, attempts, scores, skippedTasks, benchmarks: radarOf(text) }),
    run: run as unknown as HtmlInput['run'],
    records: { attempts, scores },
    tasks: new Map(attempts.map(({ taskId }) => [taskId, taskOf(taskId, text)])),
    traces: { eventsOf: async () => traceOf(text), blob: () => null },
  }
}

function taskOf(id: string, text: string): Task {
  return {
    ...{ id, benchmark: 'aoe', domain: text, language: 'zh' },
    question: { query: text, documentNames: [text] },
    gold: { kind: 'table', keyColumns: ['a'], targetColumns: ['Revenue', text], rows: [{ a: text }] },
  } as unknown as Task
}

function traceOf(text: string): readonly TraceEvent[] {
  const envelope = { at: '2026-01-01T00:00:00.000Z', attemptId: 'a', step: 1 }
  return [
    { ...envelope, seq: 0, type: 'tool-called', callId: 'c', tool: 'fetch_page', args: { url: text } },
    {
      ...{ ...envelope, seq: 1, type: 'tool-answered', callId: 'c', tool: 'fetch_page' },
      ...{ text: { text: `needle ${text}` }, truncated: false, wallMs: 5 },
      observations: [
        { kind: 'hits', query: text, hits: [{ title: text, url: text, snippet: text }] },
      ] as unknown as [],
    },
  ]
}
