import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loopNotes } from '../../agents/prompts/notes.ts'
import { ownPrompts } from '../../agents/prompts/own-prompts.ts'
import { promptsVersion } from '../../agents/prompts/words.ts'
import type { PromptMessages } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { packageRoot } from '../../src/system/paths.ts'

const question: Question = {
  taskId: 'hotels_coast_0_en',
  benchmark: 'aoe',
  domain: 'hotels',
  language: 'en',
  query: 'For each hotel give the town and the number of rooms.',
  documentNames: ['seaview.txt', 'mill.txt'],
  form: { kind: 'table' },
}
const schema = {
  type: 'object',
  properties: { hotel: { type: 'string' }, rooms: { type: ['integer', 'null'] } },
  required: ['hotel', 'rooms'],
}
const documents = [
  { name: 'seaview.txt', text: 'Seaview Hotel, Westmere. It has 128 rooms.' },
  { name: 'mill.txt', text: 'The Old Mill Inn in Carrick has 1,042 rooms.' },
]
const part = (title: string, about: string, { system, user }: PromptMessages): string =>
  [
    `## ${title}`,
    about,
    'System message:',
    `\`\`\`\`text\n${system}\n\`\`\`\``,
    'User message:',
    `\`\`\`\`text\n${user.trimEnd()}\n\`\`\`\``,
  ].join('\n\n')

const { context } = loopNotes.en
const withLoopNotes = ({ system, user }: PromptMessages): PromptMessages => ({
  system: [system, loopNotes.en.today('2026-11-23'), context.shorten].join('\n\n'),
  user,
})

it('docs/prompts-in-full.md prints the prompts as they are (write it again with `npx vitest run -u` and this file)', async () => {
  const prompts = ownPrompts()
  const only = documents.slice(0, 1)
  const json: Question = {
    ...question,
    query: 'Extract the hotel.',
    documentNames: ['seaview.txt'],
    form: { kind: 'json', schema },
  }
  const page = [
    `# The prompts in full, version ${promptsVersion}`,
    'A test generates this page. [prompts.md](prompts.md) explains the conventions.',
    part(
      'Offline, and RAG',
      'RAG puts the retrieved passages of each document where offline puts the whole document.',
      prompts.withDocuments(question, documents, true),
    ),
    part(
      'Online',
      'The date is that of the run, and the last paragraph of the system message is that of the [context policy](online-options.md). Without native tool calls the description of the tools follows it.',
      withLoopNotes(prompts.online(question, true)),
    ),
    [
      '## What the agent is told about its context policy',
      ...[context.shorten, context.keepLast(5), context.summarise, context.finalAnswer(86)].map(
        text => `\`\`\`\`text\n${text}\n\`\`\`\``,
      ),
      'The request for a state note (`summarise`):',
      `\`\`\`\`text\n${loopNotes.en.writeStateNote}\n\`\`\`\``,
    ].join('\n\n'),
    part(
      'Offline, with `--show-columns` and `--cot off`',
      'The record names the key column `Hotel`.',
      prompts.withDocuments(
        { ...question, form: { kind: 'table', keyColumns: ['Hotel'] } },
        documents,
        false,
      ),
    ),
    part(
      'JSON by a schema (extract-bench)',
      'Online, the system message explains the search as above.',
      prompts.withDocuments(json, only, true),
    ),
    part(
      'Chinese, offline',
      'A task with `"language": "zh"` gets this prompt.',
      prompts.withDocuments(
        {
          ...question,
          language: 'zh',
          query: '列出每家酒店的城镇和客房数。',
          documentNames: ['云湖酒店.txt'],
        },
        [{ name: '云湖酒店.txt', text: '云湖酒店位于东镇，客房216间。' }],
        true,
      ),
    ),
  ]
  await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot(join(packageRoot, 'docs/prompts-in-full.md'))
})
