/** A call, as the tests expect it. */
export interface Expected {
  readonly name: string
  readonly args: Record<string, unknown>
}

/** The tools that the written calls name. */
export const tools = [
  {
    name: 'web_search',
    schema: {
      type: 'object',
      properties: {
        queries: { type: 'array', items: { type: 'string' } },
        page: { type: 'integer' },
        language: { type: 'string' },
        exact: { type: 'boolean' },
      },
    },
  },
  {
    name: 'fetch_page',
    schema: {
      type: 'object',
      properties: { url: { type: 'string' }, part: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
    },
  },
]

type Writer = (calls: readonly Expected[]) => string

const json = (value: unknown): string => JSON.stringify(value)
const object = ({ name, args }: Expected, member = 'arguments'): string => json({ name, [member]: args })
const plain = (value: unknown): string => (typeof value === 'string' ? value : json(value))
const each =
  (write: (call: Expected, index: number) => string, between = '\n'): Writer =>
  calls =>
    calls.map(write).join(between)
const around =
  (before: string, after: string, inner: Writer): Writer =>
  calls =>
    `${before}${inner(calls)}${after}`
const tags = (
  args: Record<string, unknown>,
  write: (key: string, value: unknown) => string,
  between = '\n',
): string =>
  Object.entries(args)
    .map(([key, value]) => write(key, value))
    .join(between)

const invoke = (mark: string, string = false): Writer =>
  each(
    ({ name, args }) =>
      `<${mark}invoke name="${name}">\n${tags(
        args,
        (key, value) =>
          `<${mark}parameter name="${key}"${string ? ` string="${typeof value === 'string'}"` : ''}>${plain(value)}</${mark}parameter>`,
      )}\n</${mark}invoke>`,
  )
const qwen: Writer = each(
  ({ name, args }) =>
    `<function=${name}>\n${tags(args, (key, value) => `<parameter=${key}>\n${plain(value)}\n</parameter>`)}\n</function>`,
)

function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (value === true || value === false) return value ? 'True' : 'False'
  return value === null ? 'None' : json(value)
}
const pythonCall = ({ name, args }: Expected): string =>
  `${name}(${tags(args, (key, value) => `${key}=${python(value)}`, ', ')})`

function gemma(value: unknown, quote: string): string {
  if (typeof value === 'string') return `${quote}${value}${quote}`
  return Array.isArray(value) ? `[${value.map(item => gemma(item, quote)).join(',')}]` : json(value)
}
const gemmaCall =
  (open: string, close: string, quote: string) =>
  ({ name, args }: Expected): string =>
    `${open}call:${name}{${tags(args, (key, value) => `${key}:${gemma(value, quote)}`, ',')}}${close}`

