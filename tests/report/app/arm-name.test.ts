import { expect, it } from 'vitest'
import { breakName, fitArmNames } from '../../../src/report/app/views/arm-name.tsx'

it('lets a line end after the separators of a name, and changes none of its characters', () => {
  const name = 'rag tools=search,fetch+pdf · gpt·mini, 8k'
  expect(breakName(name)).toEqual(['rag tools=search,', 'fetch+', 'pdf · gpt·', 'mini, 8k'])
  expect(breakName(name).join('')).toBe(name)
})

it('cuts long names by the width of the page, keeps short ones, and keeps different ones different', () => {
  const model = 'an-open-model-with-a-rather-long-name-'.repeat(3)
  const names = ['rag', ...[120, 1200].map(tokens => `rag table-aware ${tokens} tokens · ${model}`)]
  const widths = [390, 1280, 1920].map(pixels => {
    const shown = names.map(name => fitArmNames(names, pixels).get(name) ?? '')
    expect(shown[0]).toBe('rag')
    expect(new Set(shown).size).toBe(3)
    return shown[1]!.length
  })
  expect(widths).toEqual([40, 66, 110])
})
