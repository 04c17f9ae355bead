import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPdfPool } from '../../retrieval/pdf/pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'pool-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a worker that reads three pages. In documents that begin with 'bad', it runs `failure` on page 2. */
function workerThat(failure: string): string {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`)
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ bytes, firstPage }) => {
      const bad = Buffer.from(bytes).toString().startsWith('bad')
      parentPort.postMessage({ type: 'opened', pages: 3 })
      for (let number = firstPage; number <= 3; number++) {
        if (bad && number === 2) { ${failure} }
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
    ['fills its memory', 'const all = []; for (;;) all.push(new Array(1000).fill(0).map(Math.random))'],
  ])('loses only the page on which a worker %s, and reads the other documents', async (_, failure) => {
    const pool = createPdfPool({ workers: 2, pageTimeoutMs: 1500, workerModule: workerThat(failure) })
    const readings = await Promise.all(
      ['bad', 'good', 'bad too', 'good too'].map(name => pool.read(Buffer.from(name))),
    )
    expect(readings.map(reading => reading.lost.map(page => page.number))).toEqual([[2], [], [2], []])
    expect(readings.map(reading => reading.pages.map(page => page.number))).toEqual([
      [1, 3],
      [1, 2, 3],
      [1, 3],
      [1, 2, 3],
    ])
    await pool.close()
  })

  it('rejects pending reads when it is closed', async () => {
    const pool = createPdfPool({ workers: 1, workerModule: workerThat('for (;;) {}') })
    const waiting = [pool.read(Buffer.from('bad')), pool.read(Buffer.from('bad'))]
    const settled = Promise.allSettled(waiting)
    await pool.close()
    expect((await settled).map(result => result.status)).toEqual(['rejected', 'rejected'])
  })

  it('reports a missing build', () => {
    const create = () => createPdfPool({ workers: 1, workerModule: '/nowhere/worker.js' })
    expect(create).toThrow(expect.objectContaining({ code: 'not-built' }))
  })
})
