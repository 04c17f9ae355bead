import { describe, expect, it } from 'vitest'
import { labelArm, listModelLegend, nameModels } from '../../src/report/model/arm-names.ts'
import { displayWidth } from '../../src/report/tables/display-width.ts'
import { fitNames, makeArmNaming } from '../../src/report/tables/fit-names.ts'
import { readOptions } from './records.ts'

const shortNames = (...models: string[]): string[] => {
  const naming = nameModels(models.map(model => ({ model })))
  return models.map(naming.of)
}

describe('the names of models', () => {
  it('leave out what all models share', () => {
    expect(shortNames('openai:gpt-4o', 'openai:gpt-4o-mini')).toEqual(['gpt-4o', 'gpt-4o-mini'])
    expect(shortNames('vllm:Qwen/Qwen3-8B', 'extractive')).toEqual(['Qwen3-8B', 'extractive'])
    expect(shortNames('ollama:qwen3:8b', 'ollama:qwen3:14b')).toEqual(['qwen3:8b', 'qwen3:14b'])
  })

  it('keep the organisation, provider or host when only that differs', () => {
    expect(shortNames('vllm:a/Llama', 'vllm:b/Llama', 'vllm:c/Other')).toEqual([
      'a/Llama',
      'b/Llama',
      'Other',
    ])
    expect(shortNames('openai:gpt-4o', 'azure:gpt-4o')).toEqual(['openai:gpt-4o', 'azure:gpt-4o'])
    expect(shortNames('openai:m@http://one:8000/v1', 'openai:m@http://two:8000/v1')).toEqual([
      'm@one:8000',
      'm@two:8000',
    ])
    const paths = ['openai:m@http://one/a', 'openai:m@http://one/b']
    expect(shortNames(...paths)).toEqual(paths)
  })

  it('are complete for a single model, and explained when they were shortened', () => {
    expect(shortNames('openai:gpt-4o')).toEqual(['openai:gpt-4o'])
    expect(listModelLegend([{ model: 'openai:gpt-4o' }])).toEqual([])
    expect(listModelLegend([{ model: 'openai:gpt-4o' }, { model: 'extractive' }])).toEqual([
      'Models: gpt-4o = openai:gpt-4o',
    ])
  })

  it('are part of the label of an arm when there are several models', () => {
    const [one, other] = ['openai:a', 'openai:b'].map(model => ({
      setting: 'rag',
      options: { cot: 'off' },
      model,
    }))
    expect(labelArm(one!, nameModels([one!, other!]))).toBe('rag [cot=off] · a')
    expect(labelArm(one!, nameModels([one!]))).toBe('rag [cot=off]')
  })
})

describe('the names of arms', () => {
  const arm = (model: string, setting: string, text = '') => ({ model, setting, options: readOptions(text) })
  const namesOf = (arms: readonly ReturnType<typeof arm>[], columns = 80): string[] =>
    arms.map(makeArmNaming(arms).fit(columns))

  it('contain the model, setting and options only when arms differ in them', () => {
    expect(namesOf([arm('m', 'offline')])).toEqual(['offline'])
    expect(namesOf([arm('m', 'offline'), arm('m', 'rag')])).toEqual(['offline', 'rag'])
    expect(namesOf([arm('openai:a', 'rag'), arm('openai:b', 'rag')])).toEqual(['a', 'b'])
    expect(namesOf([arm('m', 'rag'), arm('m', 'rag', 'control=oracle')])).toEqual(['rag', 'control=oracle'])
    const models = [arm('openai:a', 'offline', 'cot=off'), arm('openai:b', 'rag', 'cot=off')]
    expect(namesOf(models)).toEqual(['a offline', 'b rag'])
  })

  it('leave out options that all arms of a setting share, which the heading names', () => {
    const arms = [arm('m', 'offline', 'cot=off'), arm('m', 'rag', 'cot=off,retriever=hybrid')]
    expect(makeArmNaming(arms).shared).toEqual(['cot=off', 'rag with retriever=hybrid'])
    expect(namesOf(arms)).toEqual(['offline', 'rag'])
  })

  it('fit into few columns and stay distinct', () => {
    const long = 'x'.repeat(60)
    const names = ['start-1', 'start-2'].map(start => `${start}${long}`)
    const ends = ['end-1', 'end-2'].map(end => `${long}${end}`)
    const middles = ['-1-', '-2-', '-3-'].map(middle => `${long}${middle}${long}`)
    const wide = ['通义千问', '通义千文'].map(name => `${name.repeat(12)}模型`)
    const models = [...names, ...ends, ...middles, ...wide, '😀'.repeat(40), 'e\u0301'.repeat(40)]
    const arms = models.flatMap(model => [
      arm(`openai:${model}`, 'offline'),
      arm(`openai:${model}`, 'online', 'cot=off,context-policy=summarise'),
      arm(`openai:${model}`, 'online', 'cot=off,context-policy=shorten'),
    ])
    for (const columns of [14, 20, 34]) {
      const fitted = namesOf(arms, columns)
      expect(new Set(fitted).size).toBe(arms.length)
      expect(Math.max(...fitted.map(displayWidth))).toBeLessThanOrEqual(columns)
    }
  })

  it('lose "agent=" before models and agents are cut', () => {
    const arms = ['extractive', 'scripted:script.jsonl'].flatMap(model => [
      arm(model, 'online'),
      arm(model, 'online', 'agent=my_agent'),
    ])
    expect(namesOf(arms)[1]).toBe('extractive agent=my_agent')
    expect(namesOf(arms, 20).slice(0, 2)).toEqual(['extractive', 'extractive my_agent'])
    expect(namesOf(arms, 20)[3]).toMatch(/^scrip.*…\S+ my_agent$/)
  })

  it('are cut in the middle', () => {
    const [cut] = fitNames(['Qwen2.5-Coder-1.5B-Instruct'], 15).values()
    expect(cut).toBe('Qwen2.5…nstruct')
  })
})
