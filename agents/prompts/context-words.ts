import type { PromptLanguage } from '../../src/core/language.ts'

/** What the prompt of the agent says about its context policy, one text for each policy. */
export interface ContextWords {
  readonly shorten: string
  readonly keepLast: (count: number) => string
  readonly summarise: string
  readonly finalAnswer: (percent: number) => string
}

const noteInEnglish =
  'Note figures as you read: in the turn after a result, write down each value that the answer needs and the document it comes from. Your own turns are never shortened.'
const noteInChinese =
  '边读边记：读到答案需要的数值时，立即在下一轮中连同文档名一起写下。你自己写的内容不会被缩短。'

/** The words by language. */
export const contextWords: Readonly<Record<PromptLanguage, ContextWords>> = {
  en: {
    shorten: `When the conversation becomes too long, earlier tool results are shortened to their first lines. To read a result again, make the same call again. ${noteInEnglish}`,
    keepLast: count =>
      `Only the last ${count} tool results stay in the conversation. Earlier ones are removed. To read a result again, make the same call again. ${noteInEnglish}`,
    summarise:
      'When the conversation becomes too long, you are asked to write a state note. It replaces all turns except the latest one. Note figures as you read: in the turn after a result, write down each value that the answer needs and the document it comes from.',
    finalAnswer: percent =>
      `Nothing is removed from the conversation. When it fills ${percent}% of your context window, you must answer without further calls. Read only what you need. ${noteInEnglish}`,
  },
  zh: {
    shorten: `对话过长时，较早的工具结果会缩短为开头几行。需要再读时，请再次做同样的调用。${noteInChinese}`,
    keepLast: count =>
      `对话中只保留最近 ${count} 个工具结果，更早的会被移除。需要再读时，请再次做同样的调用。${noteInChinese}`,
    summarise:
      '对话过长时，会请你写一份进度笔记，用它代替最近一轮以前的全部内容。边读边记：读到答案需要的数值时，立即在下一轮中连同文档名一起写下。',
    finalAnswer: percent =>
      `对话内容不会被移除。对话占满上下文窗口的 ${percent}% 时，必须直接作答，不能再调用工具，因此只读需要的内容。${noteInChinese}`,
  },
}
