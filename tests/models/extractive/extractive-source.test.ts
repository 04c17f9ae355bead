import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { describe, expect, it } from 'vitest'
import { z } from 'zod/v4'
import { readUsage } from '../../../src/models/message-usage.ts'
import { createModel } from '../../../src/models/registry.ts'

const options = { toolProtocol: 'auto', seed: 0, env: {} } as const
const attempt = { taskId: 't', setting: 'online', trial: 0, seed: 0 }
const { signal } = new AbortController()

async function model() {
  return (await createModel('extractive', options)).forAttempt(attempt)
}

const prompt = (query: string, names: readonly string[], contents: string) =>
  `# Question\n${query}\n\n# Documents\n${names.map(name => `- ${name}`).join('\n')}\n${contents}`

const income = (revenue: string) =>
  `Consolidated income statement\nUnit: CNY million\nItem\t2023\t2022\nRevenue\t${revenue}\t1,000.0\nNet profit\t(12.5)\t10.0`

describe('extractive on documents of an unknown kind', () => {
  it('names only the tasks with such documents in its closing notice', async () => {
    const source = await createModel('extractive', options)
    const ask = async (taskId: string, query: string, text: string) => {
      const asked = prompt(query, ['a.pdf'], `\n# Contents\n<document name="a.pdf">\n${text}\n</document>\n`)
      const told = { tools: [], maxOutputTokens: null, signal }
      await source.forAttempt({ ...attempt, taskId }).call([new HumanMessage(asked)], told)
    }
    await ask('profit', 'Assess the profitability of these companies.', income('1,250.5'))
    expect(source.closingNotice?.()).toBeNull()
    await ask('hospitals', 'How many beds does each hospital have?', 'St. Mary Hospital\nBeds: 120')
    expect(source.closingNotice?.()).toMatch(/has no rules .* for 1 of 2 tasks \(hospitals\)/)
  })
})

describe('extractive with the documents in the prompt', () => {
  it('answers with a schema and one csv with a row for each document, unreadable documents included', async () => {
    const contents = `\n# Contents\n<document name="a-2023.pdf">\n${income('1,250.5')}\n</document>\n\n<document name="b-2023.pdf" problem="scanned">\n</document>\n`
    const text = prompt(
      'Assess the profitability of these companies.',
      ['a-2023.pdf', 'b-2023.pdf'],
      contents,
    )
    const answer = await (await model()).call([new SystemMessage('s'), new HumanMessage(text)], {
      tools: [],
      maxOutputTokens: null,
      signal,
    })
    const [header = '', first = '', second = ''] = /```csv\n([\s\S]*?)\n```/
      .exec(answer.text)![1]!
      .split('\n')
    expect(answer.text.indexOf('<schema>')).toBeLessThan(answer.text.indexOf('```csv'))
    expect(header.startsWith('Filename,Reporting Period,Revenue (CNY),Revenue Growth Rate (%)')).toBe(true)
    expect(first.startsWith('a-2023.pdf,2023,"1,250,500,000",25.05,"-12,500,000"')).toBe(true)
    expect(second.startsWith('b-2023.pdf,2023,null,null')).toBe(true)
    expect(readUsage(answer)?.input_tokens).toBeGreaterThan(50)
  })

  it('reads Chinese headings and answers with Chinese columns', async () => {
    const text =
      '# 问题\n请分析下列公司的盈利能力。\n\n# 文档\n- 甲公司2023年年度报告.pdf\n\n# 内容\n<document name="甲公司2023年年度报告.pdf">\n合并利润表\n单位：万元\n项目\t2023年度\t2022年度\n一、营业收入\t1,234.5\t1,000.0\n</document>\n'
    const answer = await (await model()).call([new HumanMessage(text)], {
      tools: [],
      maxOutputTokens: null,
      signal,
    })
    expect(answer.text).toContain('文档名称,报表所属期,营业收入(元),营业收入增长率(%)')
    expect(answer.text).toContain('甲公司2023年年度报告.pdf,2023,"12,345,000",23.45')
  })

  it('answers unknown to a question that asks for a text, when no rule finds anything', async () => {
    const contents = '\n# Contents\n<document name="a.json">\n{"id": "n", "Z": "m"}\n</document>\n'
    const closing = '\n# Answer\nThen write only the answer between <answer> and </answer>.\n'
    const ask = async (text: string): Promise<string> => {
      const told = { tools: [], maxOutputTokens: null, signal }
      return (await (await model()).call([new HumanMessage(text)], told)).text
    }
    const text = prompt('Which object has the id n?', ['a.json'], contents)
    expect(await ask(text + closing)).toBe('<answer>unknown</answer>')
    expect(await ask(text)).toContain('```csv')
  })

  it('returns the same answer for the same messages', async () => {
    const text = prompt(
      'Assess these companies.',
      ['a.pdf'],
      `\n# Contents\n<document name="a.pdf">\n${income('9')}\n</document>\n`,
    )
    const once = async () =>
      (await (await model()).call([new HumanMessage(text)], { tools: [], maxOutputTokens: null, signal }))
        .text
    expect(await once()).toBe(await once())
  })
})

