// Scores two answers of a model that Tablehunt did not run: no run, no folder, no network.
import { score } from 'tablehunt'

const task = {
  question: 'Which hospitals are there, and how many beds has each?',
  gold: {
    kind: 'table',
    keyColumns: ['hospital'],
    targetColumns: ['beds'],
    numericColumns: ['beds'],
    rows: [
      { hospital: 'North', beds: 120 },
      { hospital: 'South', beds: 80 },
    ],
  },
}
const answers = ['hospital,beds\nNorth,120\nSouth,80', 'hospital,beds\nNorth,120\nSouth,90']

for (const answer of answers) {
  const { metrics, explanation } = await score(answer, task, { scorer: 'strict' })
  console.log(`Cell F1 ${metrics.cellF1}: ${explanation.join(' ')}`)
}
