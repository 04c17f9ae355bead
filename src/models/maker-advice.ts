import type { KeptReasoning } from '../core/model.ts'

/** What the maker of a model recommends. */
export interface MakerAdvice {
  /** How long the model's reasoning is sent back to it. */
  readonly keptReasoning: KeptReasoning
  /** Null: no number is sent, and the server uses its default. The rule for all reasoning models. */
  readonly temperature: number | null
  /** The page that says so, or for a row that is not confirmed the page to check; null for the rule of unknown models. */
  readonly source: string | null
}

type Row = MakerAdvice & {
  /** Matches the bare name of the model in lower case, without the name of a router or an organisation. */
  readonly models: RegExp
}

const card = (name: string): string => `https://huggingface.co/${name}`

/**
 * The makers' recommendations. The first row that matches a model counts. A row says `question` when the maker keeps
 * reasoning between tool calls and drops it with the next question of the user. These rows were compared with
 * stored copies of the makers' pages in November 2026: DeepSeek (reasoning and temperature), GLM and gpt-oss (reasoning),
 * and Kimi (temperature alone). Rows marked as not confirmed are to be checked
 * before a paper relies on them; --keep-reasoning and --temperature replace them.
 */
const rows: readonly Row[] = [
  {
    // Returned with tool calls, also after later questions. Ignored elsewhere.
    models: /^deepseek-(?:chat|reasoner|flash|pro|v(?:3\.[12]|[4-9]))/,
    keptReasoning: 'always',
    temperature: null,
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    // These models have no tool calls, and their template drops reasoning.
    models: /^deepseek-r1/,
    keptReasoning: 'never',
    temperature: null,
    // Not confirmed.
    source: card('deepseek-ai/DeepSeek-R1'),
  },
  {
    models: /^minimax-m/,
    keptReasoning: 'always',
    temperature: null,
    // Not confirmed.
    source: 'https://platform.minimax.io/docs/guides/text-m2-function-call',
  },
  {
    models: /^glm-(?:4\.[5-9]|[5-9])/,
    keptReasoning: 'question',
    temperature: null,
    source: 'https://docs.bigmodel.cn/cn/guide/capabilities/thinking-mode',
  },
  {
    models: /^kimi-k2.*instruct/,
    keptReasoning: 'question',
    temperature: 0.6,
    source: 'https://platform.kimi.ai/docs/api/models-overview',
  },
  {
    models: /^kimi-/,
    keptReasoning: 'always',
    temperature: null,
    // Not confirmed.
    source: 'https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model',
  },
  {
    models: /^gpt-oss/,
    keptReasoning: 'question',
    temperature: null,
    source: 'https://developers.openai.com/cookbook/articles/gpt-oss/handle-raw-cot',
  },
  {
    models: /^qwen3.*instruct|^qwen3-coder/,
    keptReasoning: 'question',
    temperature: 0.7,
    // Not confirmed.
    source: card('Qwen/Qwen3-235B-A22B-Instruct-2507'),
  },
  {
    models: /^(?:qwen3|qwq|tongyi-deepresearch)/,
    keptReasoning: 'question',
    temperature: null,
    // Not confirmed.
    source: card('Qwen/Qwen3-235B-A22B'),
  },
  {
    models: /^qwen2(?:\.5)?-.*instruct/,
    keptReasoning: 'question',
    temperature: 0.7,
    // Not confirmed.
    source: `${card('Qwen/Qwen2.5-7B-Instruct')}/blob/main/generation_config.json`,
  },
  {
    models: /^(?:meta-)?llama-3.*instruct/,
    keptReasoning: 'question',
    temperature: 0.6,
    // Not confirmed.
    source: `${card('meta-llama/Llama-3.1-8B-Instruct')}/blob/main/generation_config.json`,
  },
  {
    models: /^mistral-small-3/,
    keptReasoning: 'question',
    temperature: 0.15,
    // Not confirmed.
    source: card('mistralai/Mistral-Small-3.2-24B-Instruct-2506'),
  },
  {
    models: /^mistral-nemo/,
    keptReasoning: 'question',
    temperature: 0.3,
    // Not confirmed.
    source: card('mistralai/Mistral-Nemo-Instruct-2407'),
  },
  {
    // For structured extraction. The only maker here that recommends 0.
    models: /^nuextract/,
    keptReasoning: 'never',
    temperature: 0,
    // Not confirmed.
    source: card('numind/NuExtract-2.0-8B'),
  },
  {
    // Requests with tool results must contain the signed thinking blocks of the turn.
    models: /^claude-/,
    keptReasoning: 'question',
    temperature: null,
    // Not confirmed.
    source: 'https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
  },
]

/** The rule for models without a row: the server's temperature, and reasoning is kept until the next question. */
const unknownModel: MakerAdvice = {
  keptReasoning: 'question',
  temperature: null,
  source: null,
}

/**
 * Returns what the maker of a model recommends.
 *
 * @param name the name after the provider, also with the name of an organisation (`Qwen/Qwen3-8B`)
 */
export function makerAdvice(name: string): MakerAdvice {
  const bare = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
  const row = rows.find(({ models }) => models.test(bare))
  if (row === undefined) return unknownModel
  const { models: _models, ...advice } = row
  return advice
}
