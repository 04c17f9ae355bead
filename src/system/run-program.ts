import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { harmlessEnvironment } from './harmless-environment.ts'

const execute = promisify(execFile)

/**
 * Runs a program of this machine to its end, without keys in its environment.
 *
 * @param timeoutMs after which it is killed
 * @returns what it wrote to stdout and stderr
 * @throws Error of `execFile` when it cannot be started, is killed, or ends with another code than 0
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return await execute(program, args, {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    env: harmlessEnvironment(),
  })
}