interface WebPage {
  readonly title: string
  /** Null when the page cannot be opened. */
  readonly text: string | null
}

const noop = async () => ''
const tools = [
  tool(noop, { name: 'web_search', description: 's', schema: z.object({ queries: z.array(z.string()) }) }),
  tool(noop, { name: 'fetch_page', description: 'f', schema: z.object({ url: z.string() }) }),
  tool(noop, { name: 'read_pdf', description: 'r', schema: z.object({ url: z.string() }) }),
]

/** Plays the tools over a few pages until the model answers. PDFs show one page in each call. */
async function browse(text: string, hits: readonly string[], web: Readonly<Record<string, WebPage>>) {
  const handle = await model()
  const messages: BaseMessage[] = [new SystemMessage('s'), new HumanMessage(text)]
  const asked: string[] = []
  const show = (name: string, args: Record<string, unknown>): string => {
    const url = String(args.url ?? '')
    asked.push(name === 'web_search' ? String(args.queries) : `${url} ${String(args.pages ?? '')}`.trim())
    if (name === 'web_search') {
      const lines = hits.map((hit, index) => `${index + 1}. ${web[hit]!.title}\n   URL: ${hit}\n   …`)
      return `Results for "q":\n${lines.join('\n')}`
    }
    const page = web[url]
    if (page === undefined || page.text === null) return 'Error (http-status): HTTP 404'
    if (name === 'fetch_page') return `URL: ${url}\nTitle: ${page.title}\nPart 1 of 1\n\n${page.text}`
    const pages = page.text.split('\f')
    const first = Number(/^\d+/.exec(String(args.pages ?? '1'))![0])
    return `URL: ${url}\nPages ${first}-${first} of ${pages.length}\n\n--- page ${first} ---\n${pages[first - 1]}`
  }
  for (let turn = 0; turn < 20; turn++) {
    const answer = await handle.call(messages, { tools, maxOutputTokens: null, signal })
    const calls = answer.tool_calls ?? []
    messages.push(new AIMessage({ content: answer.text, tool_calls: calls }))
    for (const call of calls)
      messages.push(new ToolMessage({ content: show(call.name, call.args), tool_call_id: call.id ?? '' }))
    if (calls.length === 0) return { answer: answer.text, asked }
  }
  throw new Error('it never answered')
}

const report = (year: number, revenue: string) =>
  `Kestrel Harbour Ltd\nAnnual report ${year}\nfiscal ${year}\f${income(revenue)
    .replaceAll('2023', String(year))
    .replaceAll('2022', String(year - 1))}`
const words = 'kestrel harbour annual report 2023'
const question = prompt(
  'Assess the profitability of these companies.',
  ['kestrel-harbour-annual-report-2023.pdf'],
  '',
)

