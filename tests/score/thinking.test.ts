import { describe, expect, it } from 'vitest'
import { parseAnswer } from '../../src/score/answer/parse-answer.ts'
import { splitThinking } from '../../src/text/thinking.ts'

const draft = 'First try:\n```csv\nHotel,Beds\nAlder,99\n```\nNo, that is wrong.'
const answer = 'Hotel,Beds\nAlder,12\nBirch,30'

/** The forms of models in use: what stands before the reasoning, and between it and the answer. */
const forms: Readonly<Record<string, readonly [string, string]>> = {
  'Qwen and DeepSeek': ['<think>\n', '\n</think>\n'],
  'a prompt for Claude': ['<thinking>\n', '\n</thinking>\n'],
  EXAONE: ['<thought>\n', '\n</thought>\n'],
  'an upper-case tag': ['<THINK>', '</THINK>\n\n'],
  'a tag with an attribute': ['<think type="draft">', '</think>'],
  reasoning: ['<reasoning>\n', '\n</reasoning>\n'],
  Magistral: ['[THINK]', '[/THINK]'],
  Kimi: ['◁think▷', '◁/think▷'],
  Seed: ['<seed:think>', '</seed:think>'],
  LongCat: ['<longcat_think>', '</longcat_think>'],
  'Command A': ['<|START_THINKING|>', '<|END_THINKING|><|START_RESPONSE|>'],
  'Sky-T1': ['<|begin_of_thought|>\n', '\n<|end_of_thought|>\n\n<|begin_of_solution|>\n'],
  'Gemma 4': ['<|channel>thought\n', '<channel|>'],
  Apertus: ['<|inner_prefix|>', '<|inner_suffix|>'],
  'Open WebUI': ['<details type="reasoning" done="true">\n', '\n</details>\n'],
  'Granite 3': ['Here is my thought process:\n', '\nHere is my response:\n'],
  'gpt-oss': ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  'gpt-oss without its first token': [
    'analysis<|message|>',
    '<|end|><|start|>assistant<|channel|>final<|message|>',
  ],
  'gpt-oss with two thoughts': [
    '<|channel|>analysis<|message|>One more look.<|end|><|start|>assistant<|channel|>commentary<|message|>',
    '<|end|><|start|>assistant<|channel|>final <|constrain|>csv<|message|>',
  ],
  'gpt-oss without tokens': ['analysis', 'assistantfinal'],
  Gemini: ['<ctrl94>thought\n', '<ctrl95>'],
  'a prompt for Claude in its own tag': ['<antThinking>', '</antThinking>\n'],
  'Solar Open': ['<|think|>', '<|end|><|begin|>assistant<|content|>'],
  'tokens in the style of DeepSeek': ['<｜begin▁of▁thinking｜>', '<｜end▁of▁thinking｜>'],
  'tokens with an ending': ['<|think_start|>', '<|think_end|>'],
  'a chain of thought': ['<chain-of-thought>\n', '\n</chain-of-thought>\n'],
  'an inner monologue': ['<internal_monologue>', '</internal_monologue>'],
  'a scratch pad': ['<scratch_pad>\n', '\n</scratch_pad>\n'],
  Chinese: ['<思考过程>\n', '\n</思考过程>\n'],
  'an analysis': ['<analysis>\n', '\n</analysis>\n'],
  'a reason': ['<reason>\n', '\n</reason>\n'],
  'a template that opened it': ['', '\n</think>\n\n'],
  'a template that opened it, on one line': ['', '[/THINK]'],
}

/** Marks that answers may contain as words, so that a beginning without an end says nothing. */
const onlyInPairs = /^Here is|^<(?:analysis|reason)>/

describe('fenced blocks', () => {
  it('are found with each kind of line end', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = [
        'First:',
        '```csv',
        'a,b',
        '8,```x```',
        '```',
        'Then:',
        '````csv',
        'a,b',
        '1,```',
        '````',
        'Done.',
      ]
      const answer = parseAnswer(lines.join(end))
      expect(answer).toMatchObject({ status: 'table', header: ['a', 'b'], rows: [['1', '```']] })
    }
  })
})

