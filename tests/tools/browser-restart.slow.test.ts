import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ToolError } from '../../src/core/errors.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { ChromiumRenderer } from '../../tools/page/browser.ts'
import { browserHere, withoutBrowser } from './support/browser.ts'
import { plainTransport } from './support/local-web.ts'

/** A browser that logs every start and can be killed and made unable to start. */
function ownBrowser() {
  const folder = mkdtempSync(join(tmpdir(), 'tablehunt-browser-'))
  const [path, log] = [join(folder, 'chromium'), join(folder, 'starts')]
  writeFileSync(log, '')
  writeFileSync(path, `#!/bin/sh\necho $$ >> ${log}\nexec ${browserHere?.path} "$@"\n`)
  chmodSync(path, 0o755)
  const renderer = new ChromiumRenderer({ path, foundBy: 'flag' } as never, { tell: () => undefined })
  const render = (owner: object) =>
    renderer.render({
      owner,
      url: 'http://page.test/',
      bytes: Buffer.from('<p>shown</p>'),
      contentType: 'text/html',
      transport: plainTransport,
      signal: new AbortController().signal,
    } as never)
  return {
    renderer,
    render,
    starts: () => readFileSync(log, 'utf8').trim().split('\n').length,
    async kill() {
      // Kills the whole process group: the browser's path may be a script.
      process.kill(-Number(readFileSync(log, 'utf8').trim().split('\n').at(-1)), 'SIGKILL')
      await systemClock.sleep(500)
    },
    break: () => writeFileSync(path, '#!/bin/sh\nexit 1\n'),
  }
}

describe.skipIf(browserHere === null)(`a browser that was killed${withoutBrowser}`, () => {
  it('is restarted once for all waiting pages', async () => {
    const { renderer, render, starts, kill } = ownBrowser()
    expect((await render({})).html).toContain('shown')
    await kill()
    const pages = await Promise.all([render({}), render({}), render({})])
    expect(pages.map(page => page.html.includes('shown'))).toEqual([true, true, true])
    expect(starts()).toBe(2)
    await renderer.close()
  })

  it('fails only its own pages when it cannot be restarted', async () => {
    const own = ownBrowser()
    const [first, second] = [{}, {}]
    await own.render(first)
    await own.kill()
    own.break()
    await expect(own.render(second)).rejects.toThrow(ToolError)
    await own.renderer.release(first)
    await own.renderer.release(second)
    await own.renderer.close()
  })
})