/** Writes calls in a form, with the name that records give the form. */
export const writers: readonly (readonly [title: string, form: string, write: Writer])[] = [
  ['Hermes', 'hermes', each(call => `<tool_call>\n${object(call)}\n</tool_call>`)],
  [
    'Nemotron',
    'hermes',
    around(
      '<TOOLCALL>[',
      ']</TOOLCALL>',
      each(call => object(call), ', '),
    ),
  ],
  [
    'Hunyuan',
    'hermes',
    around(
      '<tool_calls>[',
      ']</tool_calls>',
      each(call => object(call), ', '),
    ),
  ],
  [
    'MiniMax M1',
    'hermes',
    around(
      '<tool_calls>\n',
      '\n</tool_calls>',
      each(call => object(call)),
    ),
  ],
  ['LongCat', 'hermes', each(call => `<longcat_tool_call>${object(call)}</longcat_tool_call>`)],
  ['OLMo 3', 'hermes', around('<function_calls>\n', '\n</function_calls>', each(pythonCall))],
  ['Qwen Coder', 'qwen-coder', around('<tool_call>\n', '\n</tool_call>', qwen)],
  ['Qwen Coder without the outer mark', 'qwen-coder', qwen],
  ['Seed', 'qwen-coder', around('<seed:tool_call>\n', '\n</seed:tool_call>', qwen)],
  [
    'Llama 3.1 functions',
    'qwen-coder',
    each(({ name, args }) => `<function=${name}>${json(args)}</function>`),
  ],
  [
    'GLM',
    'glm',
    each(
      ({ name, args }) =>
        `<tool_call>${name}\n${tags(args, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${plain(value)}</arg_value>`)}\n</tool_call>`,
    ),
  ],
  [
    'Kimi K2',
    'kimi',
    around(
      '<|tool_calls_section_begin|>',
      '<|tool_calls_section_end|>',
      each(
        ({ name, args }, index) =>
          `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${json(args)}<|tool_call_end|>`,
        '',
      ),
    ),
  ],
  [
    'Kimi K3',
    'kimi-k3',
    around(
      '<|open|>tools<|sep|>',
      '<|close|>tools<|sep|><|close|>message<|sep|>',
      each(
        ({ name, args }, index) =>
          `<|open|>call tool="${name}" index="${index + 1}"<|sep|>${tags(args, (key, value) => `<|open|>argument key="${key}" type="${typeof value}"<|sep|>${plain(value)}<|close|>argument<|sep|>`, '')}<|close|>call<|sep|>`,
        '',
      ),
    ),
  ],
  [
    'DeepSeek V3',
    'deepseek',
    around(
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁calls▁end｜>',
      each(
        ({ name, args }) =>
          `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(args)}\n\`\`\`<｜tool▁call▁end｜>`,
      ),
    ),
  ],
  [
    'DeepSeek V3.1',
    'deepseek',
    around(
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁calls▁end｜>',
      each(
        ({ name, args }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json(args)}<｜tool▁call▁end｜>`,
        '',
      ),
    ),
  ],
  [
    'DeepSeek V3.2',
    'deepseek-v3.2',
    around('<｜DSML｜function_calls>\n', '\n</｜DSML｜function_calls>', invoke('｜DSML｜', true)),
  ],
  [
    'DeepSeek V3.2 with objects',
    'deepseek-v3.2',
    around(
      '<｜DSML｜function_calls>\n',
      '\n</｜DSML｜function_calls>',
      each(({ name, args }) => `<｜DSML｜invoke name="${name}">\n${json(args)}\n</｜DSML｜invoke>`),
    ),
  ],
  ['MiniMax M2', 'invoke', around('<minimax:tool_call>\n', '\n</minimax:tool_call>', invoke(''))],
  ['Claude', 'invoke', around('<function_calls>\n', '\n</function_calls>', invoke(''))],
  [
    'Step 3',
    'invoke',
    around('<｜tool_calls_begin｜>', '<｜tool_calls_end｜>', calls =>
      calls
        .map(
          call =>
            `<｜tool_call_begin｜>function<｜tool_sep｜>${invoke('steptml:')([call])}<｜tool_call_end｜>`,
        )
        .join(''),
    ),
  ],
  [
    'Mistral, a list',
    'mistral',
    around(
      '[TOOL_CALLS] [',
      ']',
      each(call => object(call), ', '),
    ),
  ],
  ['Mistral, names', 'mistral', each(({ name, args }) => `[TOOL_CALLS]${name}${json(args)}`, '')],
  [
    'Mistral, ids',
    'mistral',
    each(({ name, args }, index) => `[TOOL_CALLS]${name}[CALL_ID]a1B2c3D4${index}[ARGS]${json(args)}`, ''),
  ],
  [
    'Llama 3',
    'llama',
    around(
      '<|python_tag|>',
      '',
      each(call => object(call, 'parameters'), '; '),
    ),
  ],
  ['Llama 4', 'llama', around('<|python_start|>[', ']<|python_end|>', each(pythonCall, ', '))],
  [
    'harmony',
    'harmony',
    each(
      ({ name, args }) =>
        `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json(args)}<|call|>`,
      '<|start|>assistant',
    ),
  ],
  [
    'harmony, the recipient first',
    'harmony',
    each(
      ({ name, args }) =>
        `<|start|>assistant to=functions.${name}<|channel|>commentary json<|message|>${json(args)}<|call|>`,
      '',
    ),
  ],
  [
    'harmony without special tokens',
    'harmony',
    each(({ name, args }) => `assistantcommentary to=functions.${name} json${json(args)}`, '\n'),
  ],
  ['Gemma code', 'gemma', around('```tool_code\n', '\n```', each(pythonCall))],
  [
    'Gemma code, printed',
    'gemma',
    around(
      '```tool_code\n',
      '\n```',
      each(call => `print(default_api.${pythonCall(call)})`),
    ),
  ],
  ['FunctionGemma', 'gemma', each(gemmaCall('<start_function_call>', '<end_function_call>', '<escape>'), '')],
  ['Gemma 4', 'gemma', each(gemmaCall('<|tool_call>', '<tool_call|>', '<|"|>'), '')],
  ['LFM2', 'lfm2', around('<|tool_call_start|>[', ']<|tool_call_end|>', each(pythonCall, ', '))],
  [
    'Granite',
    'granite',
    around(
      '<|tool_call|>[',
      ']',
      each(call => object(call), ', '),
    ),
  ],
  [
    'Phi',
    'phi',
    around(
      'functools[',
      ']',
      each(call => object(call), ', '),
    ),
  ],
  [
    'InternLM',
    'internlm',
    each(call => `<|action_start|><|plugin|>\n${object(call, 'parameters')}\n<|action_end|>`),
  ],
  [
    'Apertus',
    'apertus',
    around(
      '<|tools_prefix|>[',
      ']<|tools_suffix|>',
      each(({ name, args }) => json({ [name]: args }), ', '),
    ),
  ],
  [
    'Cohere',
    'cohere',
    around(
      '<|START_ACTION|>[',
      ']<|END_ACTION|>',
      each(
        ({ name, args }, index) => json({ tool_call_id: String(index), tool_name: name, parameters: args }),
        ', ',
      ),
    ),
  ],
  ['LM Studio', 'lm-studio', each(call => `[TOOL_REQUEST]${object(call)}[END_TOOL_REQUEST]`)],
  ['ReAct', 'react', each(({ name, args }) => `Action: ${name}\nAction Input: ${json(args)}`, '\n')],
  ['JSON', 'json', each(call => object(call))],
  [
    'JSON, a list',
    'json',
    around(
      '[\n',
      '\n]',
      each(call => `  ${object(call)}`, ',\n'),
    ),
  ],
  [
    'JSON in the form of OpenAI',
    'json',
    each(({ name, args }) => json({ type: 'function', function: { name, arguments: json(args) } })),
  ],
  [
    'JSON in a code block',
    'json',
    around(
      '```json\n',
      '\n```',
      each(call => object(call)),
    ),
  ],
  ['a Python list', 'python', around('[', ']', each(pythonCall, ', '))],
]