describe('extractive on the web', () => {
  const twin = { title: 'Kestrel Harbour Annual report 2022', text: report(2022, '800.0') }
  const real = { title: 'Kestrel Harbour', text: report(2023, '1,250.0') }

  it('searches for the words of the name, follows a landing page and reads the whole document', async () => {
    const web = {
      'https://ir.example/f/1': {
        title: 'Kestrel Harbour',
        text: 'Download: kestrel-harbour-annual-report-2023.pdf [1] (9 KB)\n\nLinks:\n[1] https://ir.example/f/1.pdf',
      },
      'https://ir.example/f/1.pdf': real,
    }
    const { answer, asked } = await browse(question, ['https://ir.example/f/1'], web)
    expect(asked).toEqual([
      'kestrel harbour annual report 2023',
      'https://ir.example/f/1',
      'https://ir.example/f/1.pdf',
      'https://ir.example/f/1.pdf 2-2',
    ])
    expect(answer).toContain('"1,250,000,000"')
    expect(answer).toContain('kestrel-harbour-annual-report-2023.pdf: https://ir.example/f/1.pdf')
  })

  it('ignores a similar document of another year, by its title or its text', async () => {
    const web = { 'https://a.example/x.pdf': twin, 'https://a.example/y.pdf': real }
    for (const title of ['Kestrel Harbour Annual report 2022', 'Kestrel Harbour']) {
      const { answer } = await browse(question, Object.keys(web), {
        ...web,
        'https://a.example/x.pdf': { ...twin, title },
      })
      expect(answer).toContain('"1,250,000,000"')
      expect(answer).not.toContain('"800,000,000"')
    }
  })

  it('opens the next result when one cannot be opened', async () => {
    const web = {
      'https://a.example/gone.pdf': { title: 'Kestrel Harbour 2023', text: null },
      'https://a.example/y.pdf': real,
    }
    const { answer, asked } = await browse(question, Object.keys(web), web)
    expect(asked[1]).toBe('https://a.example/gone.pdf')
    expect(answer).toContain('"1,250,000,000"')
  })

  it('answers when no document was found', async () => {
    const { answer, asked } = await browse(question, [], {})
    expect(answer).toContain('kestrel-harbour-annual-report-2023.pdf: not found.')
    expect(answer).toContain('```csv')
    expect(new Set(asked).size).toBe(asked.length)
  })

  const orders: [string, BaseMessage[]][] = [
    ['', [new HumanMessage(question), new HumanMessage('Answer now. This is your last turn.')]],
    [' in the same message', [new HumanMessage(`${question}\n\nAnswer now. This is your last turn.`)]],
    [' in Chinese', [new HumanMessage(question), new HumanMessage('…\n\n请立即作答：这是最后一轮。')]],
  ]
  for (const [how, messages] of orders) {
    it(`answers immediately when the prompt asks for the answer${how}`, async () => {
      const answer = await (await model()).call(messages, { tools, maxOutputTokens: null, signal })
      expect(answer.tool_calls).toEqual([])
      expect(answer.text).toContain('```csv\nFilename')
    })
  }

  it('answers immediately when no tool may be called', async () => {
    const options = { tools, toolChoice: 'none', maxOutputTokens: null, signal } as const
    const answer = await (await model()).call([new HumanMessage(question)], options)
    expect(answer.tool_calls).toEqual([])
    expect(answer.text).toContain('```csv\nFilename')
  })

  it('answers with the text it has when no searches or fetches are left', async () => {
    const hits = 'Results for "q":\n1. Kestrel Harbour\n   URL: https://a.example/y.pdf'
    const spent: [string, number][] = [
      ['Error (budget): no searches left', 0],
      [hits, 1],
    ]
    for (const [result, calls] of spent) {
      const messages = [
        new HumanMessage(question),
        new AIMessage({
          content: '',
          tool_calls: [{ id: 'c', name: 'web_search', args: { queries: [words] } }],
        }),
        new ToolMessage({ content: result, tool_call_id: 'c' }),
      ]
      const answer = await (await model()).call(messages, { tools, maxOutputTokens: null, signal })
      expect(answer.tool_calls?.length, result).toBe(calls)
    }
  })

  it('refuses the text tool protocol', async () => {
    const asked = createModel('extractive', { ...options, toolProtocol: 'text' })
    await expect(asked).rejects.toMatchObject({
      code: 'unsupported-tool-protocol',
      message: expect.stringContaining('--tool-protocol text'),
    })
  })
})
