// Writes a script for a scripted model from a finished run: the same calls and answers, in the form that another agent
// expects of its model. `node examples/agents/script-from-run.mjs RUN FORM > script.jsonl`
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [run, form] = process.argv.slice(2)
const lines = file =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** The turns of a run's model in the forms of agents: `calls` are the calls of one turn, `text` is the answer. */
const forms = {
  // The tools of plain_node.mjs: search with one query, and read_page for pages and PDF files.
  'plain-node': {
    turn: calls => ({
      toolCalls: calls.flatMap(({ name, args }) =>
        name === 'web_search'
          ? args.queries.map(query => ({ name: 'search', args: { query } }))
          : [{ name: 'read_page', args: { url: args.url } }],
      ),
    }),
    answer: text => ({ text }),
  },
  // The ToolCallingAgent of smolagents answers by a tool.
  smolagents: {
    turn: toolCalls => ({ toolCalls }),
    answer: answer => ({ toolCalls: [{ name: 'final_answer', args: { answer } }] }),
  },
  // The CodeAgent of smolagents calls its tools in Python.
  'smolagents-code': {
    turn: calls => ({
      text: code(calls.map(({ name, args }) => `print(${name}(${pythonArguments(args)}))`)),
    }),
    answer: text => ({ text: code([`final_answer(${JSON.stringify(text)})`]) }),
  },
}

const code = statements => `Thought: the next step.\n<code>\n${statements.join('\n')}\n</code>`
const pythonArguments = args =>
  Object.entries(args)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(', ')

const { turn, answer } = forms[form] ?? {}
if (turn === undefined) throw new Error(`FORM is one of ${Object.keys(forms).join(', ')}`)
const traces = join(run, 'traces')
const textOf = stored => stored.text ?? readFileSync(join(traces, 'blobs', stored.blob), 'utf8')
for (const file of readdirSync(traces).filter(name => name.endsWith('.jsonl'))) {
  const events = lines(join(traces, file))
  const { taskId } = events.find(event => event.type === 'attempt-started')
  const turns = events
    .filter(event => event.type === 'model-answered')
    .map(({ toolCalls, text }) =>
      toolCalls.length > 0 ? turn(toolCalls.map(({ name, args }) => ({ name, args }))) : answer(textOf(text)),
    )
  console.log(JSON.stringify({ taskId, turns }))
}
