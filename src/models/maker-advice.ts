import type { KeptReasoning } from '../core/model.ts'

/** What the maker of a model recommends. */
interface MakerAdvice {
  /** How long the model's reasoning is sent back to it. */
  readonly keptReasoning: KeptReasoning
  /** Null: no number is sent, and the server uses its default. The rule for all reasoning models. */
  readonly temperature: number | null
  /** The page that says so; null for the rule of unknown models. */
  readonly source: string | null
}

type AdviceRow = MakerAdvice & {
  /** Matches the bare name of the model in lower case, without the name of a router or an organisation. */
  readonly models: RegExp
}

const card = (name: string): string => `https://huggingface.co/${name}`

/**
 * The makers' recommendations, compared with stored copies of the makers' pages in November 2026. The first row that
 * matches a model counts. A row says `question` when the maker keeps reasoning between tool calls and drops it with the
 * next question of the user, and for models without reasoning. --keep-reasoning and --temperature replace the
 * recommendations.
 */
const rows: readonly AdviceRow[] = [
  {
    // Returned with tool calls, also after later questions. Ignored elsewhere.
    models: /^deepseek-(?:chat|reasoner|flash|pro|v(?:3\.[12]|[4-9]))/,
    keptReasoning: 'always',
    temperature: null,
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    // The page says that reasoning of earlier turns must be removed. It describes R1, which has no tool calls.
    models: /^deepseek-r1/,
    keptReasoning: 'never',
    temperature: null,
    source: 'https://api-docs.deepseek.com/guides/reasoning_model',
  },
  {
    models: /^minimax-m2/,
    keptReasoning: 'always',
    temperature: null,
    source: card('MiniMaxAI/MiniMax-M2'),
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
    models: /^kimi-k2(?:-thinking|\.7)/,
    keptReasoning: 'always',
    temperature: null,
    source: 'https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model',
  },
  {
    // By default, these models ignore the reasoning of earlier questions.
    models: /^kimi-k2\.[56]/,
    keptReasoning: 'question',
    temperature: null,
    source: 'https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model',
  },
  {
    models: /^gpt-oss/,
    keptReasoning: 'question',
    temperature: null,
    source: 'https://developers.openai.com/cookbook/articles/gpt-oss/handle-raw-cot',
  },
  {
    models: /^qwen3.*instruct-2507/,
    keptReasoning: 'question',
    temperature: 0.7,
    source: card('Qwen/Qwen3-235B-A22B-Instruct-2507'),
  },
  {
    // The page advises against reasoning of earlier questions.
    models: /^qwen3(?!-coder|.*instruct)/,
    keptReasoning: 'question',
    temperature: null,
    source: card('Qwen/Qwen3-235B-A22B'),
  },
  {
    models: /^qwen2\.5-\d.*instruct/,
    keptReasoning: 'question',
    temperature: 0.7,
    source: `${card('Qwen/Qwen2.5-7B-Instruct')}/blob/main/generation_config.json`,
  },
  {
    models: /^(?:meta-)?llama-3\.1-.*instruct/,
    keptReasoning: 'question',
    temperature: 0.6,
    source: `${card('meta-llama/Llama-3.1-8B-Instruct')}/blob/main/generation_config.json`,
  },
  {
    models: /^mistral-small-3\.[12]/,
    keptReasoning: 'question',
    temperature: 0.15,
    source: card('mistralai/Mistral-Small-3.2-24B-Instruct-2506'),
  },
  {
    models: /^mistral-nemo/,
    keptReasoning: 'question',
    temperature: 0.3,
    source: card('mistralai/Mistral-Nemo-Instruct-2407'),
  },
  {
    // Requests with tool results must contain the signed thinking blocks of the turn.
    models: /^claude-/,
    keptReasoning: 'question',
    temperature: null,
    source: 'https://platform.claude.com/docs/en/build-with-claude/thinking-tool-workflows',
  },
]

/** The rule for models without a row: the server's temperature, and reasoning is kept until the next question. */
const unknownModel: MakerAdvice = { keptReasoning: 'question', temperature: null, source: null }

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

/** OpenAI's reasoning models. They refuse `max_tokens`, a temperature and top_p, and take instructions as `developer`. */
export const openAiReasoningModel = /^(?:o\d|gpt-5(?!-chat))/
