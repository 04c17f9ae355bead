import { describe, expect, it } from 'vitest'
import { readFailureText } from '../../agents/external/failure-text.ts'

describe('the text of a failed agent', () => {
  it('begins with the error of a Python program, and names source files without folders', () => {
    const traceback = [
      'starting',
      'Traceback (most recent call last):',
      '  File "/home/somebody/agents/my_agent.py", line 35, in <module>',
      '    tools[name]',
      '    ~~~~~^^^^^^',
      "KeyError: 'read_pdf'",
    ]
    expect(readFailureText(traceback.join('\n'))).toBe(
      'KeyError: \'read_pdf\' (last lines: Traceback (most recent call last):; File "my_agent.py", line 35, in <module>; tools[name])',
    )
  })

  it('begins with the error of a Node program, which prints the stack after it', () => {
    const stack = [
      'Error: no key',
      '    at main (file:///home/somebody/agent.mjs:3:7)',
      '',
      'Node.js v22.1.0',
    ]
    expect(readFailureText(stack.join('\n'))).toMatch(/^Error: no key \(last lines: at main \(/)
  })

  it('is the last line when no line names an error', () => {
    expect(readFailureText('loading\n/bin/python3: cannot open /tmp/x/nope.py\n')).toBe(
      '/bin/python3: cannot open nope.py (last lines: loading)',
    )
    expect(readFailureText(' \n')).toBe('')
  })
})