describe('reasoning before an answer', () => {
  it.each(Object.entries(forms))('is removed: %s', (_, [open, close]) => {
    expect(splitThinking(`${open}${draft}${close}${answer}`).text).toBe(answer)
    expect(splitThinking(`${open}${draft}${close}${answer}`).thought).toContain('Alder,99')
    const fenced = parseAnswer(`${open}${draft}${close}\`\`\`csv\n${answer}\n\`\`\`\n`)
    expect(fenced).toMatchObject({
      status: 'table',
      rows: [
        ['Alder', '12'],
        ['Birch', '30'],
      ],
    })
  })

  it.each(Object.entries(forms).filter(([, [open]]) => open !== '' && !onlyInPairs.test(open)))(
    'is all there is when it is cut: %s',
    (_, [open]) => {
      expect(splitThinking(`${open}${draft}`)).toEqual({
        text: '',
        thought: expect.stringContaining('Alder,99'),
      })
      expect(parseAnswer(`${open}${draft}`).status).toBe('none')
    },
  )

  it.each(['</think>', '[/THINK]', '◁/think▷', '</reasoning>', '<|END_THINKING|>'])(
    'is not what stands before a last mark that closes nothing: %s',
    mark => {
      expect(splitThinking(`\`\`\`csv\n${answer}\n\`\`\`\n${mark}\n`).text).toBe(
        `\`\`\`csv\n${answer}\n\`\`\``,
      )
    },
  )

  it('may stand in several places, and quote its own marks', () => {
    const twice = `<think>one</think>\nHere:\n<think>two</think>\n${answer}`
    expect(splitThinking(twice).text).toBe(`Here:\n\n${answer}`)
    expect(
      splitThinking(`<think>I close with "</think>" or \`</think>\`, not yet.</think>${answer}`).text,
    ).toBe(answer)
    expect(splitThinking(`<think>It says <think> again.</think>${answer}`).text).toBe(answer)
    expect(splitThinking(`draft\n</think>\nsecond draft\n</think>\n${answer}`).text).toBe(answer)
    expect(splitThinking(`<think>Cut:\n\`\`\`csv\nHotel,Beds\nAlder,9\n</think>\n${answer}`).text).toBe(
      answer,
    )
  })

  it.each([
    'tag,use\n<think>,opens\n</think>,closes',
    '| tag | use |\n|---|---|\n|<think>|opens|\n|</think>|closes|',
    'Write `<think>` before and `</think>` after it.',
    '```csv\ntag,use\n<think>,opens\n[THINK],opens\n```',
    '```json\n{"mark": "<think>", "end": "</think>"}\n```',
    'The prompt of the paper has <think> in its first line.',
    'analysisDate,beds\n2024-01-02,4',
    'analysis, final\n1, 2',
    'channel,reasoning\nweb,yes',
    '<ponder>An unknown mark.</ponder>\na,b\n1,2',
    'a,b\n1,2\n\n<details><summary>Sources</summary>Two pages.</details>\n\nDone.',
    'Here is my thought process: I counted.\n\n```csv\na,b\n1,2\n```',
    'a,b\n1,2\n\nHere is my response: the table above.',
    'The template writes </think> before the answer, so nothing precedes it.',
  ])('is not what a value says: %s', text => {
    expect(splitThinking(text)).toEqual({ text, thought: '' })
  })

  it('leaves calls of gpt-oss to their reader', () => {
    const call =
      '<|start|>assistant<|channel|>commentary to=functions.web_search <|constrain|>json<|message|>{"query":"x"}<|call|>'
    const first =
      '<|start|>assistant to=functions.web_search<|channel|>commentary json<|message|>{"query":"x"}<|call|>'
    const bare = 'assistantcommentary to=functions.web_search json{"query":"x"}'
    for (const text of [call, first])
      expect(splitThinking(`<|channel|>analysis<|message|>I search.<|end|>${text}`)).toEqual({
        text,
        thought: 'I search.',
      })
    expect(splitThinking(`analysisI search.${bare}`)).toEqual({ text: bare, thought: 'I search.' })
  })

  it.each([
    '<think>',
    '</think>',
    '[THINK]x[/THINK]',
    '<|channel|>analysis<|message|>',
    '<|channel|>',
    'analysis',
    '```\n',
    '```csv\na```\n',
    '`````\n````\n',
    '<think>\n```csv\n',
  ])(
    // In quadratic time, this takes minutes.
    'is separated in linear time: %s',
    part => {
      expect(parseAnswer(part.repeat(60_000))).toHaveProperty('status')
    },
  )
})
