import { basename, dirname, extname } from 'node:path'
import { z } from 'zod/v4'
import { commandLineWithoutSecrets, commandWithoutSecrets } from '../../logs/redact-command.ts'
import { ConfigError } from '../../src/core/errors.ts'
import { isInnerPath } from '../../src/core/inner-path.ts'
import { describeUnknownName } from '../../src/core/nearest-name.ts'
import { duration } from '../../src/core/option-values.ts'
import { isSecretVariable } from '../../src/system/secret-values.ts'

const environment = z.union([
  z.array(z.string().min(1)),
  z
    .record(z.string().min(1), z.string())
    .refine(env => !Object.entries(env).some(([name, value]) => isSecretVariable(name, value)), {
      error:
        'a key must not be in a config file. Write env as a list of names, such as ["MY_API_KEY"]: their values come from the environment',
    }),
])

/** The fields of an agent in the config file. */
const fields = {
  /** The program and its arguments. No shell is started. */
  command: z.array(z.string().min(1)).min(1),
  /** The working directory; absent: a new folder for each attempt. */
  cwd: z.string().optional(),
  /** Names of variables that the program gets from the environment, or variables with their values. */
  env: environment.optional(),
  /** `stdout`, or the name of a file in the folder that TABLEHUNT_FOLDER names. */
  answer: z.string().refine(isInnerPath, 'a path below that folder').default('stdout'),
  timeout: duration.optional(),
  memoryMb: z.int().positive().default(4_096),
  /** Processor time of the program and all processes that it starts, in total. */
  cpuSeconds: z.int().positive().default(3_600),
  /** Further files and folders that the program reads when it is isolated. */
  reads: z.array(z.string().min(1)).default([]),
  /** Whether the last model request that the budget covers demands the answer. */
  lastCallNote: z.boolean().default(true),
}

/** A program as the config file describes it. */
export const agentDefinitionSchema = z.strictObject(fields, {
  error: issue =>
    issue.code === 'unrecognized_keys'
      ? `unknown field ${describeUnknownName(issue.keys[0]!, Object.keys(fields))}`
      : undefined,
})
/** A definition with all defaults filled in. `timeout` is in milliseconds. */
export type AgentDefinition = z.output<typeof agentDefinitionSchema>

/** The agents of the config file by their names. */
export const agentDefinitionsSchema = z.record(z.string().regex(/^[\w.-]+$/), agentDefinitionSchema)
export type AgentDefinitions = z.output<typeof agentDefinitionsSchema>

const prefix = 'command:'

/** Whether a value of `--agent` is a command line. */
export function isAgentCommand(agent: string): boolean {
  return agent.startsWith(prefix)
}

/**
 * Returns the names of agents in records and reports, in the given order. A command is named after its script:
 * `my_agent` for `command: python my_agent.py`. When scripts have the same name, the names of their folders are added:
 * `first-agent` and `second-agent` for `first/agent.py` and `second/agent.py`. Two names can still be equal, for
 * example for one script with different arguments.
 */
export function nameAgents(agents: readonly string[]): string[] {
  const paths = agents.map(splitAgentPath)
  const names = paths.map(path => path.at(-1)!)
  const deepest = Math.max(0, ...paths.map(path => path.length))
  for (let folders = 1; folders < deepest; folders++) {
    const shorterNames = [...names]
    for (const [index, path] of paths.entries())
      if (shorterNames.filter(name => name === shorterNames[index]).length > 1)
        names[index] = path.slice(-folders - 1).join('-')
  }
  return names
}

/** The folders of a command's script and its name without extension; the name alone for other agents. */
function splitAgentPath(agent: string): string[] {
  if (!isAgentCommand(agent)) return [agent]
  // A key must not become a part of the name.
  const words = commandWithoutSecrets(splitCommand(agent))
  const script = words.slice(1).find(word => !word.startsWith('-') && extname(word) !== '') ?? words[0]!
  const folders = dirname(script)
    .split(/[\\/]/)
    .filter(folder => !['', '.', '..'].includes(folder))
  return [...folders, basename(script, extname(script))].map(part => part.replace(/[^\p{L}\p{N}_.-]/gu, '-'))
}

/**
 * Splits a command line at spaces. `flag` is the option that messages name. Single and double quotes keep words together; a backslash keeps the next character.
 *
 * @throws ConfigError `agent-command` when it is empty or a quote is not closed
 */
export function splitCommand(commandLine: string, flag = '--agent'): string[] {
  const text = commandLine.slice(prefix.length)
  const words: string[] = []
  const word = /\s*((?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)/gsy
  while (/\S/.test(text.slice(word.lastIndex))) {
    const start = word.lastIndex
    const match = word.exec(text)
    if (match === null)
      throw new ConfigError(
        `${flag} '${commandLineWithoutSecrets(commandLine)}': a quote is not closed after ${start} characters of the command. Add the missing quote.`,
        { code: 'agent-command' },
      )
    words.push(
      match[1]!.replace(
        /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
        (_all, escaped, double, single) =>
          escaped ?? single ?? (double as string).replace(/\\(["\\])/g, '$1'),
      ),
    )
  }
  if (words.length === 0)
    throw new ConfigError(
      `${flag} '${commandLine}': the program is missing. Write it after 'command:', as in 'command: python my_agent.py'.`,
      { code: 'agent-command' },
    )
  return words
}
