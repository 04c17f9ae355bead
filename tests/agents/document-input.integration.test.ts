import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completion, type Play } from '../models/openai-server.ts'
import { smallPdf } from '../retrieval/small-pdf.ts'
import { document, table } from './harness.ts'
import { attempt, fails, ok } from './server-attempt.ts'

let folder = ''
const pdf = smallPdf([[{ x: 72, y: 700, text: 'Revenue 1,234' }]])
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-pdf-'))
  await writeFile(join(folder, 'a.pdf'), pdf)
  await writeFile(join(folder, 'b.html'), '<p>Revenue 99</p>')
})
afterAll(() => rm(folder, { recursive: true }))

const setup = (documentInput: string) => ({
  name: 'offline',
  settingOptions: { documentInput },
  documents: async () => [
    { ...document('a.pdf', 'Revenue 1,234'), pages: 3 },
    document('b.html', 'Revenue 99'),
  ],
  documentFile: async (hint: string) => join(folder, hint),
})
const answers: Play = (_request, response) => ok(response, completion({ content: table }))

describe('--document-input pdf', () => {
  it('sends the bytes of each PDF, and other documents as text', async () => {
    const { seen, context, termination } = await attempt(answers, setup('pdf'))
    const [, user] = seen[0]!.body.messages as { content: { type: string; text?: string; file?: never }[] }[]
    const [file, text] = user!.content
    expect(file).toEqual({
      type: 'file',
      file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf.toString('base64')}` },
    })
    expect(text!.text).toContain('Revenue 99')
    expect(text!.text).toContain('attached as a PDF file')
    expect(text!.text).not.toContain('Revenue 1,234')
    expect(context?.documents.map(({ hint }) => hint)).toEqual(['a.pdf', 'b.html'])
    expect(termination.reason).toBe('answered')
  })

  it('reserves tokens for the pages of a PDF', async () => {
    const reserved = async (input: string) =>
      (await attempt(answers, setup(input))).of('model-called')[0]!.reservedTokens
    expect((await reserved('pdf')) - (await reserved('text'))).toBeGreaterThan(3 * 1_600)
  })

  it.each([
    'A maximum of 100 PDF pages may be provided.',
    'The document has 1200 pages, which exceeds the limit.',
  ])('counts the refusal "%s" as a document that is too long, after one request', async words => {
    const { seen, termination } = await attempt(fails(400, words), setup('pdf'))
    expect(seen).toHaveLength(1)
    expect(termination).toMatchObject({ cause: 'budget', reason: 'context-window' })
    expect(termination.detail).toContain('pages')
  })

  it('reports a refused file with the words of the server', async () => {
    const { termination } = await attempt(
      fails(400, 'Invalid file data: file type not accepted'),
      setup('pdf'),
    )
    expect(termination).toMatchObject({ cause: 'provider', reason: 'bad-response' })
    expect(termination.detail).toContain('file type not accepted')
  })
})
