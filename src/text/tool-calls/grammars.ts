/** How a model writes the content of a call after its opening mark. */
type CallBody =
  /** Objects with a name and arguments, lists of these, or calls in Python's syntax. */
  | 'calls'
  /** One object with the arguments. The mark names the tool. */
  | 'arguments'
  /** A tag for each parameter, or one object with the arguments. The mark names the tool. */
  | 'parameters'

/** One form in which models write tool calls. */
export interface CallGrammar {
  /** The name of the form in records and notices. */
  readonly name: string
  /** The mark before a call, as the source of a regular expression. The group `name` is the name of the tool. */
  readonly open: string
  readonly body: CallBody
  /** Further marks of the form, which contain nothing, as the source of a regular expression. */
  readonly around?: string
  /** A page or a program that defines the form. */
  readonly source: string
}

const name = '(?:functions\\.)?(?<name>[\\w./-]{1,128})'
const quotedName = '["\'](?<name>[\\w./-]{1,128})["\']'
const gap = '\\s{0,40}'
const sglang = (file: string): string =>
  `https://github.com/sgl-project/sglang/blob/main/python/sglang/srt/function_call/${file}`
const vllm = (parser: string): string =>
  `https://docs.vllm.ai/en/v0.18.2/api/vllm/tool_parsers/${parser}_tool_parser/`

/**
 * The forms in use, compared in November 2026 with the parsers of vLLM and SGLang and with model cards. At one place of a
 * text, the first form that matches counts, so marks with a name come before marks without one.
 */
export const callGrammars: readonly CallGrammar[] = [
  {
    name: 'glm',
    open: `<tool_call>${gap}${name}${gap}(?:<tool_sep>${gap})?(?=<arg_key>|</tool_call>)`,
    body: 'parameters',
    source: sglang('glm4_moe_detector.py'),
  },
  {
    // Llama 3.1 writes an object after the same mark.
    name: 'qwen-coder',
    open: `<function=["']?${name}["']?>`,
    body: 'parameters',
    around: '</function>|</?seed:tool_call>',
    source: sglang('qwen3_coder_detector.py'),
  },
  {
    name: 'deepseek-v3.2',
    open: `<${gap}[|｜]${gap}DSML${gap}[|｜]${gap}invoke\\s{1,40}name=${quotedName}${gap}>`,
    body: 'parameters',
    around: `<${gap}/?${gap}[|｜]${gap}DSML${gap}[|｜]${gap}(?:function_calls|tool_calls|invoke)${gap}>`,
    source: sglang('deepseekv32_detector.py'),
  },
  {
    // MiniMax, Claude and Step 3 write these tags with different tags around them.
    name: 'invoke',
    open: `<(?:[a-z]{1,20}:)?invoke\\s{1,40}name=${quotedName}${gap}>`,
    body: 'parameters',
    around:
      '</(?:[a-z]{1,20}:)?invoke>|</?minimax:tool_call>|<[|｜]tool_call_begin[|｜]>function<[|｜]tool_sep[|｜]>',
    source: sglang('minimax_m2.py'),
  },
  {
    name: 'kimi',
    open: `<\\|tool_call_begin\\|>${gap}${name}(?::\\d{1,9})?${gap}<\\|tool_call_argument_begin\\|>`,
    body: 'arguments',
    around: '<\\|tool_calls?_section_(?:begin|end)\\|>|<\\|tool_call_end\\|>',
    source: sglang('kimik2_detector.py'),
  },
  {
    name: 'kimi-k3',
    open: `<\\|open\\|>call\\s{1,40}tool=${quotedName}[^<>\\n]{0,80}<\\|sep\\|>`,
    body: 'parameters',
    around: '<\\|(?:open|close)\\|>(?:tools|call|message)<\\|sep\\|>',
    source: sglang('kimik3_format.py'),
  },
  {
    name: 'deepseek',
    open: `<[|｜]tool[▁_ ]call[▁_ ]begin[|｜]>${gap}(?:function<[|｜]tool[▁_ ]sep[|｜]>)?${name}${gap}(?:<[|｜]tool[▁_ ]sep[|｜]>)?${gap}(?=\`\`\`|\\{)`,
    body: 'arguments',
    around: '<[|｜]tool[▁_ ](?:calls[▁_ ](?:begin|end)|call[▁_ ]end)[|｜]>',
    source: sglang('deepseekv3_detector.py'),
  },
  {
    name: 'mistral',
    open: `\\[TOOL_CALLS\\]${gap}${name}(?:\\[CALL_ID\\][\\w-]{1,64})?(?:\\[ARGS\\])?${gap}(?=\\{)`,
    body: 'arguments',
    source: vllm('mistral'),
  },
  { name: 'mistral', open: '\\[TOOL_CALLS\\]', body: 'calls', source: vllm('mistral') },
  {
    name: 'harmony',
    open: `(?:<\\|start\\|>assistant${gap})?(?:<\\|channel\\|>${gap}\\w{1,20}${gap})?\\bto=${name}${gap}(?:<\\|channel\\|>${gap}\\w{1,20})?${gap}(?:<\\|constrain\\|>)?${gap}(?:json|code)?${gap}<\\|message\\|>`,
    body: 'arguments',
    around: `<\\|(?:call|start|end|return)\\|>(?:assistant\\b)?|<\\|channel\\|>(?:commentary|final)${gap}<\\|message\\|>`,
    source: 'https://developers.openai.com/cookbook/articles/openai-harmony',
  },
  {
    // Servers that drop special tokens leave the words between them.
    name: 'harmony',
    open: `(?:assistant)?(?:commentary|analysis)${gap}to=functions\\.(?<name>[\\w-]{1,128})${gap}(?:commentary)?${gap}(?:json|code)?${gap}(?=\\{)`,
    body: 'arguments',
    source: 'https://developers.openai.com/cookbook/articles/openai-harmony',
  },
  {
    name: 'gemma',
    open: `(?:<start_function_call>|<\\|tool_call>)${gap}call:${gap}(?<name>[\\w./-]{1,128})${gap}(?=\\{)`,
    body: 'arguments',
    around: '<end_function_call>|<tool_call\\|>|<start_function_response>',
    source: 'https://ai.google.dev/gemma/docs/functiongemma/formatting-and-best-practices',
  },
  {
    name: 'llama',
    open: '<\\|python_tag\\|>|<\\|python_start\\|>',
    body: 'calls',
    around: '<\\|python_end\\|>|<\\|eom_id\\|>',
    source: sglang('llama32_detector.py'),
  },
  {
    name: 'lfm2',
    open: '<\\|tool_call_start\\|>',
    body: 'calls',
    around: '<\\|tool_call_end\\|>',
    source: sglang('lfm2_detector.py'),
  },
  {
    name: 'lm-studio',
    open: '\\[TOOL_REQUEST\\]',
    body: 'calls',
    around: '\\[END_TOOL_REQUEST\\]',
    source: 'https://lmstudio.ai/docs/developer/openai-compat/tools',
  },
  { name: 'granite', open: '<\\|tool_calls?\\|>', body: 'calls', source: vllm('granite') },
  { name: 'phi', open: '\\bfunctools(?=\\[)', body: 'calls', source: vllm('phi4mini') },
  {
    name: 'internlm',
    open: `<\\|action_start\\|>${gap}<\\|plugin\\|>`,
    body: 'calls',
    around: '<\\|action_end\\|>',
    source: vllm('internlm2'),
  },
  {
    name: 'apertus',
    open: '<\\|tools_prefix\\|>',
    body: 'calls',
    around: '<\\|tools_suffix\\|>',
    source: sglang('apertus2509_detector.py'),
  },
  {
    name: 'cohere',
    open: '<\\|START_ACTION\\|>',
    body: 'calls',
    around: '<\\|END_ACTION\\|>',
    source: sglang('cohere_command4_detector.py'),
  },
  {
    name: 'react',
    open: `(?<![^\\n])Action:${gap}${name}${gap}\\n${gap}Action Input:${gap}(?=\\{|\`\`\`)`,
    body: 'arguments',
    source:
      'https://github.com/langchain-ai/langchain/blob/v0.3.0/libs/langchain/langchain/agents/output_parsers/react_single_input.py',
  },
  {
    // Hermes, Qwen, Nemotron, Hunyuan, Jamba, OLMo and many fine-tuned models.
    name: 'hermes',
    open: '<(?:[a-z]{1,20}_)?tool_?calls?>|<function_?calls?>',
    body: 'calls',
    around: '</(?:[a-z]{1,20}_)?tool_?calls?>|</function_?calls?>',
    source: 'https://github.com/NousResearch/Hermes-Function-Calling',
  },
]

