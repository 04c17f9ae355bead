import { describe, expect, it } from 'vitest'
import { benchmarks } from '../../../tasks/registry.ts'
import { BlockedSourceError, createBlockList, parseBlockRule } from '../../../tools/web/block-list.ts'

const ofAoe = createBlockList(benchmarks.get('aoe').answerHosts.map(parseBlockRule))

const answers = [
  'https://huggingface.co/datasets/tianyumyum/AOE',
  'https://HUGGINGFACE.co/datasets/TianyuMyum/aoe/resolve/main/table_data/all_AOE_tables.jsonl',
  'https://hf-mirror.com/datasets/tianyumyum/AOE/tree/main',
  'https://datasets-server.huggingface.co/rows?dataset=tianyumyum%2FAOE&config=default',
  'https://github.com/tianyumyum/AOE',
  'https://raw.githubusercontent.com/tianyumyum/AOE/main/README.md',
  'https://codeload.github.com/tianyumyum/AOE/zip/refs/heads/main',
  'https://cdn.jsdelivr.net/gh/tianyumyum/AOE@main/x.json',
  'https://proxy.example.com/?url=https%253A%252F%252Fgithub.com%252Ftianyumyum%252FAOE',
  'https://web.archive.org/web/2025/https://huggingface.co/datasets/tianyumyum/AOE',
  'https://github.com//tianyumyum//AOE',
  'https://anonymous.4open.science/r/AOE-Benchmark/',
  'https://example.com/mirror/all_AOE_tables.jsonl',
  'https://github.com/ContextualAI/extract-bench/tree/main/dataset',
]

describe('the block list', () => {
  it.each(answers)('blocks %s', url => {
    expect(() => ofAoe.check(url)).toThrow(BlockedSourceError)
  })

  it('allows other pages of those hosts', () => {
    for (const url of [
      'https://huggingface.co/datasets/other/data',
      'https://github.com/someone/aoe2-tools',
      'https://arxiv.org/abs/2507.16271',
    ]) {
      expect(ofAoe.find(url)).toBeNull()
    }
  })

  it("accepts the user's rules: a host with its subdomains, a host below a path, a text anywhere", () => {
    const list = createBlockList(
      ['leaks.example', 'wiki.example/answers', '*gold-table*'].map(parseBlockRule),
    )
    expect(list.find('https://www.leaks.example/x')).toBe('leaks.example')
    expect(list.find('https://notleaks.example/x')).toBeNull()
    expect(list.find('https://wiki.example/Answers/1')).toBe('wiki.example/answers')
    expect(list.find('https://wiki.example/other')).toBeNull()
    expect(list.find('https://a.example/?q=gold%2Dtable')).toBe('*gold-table*')
  })
})
