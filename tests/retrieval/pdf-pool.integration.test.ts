import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPdfPool } from '../../retrieval/pdf/pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'pool-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A worker that reads three pages and does on page 2 what `misdeed` says, in documents that begin with 'bad'. */
function workerThat(misdeed: string): string {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`)
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ bytes, firstPage }) => {
      const bad = Buffer.from(bytes).toString().startsWith('bad')
      parentPort.postMessage({ type: 'opened', pages: 3 })
      for (let number = firstPage; number <= 3; number++) {
        if (bad && number === 2) { ${misdeed} }
        parentPort.postMessage({ type: 'page', page: { number, text: 'page ' + number, state: 'text' } })
      }
      parentPort.postMessage({ type: 'done', memoryBytes: 0 })
    })`,
  )
  return file
}

describe('createPdfPool', () => {
  it.each([
    ['crashes', `throw new Error('crash')`],
    ['ends', 'process.exit(3)'],
    ['hangs', 'for (;;) {}'],
  ])('loses only the page on which a worker %s, and reads the other documents', async (_, misdeed) => {
    const pool = createPdfPool({ workers: 2, pageTimeoutMs: 1500, workerModule: workerThat(misdeed) })
    const readings = await Promise.all(
      ['bad', 'good', 'bad too', 'good too'].map(name => pool.read(Buffer.from(name))),
    )
    expect(readings.map(reading => reading.lost)).toEqual([[2], [], [2], []])
    expect(readings.map(reading => reading.pages.map(page => page.number))).toEqual([
      [1, 3],
      [1, 2, 3],
      [1, 3],
      [1, 2, 3],
    ])
    await pool.close()
  })

  it('rejects what still waits when it is closed', async () => {
    const pool = createPdfPool({ workers: 1, workerModule: workerThat('for (;;) {}') })
    const waiting = [pool.read(Buffer.from('bad')), pool.read(Buffer.from('bad'))]
    const settled = Promise.allSettled(waiting)
    await pool.close()
    expect((await settled).map(result => result.status)).toEqual(['rejected', 'rejected'])
  })

  it('says how to mend a missing build', () => {
    expect(() => createPdfPool({ workers: 1, workerModule: '/nowhere/worker.js' })).toThrow(/npm run build/)
  })
})
