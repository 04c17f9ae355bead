import type { PromptLanguage } from '../../src/core/language.ts'

/** The texts of the system prompt about optional tools that the agent has, and about standard tools that it lacks. */
export interface ToolWords {
  /** By the name of an optional tool. */
  readonly optional: Readonly<Record<string, string>>
  readonly missing: (names: string) => string
}

/** The words about tools by language. */
export const toolWords: Readonly<Record<PromptLanguage, ToolWords>> = {
  en: {
    optional: {
      calculate:
        'Use calculate for ratios, growth rates and differences between dates. Do not calculate them yourself.',
      scholar_search: 'Use scholar_search to find scientific papers.',
    },
    missing: names => `These tools are not available in this task: ${names}.`,
  },
  zh: {
    optional: {
      calculate: '比率、增长率和日期之差用 calculate 计算，不要自己计算。',
      scholar_search: '查找学术论文用 scholar_search。',
    },
    missing: names => `本任务不提供以下工具：${names}。`,
  },
}

/** The tools that the prompts name. */
const explained = ['web_search', 'fetch_page', 'read_pdf']

/** Returns what the system prompt adds about an agent's tools; null for nothing. */
export function toolNote(names: readonly string[], words: ToolWords): string | null {
  const missing = explained.filter(name => !names.includes(name))
  const lines = names.flatMap(name => words.optional[name] ?? [])
  if (missing.length > 0) lines.push(words.missing(missing.join(', ')))
  return lines.length === 0 ? null : lines.join('\n')
}
