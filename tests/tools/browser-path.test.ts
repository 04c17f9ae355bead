import { chromium } from 'playwright'
import { expect, it } from 'vitest'
import { playwrightFolders } from '../../tools/page/browser-path.ts'

it('knows the folder into which Playwright installs its browser', () => {
  const isNamed = Object.keys(process.env).some(name => /playwright_browsers_path$/i.test(name))
  const folders = playwrightFolders(process.env)
  expect(isNamed || folders.some(folder => chromium.executablePath().startsWith(folder))).toBe(true)
})
