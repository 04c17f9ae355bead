import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runOffline } from '../../agents/offline.ts'
import { loadContextDocuments } from '../../retrieval/context-documents.ts'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { tableFormatNames } from '../../retrieval/table-formats/formats.ts'
import type { Task } from '../../src/core/task.ts'
import { cutDocuments } from '../../src/evidence/attempt-views.ts'
import { readTable } from '../../src/models/extractive/shown-tables.ts'
import { countTokensCheaply } from '../../src/models/token-count.ts'
import { loadLongTableBench } from '../../tasks/longtablebench/load.ts'
import { makeLongTableBench } from '../../tasks/longtablebench/make/make.ts'
import { says, scripted, world } from './harness.ts'

let folder = ''
let tasks: readonly Task[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-cut-tables-'))
  await mkdir(join(folder, 'tables', 'post'), { recursive: true })
  const towns = ['Arden', 'Birk', 'Colm', 'Dorne', 'Elb']
  const depots = Array.from({ length: 40 }, (_, at) => `${at + 1},"Depot, ${at}",${towns[at % 5]}`)
  const parcels = Array.from({ length: 600 }, (_, at) => `${1000 + at},${(at % 40) + 1},${(at * 7) % 23}`)
  const write = (name: string, lines: readonly string[]) =>
    writeFile(join(folder, 'tables', 'post', name), `${lines.join('\n')}\n`)
  await write('depot.csv', ['depot_id,depot_name,town', ...depots])
  await write('parcel.csv', ['parcel_id,depot_id,weight', ...parcels])
  await makeLongTableBench({
    ...{ tables: join(folder, 'tables'), out: join(folder, 'tasks'), seed: 1, perKind: 4 },
    scoresFully: () => true,
    count: tables => tables.reduce((sum, { rows, columns }) => sum + rows.length * columns.length * 4, 0),
  })
  tasks = (await loadLongTableBench(join(folder, 'tasks'))).tasks
})
afterAll(() => rm(folder, { recursive: true }))

/** Asks a task offline with tables in a format. The tables do not fit into the context window. */
async function asked({ question, documents }: Task, format: string) {
  const reader = createDocumentReader({ cacheFolder: folder })
  const whole = await loadContextDocuments(documents, null, reader, format)
  const tokens = whole.reduce((sum, { text }) => sum + countTokensCheaply(text), 0)
  const model = scripted({
    turns: [says('<answer>["1"]</answer>')],
    contextWindow: 1_200 + Math.ceil(tokens * 0.7),
    countTokens: countTokensCheaply,
  })
  const { environment, of } = world(model, {
    ...{ cutStrategy: 'head-tail', documents: async () => whole },
    hasAnswer: () => true,
  })
  const { context } = await runOffline(question, environment)
  const prompts = model.requests.map(({ messages }) => messages.map(({ text }) => text))
  return { whole, context, prompts, cuts: of('context-cut') }
}

/** Returns the documents of a prompt, by their names. */
function documentsIn(prompt: string): Map<string, string> {
  const found = prompt.matchAll(/<document name="(.*?)">\n([\s\S]*?)\n<\/document>/g)
  return new Map([...found].map(([, name = '', text = '']) => [name, text]))
}

const severalTables = () => tasks.find(({ question }) => question.facets?.tables === 'several')!

describe('tables that do not fit the context window', () => {
  it.each(tableFormatNames)('lose rows in their middle alone, with a mark, as %s', async format => {
    const task = severalTables()
    const { whole, context, prompts, cuts } = await asked(task, format)
    const prompt = prompts[0]!.join('\n')
    expect(prompt).toContain(task.question.query)
    expect(context?.cutStrategy).toBe('head-tail')
    expect(cuts[0]?.documents.map(({ charsInPrompt }) => charsInPrompt)).toEqual(
      context!.documents.map(({ charsInPrompt }) => charsInPrompt),
    )
    const shown = documentsIn(prompt)
    expect([...shown.keys()]).toEqual(whole.map(({ hint }) => hint))
    for (const [at, { hint, text }] of whole.entries()) {
      const { chars, charsInPrompt, charsFromStart } = context!.documents[at]!
      const [head, tail, ...rest] = shown.get(hint)!.split('\n[...]\n')
      expect(rest).toEqual([])
      const end = text.slice(text.length - charsInPrompt + charsFromStart!)
      expect([chars, charsFromStart]).toEqual([text.length, head!.length])
      expect(text.startsWith(`${head}\n`)).toBe(true)
      expect(text.endsWith(`\n${end}`)).toBe(true)
      expect(tail!.trimEnd()).toBe(end.trimEnd())
      expect(cutDocuments([{ hint, text }], context)[0]?.text).toBe(`${head}\n${end}`)
      const [all, kept] = [text, shown.get(hint)!].map(one => readTable({ name: hint, text: one })!.rows)
      const first = kept!.findIndex((row, place) => row.join() !== all![place]!.join())
      expect(first).toBeGreaterThan(0)
      expect(kept!.length).toBeLessThan(all!.length)
      expect(kept!.slice(first)).toEqual(all!.slice(first - kept!.length))
    }
  })

  it('are cut once in a conversation, and every question is whole', async () => {
    const { question, ...task } = tasks.find(one => (one.question.turns?.length ?? 0) > 1)!
    const { prompts, cuts } = await asked({ ...task, question }, 'html')
    const later = question.turns!.map(({ query }) => query)
    expect(prompts).toHaveLength(1 + later.length)
    expect(cuts).toHaveLength(1)
    expect(new Set(prompts.map(([, tables]) => tables)).size).toBe(1)
    expect(prompts[0]!.join('\n')).toContain('\n[...]\n')
    expect(prompts[0]!.join('\n')).toContain(question.query)
    for (const [at, query] of later.entries()) {
      expect(prompts[at + 1]!.at(-1)).toContain(query)
      expect(prompts[at + 1]!.at(-1)).not.toContain('[...]')
    }
  })
})
