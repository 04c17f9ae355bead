import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { traceFileName } from '../../src/report/page/attempt-data.ts'
import type { PageData } from '../../src/report/page/page-data.ts'
import { loadComparison } from '../../src/run/compare-folders.ts'
import { writeComparisonPage } from '../../src/run/comparison-page.ts'
import { makeFolderPlace } from '../../src/run/pack/open-places.ts'
import { packageRoot } from '../../src/system/paths.ts'

const kept = join(packageRoot, 'tests', 'fixtures', 'kept-run')

it('writes the attempts of all runs into one page, with the tables for papers', async () => {
  const base = await mkdtemp(join(tmpdir(), 'tablehunt-compare-'))
  await cp(kept, join(base, 'second'), { recursive: true })
  const file = join(base, 'compare.html')
  await writeComparisonPage(await loadComparison([kept, join(base, 'second')].map(makeFolderPlace), {}), file)
  const html = await readFile(file, 'utf8')
  const data = /id="page-data">(.*)<\/script>/.exec(html)?.[1] ?? 'null'
  const page = JSON.parse(data) as PageData
  expect(page.title).toBe('kept-run against second')
  expect(page.runs.map(({ name }) => name)).toEqual(['kept-run', 'second'])
  expect(page.attempts.id.map(id => id.split('/')[0])).toEqual(['kept-run', 'second'])
  expect(page.attempts.values.cellF1).toEqual([0.75, 0.75])
  expect(page.sections[0]?.id).toBe('papers')
  for (const id of page.attempts.id) expect(html).toContain(`data-attempt="${id}"`)
  // Two runs of one arm are two arms, named by their runs.
  expect(page.arms.map(({ name }) => name)).toEqual(['offline kept-run', 'offline second'])
  expect(page.arms.map(({ run }) => run)).toEqual([0, 1])
})

it('writes the traces of all runs beside the page when they are split from it', async () => {
  const base = await mkdtemp(join(tmpdir(), 'tablehunt-compare-'))
  await cp(kept, join(base, 'second'), { recursive: true })
  const file = join(base, 'compare.html')
  const loaded = await loadComparison([kept, join(base, 'second')].map(makeFolderPlace), {})
  await writeComparisonPage(loaded, file, { isSplit: true })
  const html = await readFile(file, 'utf8')
  expect(html).toContain('<script type="text/plain" id="trace-folder">report/</script>')
  const ids = loaded.runs.flatMap(({ name, attempts }) =>
    attempts.map(({ attemptId }) => `${name}/${attemptId}`),
  )
  const files = await readdir(join(base, 'report'))
  expect(files.toSorted()).toEqual(ids.map(traceFileName).toSorted())
  const script = await readFile(join(base, 'report', traceFileName(ids[0]!)), 'utf8')
  expect(script.startsWith(`tablehuntTrace("${ids[0]}", '`)).toBe(true)
})