/** The marks of parameters inside a call, each with its closing marks. The group `key` is the name of the parameter. */
export const parameterMarks: readonly { readonly open: string; readonly close: string }[] = [
  {
    open: `<arg_key>${gap}(?<key>[^<>]{1,128}?)${gap}</arg_key>${gap}<arg_value>`,
    close: '</arg_value>|<arg_key>|</tool_call>',
  },
  {
    open: `<(?:[a-z]{1,20}:|${gap}[|｜]${gap}DSML${gap}[|｜]${gap})?parameter(?:=|\\s{1,40}name=)["']?(?<key>[\\w./-]{1,128})["']?(?:\\s{1,40}string=["'](?<string>true|false)["'])?${gap}>`,
    close: `</(?:[a-z]{1,20}:|${gap}[|｜]${gap}DSML${gap}[|｜]${gap})?(?:parameter|invoke|function)${gap}>|</?tool_call>|<(?:[a-z]{1,20}:|${gap}[|｜]${gap}DSML${gap}[|｜]${gap})?parameter[=\\s]`,
  },
  {
    open: '<\\|open\\|>argument\\s{1,40}key=["\'](?<key>[\\w./-]{1,128})["\'](?:\\s{1,40}type=["\'][a-z]{1,20}["\'])?[^<>\\n]{0,40}<\\|sep\\|>',
    close: '<\\|close\\|>(?:argument|call)<\\|sep\\|>|<\\|open\\|>argument',
  },
]

/** The members of an object that name the tool, and those that contain its arguments. */
export const nameMembers = ['name', 'tool_name', 'tool', 'function', 'function_name', 'action'] as const
export const argumentMembers = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'tool_input',
  'action_input',
] as const
/** The members that contain a call or a list of calls. */
export const callMembers = ['tool_calls', 'tool_call', 'function_call', 'function_calls', 'calls'] as const
/** The languages of code blocks that may contain nothing but calls. */
export const callFences = [
  '',
  'json',
  'tool_code',
  'tool_call',
  'tool_calls',
  'function_call',
  'python',
  'py',
  'xml',
]
