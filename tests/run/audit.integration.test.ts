import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { formatAudit } from '../../src/report/tables/audit-text.ts'
import { type AuditOptions, auditRun } from '../../src/run/scores/audit.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

let folder = ''
const run = (): string => join(folder, 'run')
const sheet = (): string => join(run(), 'audit.csv')
const options = (over: Partial<AuditOptions> = {}): AuditOptions => ({
  sample: null,
  seed: 0,
  scorer: null,
  judge: null,
  sheet: null,
  secondSheet: null,
  anew: false,
  ...over,
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-audit-'))
  const { tasks, documents: docs } = demoPaths
  const config = { tasks, docs, setting: 'offline', out: run(), cache: join(folder, 'cache') }
  await executeRun(resolveConfig(config))
})
afterAll(() => rm(folder, { recursive: true }))

/** Fills the sheet's marks in, line by line. */
async function mark(markOf: (line: number) => string): Promise<void> {
  const [head = '', ...lines] = (await readFile(sheet(), 'utf8')).trimEnd().split('\n')
  await writeFile(
    sheet(),
    [head, ...lines.map((line, at) => line.replace(/,,$/, `,${markOf(at)},`)), ''].join('\n'),
  )
}

describe('an audit', () => {
  it('explains how to write a sheet when none exists yet', async () => {
    await expect(auditRun(run(), options())).rejects.toMatchObject({
      code: 'sheet-missing',
      message: expect.stringMatching(/audit\.csv .* --sample N/),
    })
    await expect(auditRun(join(folder, 'nowhere'), options({ sample: 3 }))).rejects.toMatchObject({
      code: 'not-a-run',
    })
    await expect(auditRun(run(), options({ sample: 3, judge: 'openai:x' }))).rejects.toMatchObject({
      code: 'nothing-to-audit',
      message: expect.stringContaining('judge openai:x'),
    })
  })

  it('writes a sample without scores or rules, and reports the marks by rule', async () => {
    expect(await auditRun(run(), options({ sample: 12 }))).toEqual({
      kind: 'written',
      sheet: sheet(),
      items: 12,
    })
    const text = await readFile(sheet(), 'utf8')
    expect(text.split('\n')[0]).toBe('\uFEFFid,attempt,row,column,gold,answer,mark,mark2')
    expect(text).not.toContain('numeric')
    const unmarked = await auditRun(run(), options())
    expect(formatAudit(unmarked, run())).toContain('none of the 12 items is marked')

    await mark(line => (line < 8 ? 'right' : line < 10 ? '0' : ''))
    const read = await auditRun(run(), options({ sample: 12 }))
    if (read.kind !== 'read') throw new Error('the sheet was written over')
    expect([read.items, read.marked]).toEqual([12, 10])
    const [all, ...rules] = read.agreement
    expect(all).toMatchObject({ rule: 'all', marked: 10 })
    expect(rules.reduce((sum, row) => sum + row.marked, 0)).toBe(10)
    expect(formatAudit(read, run())).toContain("Cohen's kappa")
  })

  it('reads a sheet that a spreadsheet program saved with semicolons', async () => {
    const saved = await readFile(sheet(), 'utf8')
    const ids = [...saved.matchAll(/^([^,]+),/gm)].slice(1).map(match => match[1]!)
    // Else a spreadsheet program would take some of them for numbers, and write other ones.
    for (const id of ids) expect(id).toMatch(/^cell-[0-9a-f]{16}$/)
    const other = join(folder, 'saved.csv')
    await writeFile(other, ['id;mark', ...ids.map(id => `${id};0.5`)].join('\r\n'))
    const read = await auditRun(run(), options({ sheet: other }))
    expect(read).toMatchObject({ kind: 'read', items: 12, marked: 12 })
  })

  it('reports the agreement of two markers, and of each and their consensus with the scorer', async () => {
    const saved = await readFile(sheet(), 'utf8')
    const ids = [...saved.matchAll(/^(cell-[^,]+),/gm)].map(match => match[1]!)
    const [first, second] = [join(folder, 'first.csv'), join(folder, 'second.csv')]
    const lines = (marks: (at: number) => string): string =>
      ['id,mark', ...ids.map((id, at) => `${id},${marks(at)}`)].join('\n')
    await writeFile(
      first,
      lines(at => (at < 6 ? 'right' : at < 10 ? 'wrong' : '')),
    )
    await writeFile(
      second,
      lines(at => (at < 5 ? 'right' : at < 9 ? 'wrong' : '')),
    )
    const read = await auditRun(run(), options({ sheet: first, secondSheet: second }))
    if (read.kind !== 'read') throw new Error('the sheet was written over')
    expect(read).toMatchObject({ marked: 10, marked2: 9 })
    // 5 right and 3 wrong alike, of 9: expected agreement (6 x 5 + 3 x 4) / 81.
    expect(read.markers?.[0]).toMatchObject({
      sides: 'first marker and second marker',
      items: 9,
      agreement: 8 / 9,
    })
    expect(read.markers?.[0]?.kappa).toBeCloseTo((8 / 9 - 42 / 81) / (1 - 42 / 81), 9)
    expect(read.markers?.map(({ items }) => items)).toEqual([9, 10, 9, 8])
    const text = formatAudit(read, run())
    expect(text).toContain('consensus and scorer')
    await writeFile(second, 'id,mark\ncell-0000000000000000,right\n')
    await expect(auditRun(run(), options({ sheet: first, secondSheet: second }))).rejects.toMatchObject({
      code: 'foreign-sheet',
    })
  })

  it('names an unreadable mark, and rejects a sheet of another run', async () => {
    await auditRun(run(), options({ sample: 2, anew: true }))
    await mark(() => 'perhaps')
    await expect(auditRun(run(), options())).rejects.toMatchObject({
      code: 'invalid-mark',
      message: expect.stringMatching(/audit\.csv:2: .*'perhaps'/),
    })
    await writeFile(sheet(), 'id,mark\n0123456789abcdef,1\n')
    await expect(auditRun(run(), options())).rejects.toMatchObject({ code: 'foreign-sheet' })
    await writeFile(sheet(), 'a,b\n1,2\n')
    await expect(auditRun(run(), options())).rejects.toMatchObject({ code: 'invalid-sheet' })
  })
})
