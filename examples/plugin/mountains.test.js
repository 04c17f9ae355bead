/** Tests the plug-in by the contracts of its parts: `node --test mountains.test.js` in this folder. */
import { describe, it } from 'node:test'
import { testPlugin } from 'tablehunt/testing'

const samples = {
  benchmarks: { mountains: { tasks: 'tasks.tsv' } },
  scorers: { height: { gold: { kind: 'text', references: ['17057'] }, wrongAnswer: '5199' } },
  tools: { to_feet: { input: { metres: 5199 }, answer: /^17057 feet$/ } },
}

await testPlugin('./mountains.ts', samples, { describe, it })
