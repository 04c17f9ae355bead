import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { renderPages } from '../../retrieval/ocr/rendering.ts'
import { findTesseract } from '../../retrieval/ocr/tesseract.ts'
import { scanOf, scanOfTexts } from './scan.ts'
import { scannedPage, smallPdf } from './small-pdf.ts'

const lines = ['Elm Holdings annual report', 'Revenue 4512137', 'Net income 613902']

function hasTesseract(): boolean {
  try {
    execFileSync('tesseract', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const isInstalled = hasTesseract()
const note = isInstalled ? '' : ' (skipped: tesseract is not installed)'

const folder = () => mkdtemp(join(tmpdir(), 'tablehunt-ocr-'))

describe.skipIf(!isInstalled)(`a scanned page with tesseract${note}`, () => {
  it('is read from its image, marked as OCR, and cached by the hash of the image', async () => {
    const cache = await folder()
    const bytes = smallPdf([await scanOf(lines), [{ x: 72, y: 700, text: 'A page with text' }]])
    const read = async (texts: string) => {
      const reader = createDocumentReader({
        cacheFolder: join(cache, texts),
        ocr: () => findTesseract(join(cache, 'ocr')),
      })
      const document = await reader.read(bytes, 'scan.pdf')
      await reader.close()
      return document
    }
    const document = await read('first')
    expect(document.problem).toBeNull()
    expect(document.pages.map(page => page.ocr)).toEqual([true, false])
    for (const line of lines) expect(document.pages[0]!.text).toContain(line)
    expect(document.reader).toContain('tesseract')
    expect(await readdir(join(cache, 'ocr'))).toHaveLength(1)
    expect(await read('second')).toEqual(document)
    expect(await readdir(join(cache, 'ocr'))).toHaveLength(1)
  })
})

const leftColumn = [
  'The board of Elm Holdings met in March to',
  'approve the report of the year. Revenue rose',
  'because the mill in the north sold more paper',
  'than in any year before, and the price of',
  'wood fell. The directors thank all workers',
  'for the long hours that they gave in spring.',
]
const rightColumn = [
  'In the second half of the year the company',
  'opened a shop in Oakville. It sells envelopes',
  'and boxes to schools and offices nearby. The',
  'manager expects that sales will double within',
  'two years if the new road is finished on time.',
  'The bank has agreed to lend four million.',
]
const tableRows = [
  ['Revenue of the paper mill', '4,512', '4,101'],
  ['Net income of the year', '613', '587'],
  ['Total assets at the end', '9,310', '8,774'],
  ['Total debt at the end', '2,121', '1,998'],
  ['Average number of workers', '357', '349'],
]

describe.skipIf(!isInstalled)(`the layout of a scanned page with tesseract${note}`, () => {
  it('is read column by column where it is text, and row by row where it is a table', async () => {
    const page = [
      {
        x: 72,
        y: 740,
        text: 'Report of the directors to the shareholders for the year that ended in December',
      },
      ...leftColumn.map((text, at) => ({ x: 72, y: 700 - at * 14, text })),
      ...rightColumn.map((text, at) => ({ x: 320, y: 700 - at * 14, text })),
      { x: 72, y: 590, text: 'Figures of the group in thousands' },
      ...tableRows.flatMap((cells, row) =>
        cells.map((text, column) => ({ x: [72, 340, 460][column]!, y: 565 - row * 16, text })),
      ),
    ]
    const ocr = await findTesseract(await folder())
    const { texts } = await ocr!.read(smallPdf([await scanOfTexts(page)]), [1])
    const read = texts
      .get(1)!
      .split('\n')
      .filter(line => line !== '')
    expect(read).toEqual([
      'Report of the directors to the shareholders for the year that ended in December',
      ...leftColumn,
      ...rightColumn,
      'Figures of the group in thousands',
      ...tableRows.map(cells => cells.join('\t')),
    ])
  })
})

describe('a scanned page without tesseract', () => {
  it('is named in the problem, with advice', async () => {
    const cache = await folder()
    const reader = createDocumentReader({
      cacheFolder: cache,
      ocr: () => findTesseract(cache, { program: 'no-such-program-as-tesseract' }),
    })
    const document = await reader.read(smallPdf([[{ x: 9, y: 9, text: 'x1' }], scannedPage]), 'scan.pdf')
    await reader.close()
    expect(document.problem).toMatch(/no text on page 2 .*tesseract-ocr/)
    expect(document.pages.map(page => page.ocr)).toEqual([false, false])
  })
})

/** Writes a program that answers as tesseract does. Files contain the seconds to wait for a page and for a probe. */
async function slowTesseract(at: string) {
  const [program, pageSeconds, probeSeconds] = ['tesseract', 'page', 'probe'].map(name => join(at, name))
  const wait = (file: string): string =>
    `if [ -f '${file}' ]; then sleep "$(cat '${file}')" >/dev/null 2>&1 </dev/null; fi`
  const lines = [
    '#!/bin/sh',
    'case "$1" in',
    `--version) ${wait(probeSeconds!)}; echo 'tesseract 5.3.0' ;;`,
    `--list-langs) ${wait(probeSeconds!)}; printf 'eng\\nchi_sim\\n' ;;`,
    `*) ${wait(pageSeconds!)}; cat >/dev/null; echo 'Revenue 4512137' ;;`,
    'esac',
  ]
  await writeFile(program!, `${lines.join('\n')}\n`)
  await chmod(program!, 0o755)
  return { program: program!, pageSeconds: pageSeconds!, probeSeconds: probeSeconds! }
}

describe('a scanned page on a machine that is busy', () => {
  const bytes = smallPdf([scannedPage])

  it('is a problem that is not cached, and is read later under the same reader version', async () => {
    const cache = await folder()
    const { program, pageSeconds } = await slowTesseract(cache)
    const read = async () => {
      const reader = createDocumentReader({
        cacheFolder: join(cache, 'texts'),
        ocr: () =>
          findTesseract(join(cache, 'ocr'), { program, pageTimeoutsMs: [500], probeTimeoutsMs: [60_000] }),
      })
      const document = await reader.read(bytes, 'scan.pdf')
      await reader.close()
      return document
    }
    await writeFile(pageSeconds, '60')
    const late = await read()
    expect(late).toMatchObject({ problem: 'scanned: page 1 could not be read in time', lasting: false })
    expect(late.pages.map(page => page.text)).toEqual([''])
    expect(await readdir(cache)).not.toContain('ocr')
    await rm(pageSeconds)
    const whole = await read()
    expect(whole).toMatchObject({ problem: null, lasting: true, reader: late.reader })
    expect(whole.pages).toEqual([{ number: 1, text: 'Revenue 4512137', ocr: true }])
    await writeFile(pageSeconds, '60')
    expect(await read()).toEqual(whole)
  })

  it('has more time in the second try', async () => {
    const cache = await folder()
    const { program, pageSeconds } = await slowTesseract(cache)
    const ocr = await findTesseract(cache, { program, pageTimeoutsMs: [300, 30_000] })
    await writeFile(pageSeconds, '1')
    const { texts, late } = await ocr!.read(bytes, [1])
    expect([...texts.values()]).toEqual(['Revenue 4512137'])
    expect(late).toEqual([])
  })

  it('is read even if the program is slow to report its version', async () => {
    const cache = await folder()
    const { program, probeSeconds } = await slowTesseract(cache)
    await writeFile(probeSeconds, '1')
    const found = await findTesseract(cache, { program, probeTimeoutsMs: [300, 30_000] })
    expect(found?.name).toBe('tesseract-5.3.0-chi_sim-eng-columns')
    await expect(findTesseract(cache, { program, probeTimeoutsMs: [300, 300] })).rejects.toMatchObject({
      code: 'tesseract-not-answering',
    })
  })

  it('affects no other page when its rendering hangs or crashes', async () => {
    const module = join(await folder(), 'worker.mjs')
    await writeFile(
      module,
      `import { parentPort } from 'node:worker_threads'
      parentPort.on('message', ({ page }) => {
        if (page === 2) for (;;) {}
        if (page === 4) process.exit(3)
        if (page !== undefined) parentPort.postMessage({ number: page, image: new Uint8Array([page]) })
      })`,
    )
    const made: [number, boolean][] = []
    for await (const page of renderPages(bytes, [1, 2, 3, 4, 5], {
      pageTimeoutMs: 1_500,
      workerModule: module,
    }))
      made.push([page.number, page.late])
    expect(made).toEqual([
      [1, false],
      [2, true],
      [3, false],
      [4, true],
      [5, false],
    ])
  })
})
