import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildReport } from '../../src/report/model/build-report.ts'
import { readJudgeMarks } from '../../src/run/scores/audit.ts'
import { readSheet, writeMark, writeSheet } from '../../src/run/scores/audit-sheet.ts'
import { computeAuditAgreement, computeMarkerAgreement, makeChosenItem } from '../../src/score/audit.ts'
import { makeAttempt, makeCell, makeScore, scorers } from '../report/records.ts'

let folder = ''
let sheet = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-marks-'))
  sheet = join(folder, 'audit.csv')
})
afterEach(() => rm(folder, { recursive: true }))

const score = makeScore(makeAttempt({ task: 'a', setting: 'offline' }), 1)
const item = (goldRow: number) => makeChosenItem(score, makeCell({ goldRow, predicted: '=1+1' }))!

it('writes the marks of two persons by name, and keeps the rest of the sheet', async () => {
  await writeSheet(sheet, [item(0), item(1)])
  await writeMark(sheet, { item: item(0), mark: 'right', marker: 'Ada' })
  await writeMark(sheet, { item: item(1), mark: 'unsure', marker: 'Ada' })
  await writeMark(sheet, { item: item(0), mark: 'wrong', marker: 'Ben' })
  expect((await readSheet(sheet)).map(({ mark, mark2, markers }) => [mark, mark2, ...markers])).toEqual([
    ['right', 'wrong', 'Ada', 'Ben'],
    ['unsure', '', 'Ada', ''],
  ])
  expect((await readFile(sheet, 'utf8')).match(/'=1\+1/g)).toHaveLength(2)
})

it('refuses a third person, and takes a removed mark back', async () => {
  await writeMark(sheet, { item: item(0), mark: 'right', marker: 'Ada' })
  await writeMark(sheet, { item: item(0), mark: 'right', marker: 'Ben' })
  const third = { item: item(0), mark: 'wrong', marker: 'Cleo' }
  await expect(writeMark(sheet, third)).rejects.toMatchObject({
    code: 'sheet-has-two-markers',
    message: expect.stringContaining('Ada and Ben'),
  })
  await writeMark(sheet, { item: item(0), mark: '', marker: 'Ben' })
  await writeMark(sheet, third)
  expect((await readSheet(sheet))[0]).toMatchObject({ mark2: 'wrong', markers: ['Ada', 'Cleo'] })
})

it('does not mix marks that a person made without a name with those of another', async () => {
  await writeFile(sheet, 'id,attempt,mark\ncell-0123456789abcdef,a,right\n')
  await writeMark(sheet, { item: item(0), mark: 'right', marker: 'Ada' })
  expect((await readSheet(sheet)).map(({ mark, mark2, isChosen }) => [mark, mark2, isChosen])).toEqual([
    ['right', '', false],
    ['', 'right', true],
  ])
})

it('keeps notes of items and of whole answers beside their marks, and a note without a mark', async () => {
  await writeSheet(sheet, [item(0)])
  await writeMark(sheet, { item: item(0), mark: 'right', marker: 'Ada' })
  await writeMark(sheet, { item: item(0), note: 'Rounded.', marker: 'Ada' })
  await writeMark(sheet, { item: { answerOf: 'attempt-1' }, note: 'Late.', marker: 'Ben' })
  await writeMark(sheet, { item: { answerOf: 'attempt-1' }, mark: 'wrong', marker: 'Ada' })
  const lines = (await readSheet(sheet)).map(({ isAnswer, mark, note, attemptId }) => [
    isAnswer,
    mark,
    note,
    attemptId,
  ])
  expect(lines).toEqual([
    [false, 'right', 'Rounded.', score.attemptId],
    [true, 'wrong', 'Late.', 'attempt-1'],
  ])
  // A new sample replaces the items alone.
  await writeSheet(sheet, [item(1), item(2)])
  expect((await readSheet(sheet)).map(({ isAnswer, note }) => [isAnswer, note])).toEqual([
    [false, ''],
    [false, ''],
    [true, 'Late.'],
  ])
})

it('keeps items that a person chose apart from the random sample', () => {
  const marked = (goldRow: number, mark: string, isChosen: boolean) => ({
    ...item(goldRow),
    ...{ mark, mark2: 'right', isChosen },
  })
  const items = [marked(0, 'right', false), marked(1, 'unsure', false), marked(2, 'wrong', true)]
  expect(computeAuditAgreement(items).map(({ rule, marked: n, agreement }) => [rule, n, agreement])).toEqual([
    ['all', 1, 1],
    ['numeric', 1, 1],
    ['chosen by hand', 1, 0],
  ])
  expect(computeMarkerAgreement(items)[0]).toMatchObject({ items: 1, agreement: 1 })
})

it.each([
  ['an unknown mark', 'id,mark\ncell-0,perhaps\n', /^audit\.csv:2: unknown mark 'perhaps'/],
  ['a missing column', 'id,verdict\ncell-0,right\n', /^audit\.csv: /],
  ['text that is no CSV', 'id,mark\n"cell', /^audit\.csv/],
])('says in the report that marks are left out for a sheet with %s', async (_, text, problem) => {
  await writeFile(sheet, text)
  const { marks, unreadableMarks } = await readJudgeMarks(folder)
  expect(marks).toEqual([])
  expect(unreadableMarks).toMatch(problem)
  expect(unreadableMarks).not.toContain(folder)
  const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
  const records = {
    manifest,
    attempts: [makeAttempt({ task: 'a', setting: 'offline' })],
    scores: [score],
    skippedTasks: [],
  }
  const { notes } = buildReport({ ...records, scorers, unreadableMarks: unreadableMarks! })
  expect(notes.join('\n')).toContain(
    `the marks of a person are left out, because their sheet cannot be read: ${unreadableMarks}`,
  )
})
