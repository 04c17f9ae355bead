import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PageData } from '../../src/report/page/page-data.ts'
import { loadComparison } from '../../src/run/compare-folders.ts'
import { writeComparisonPage } from '../../src/run/comparison-page.ts'
import { packageRoot } from '../../src/system/paths.ts'

const kept = join(packageRoot, 'tests', 'fixtures', 'run-version-1')

it('writes the attempts of all runs into one page, with the tables for papers', async () => {
  const base = await mkdtemp(join(tmpdir(), 'tablehunt-compare-'))
  await cp(kept, join(base, 'second'), { recursive: true })
  const file = join(base, 'compare.html')
  await writeComparisonPage(await loadComparison([kept, join(base, 'second')], {}), file)
  const html = await readFile(file, 'utf8')
  const data = /id="page-data">(.*)<\/script>/.exec(html)?.[1] ?? 'null'
  const page = JSON.parse(data) as PageData
  expect(page.title).toBe('run-version-1 against second')
  expect(page.runs.map(({ name }) => name)).toEqual(['run-version-1', 'second'])
  expect(page.attempts.id.map(id => id.split('/')[0])).toEqual(['run-version-1', 'second'])
  expect(page.attempts.values.cellF1).toEqual([0.75, 0.75])
  expect(page.sections[0]?.id).toBe('papers')
  for (const id of page.attempts.id) expect(html).toContain(`data-attempt="${id}"`)
})
