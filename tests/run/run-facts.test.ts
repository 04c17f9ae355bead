import { expect, it } from 'vitest'
import { runFacts } from '../../src/run/run-facts.ts'
import { newManifest } from './new-manifest.ts'

function factsOf(setting: readonly string[], browser: string | null): Map<string, string> {
  const manifest = newManifest({
    config: { setting, web: 'live', agent: ['tablehunt'], embedder: 'hash' },
    programs: { node: 'v20.1.0', tesseract: 'tesseract 5.3.0', browser },
    search: { provider: 'serper', baseUrl: null },
  })
  return new Map(runFacts('runs/x', manifest).facts)
}

it('leaves out what the settings of a run do not use', () => {
  const offline = factsOf(['offline'], null)
  expect(['agents', 'web', 'search', 'embedder'].filter(name => offline.has(name))).toEqual([])
  expect(offline.get('programs')).toBe('tesseract 5.3.0')
  expect(factsOf(['closed-book'], null).has('programs')).toBe(false)
  expect(factsOf(['rag'], null).get('embedder')).toBe('hash')
})

it('names the web of a run that uses it, and a missing browser', () => {
  const online = factsOf(['offline', 'online'], null)
  expect([online.get('web'), online.get('search'), online.get('agents')]).toEqual([
    'live',
    'serper',
    'tablehunt',
  ])
  expect(online.get('programs')).toBe('tesseract 5.3.0, browser: not installed')
})

it('keeps everything for a setting of a plug-in that is not loaded', () => {
  expect(factsOf(['my-own-setting'], 'Chromium 131').get('programs')).toBe('tesseract 5.3.0, Chromium 131')
  expect(factsOf(['my-own-setting'], null).get('web')).toBe('live')
})
