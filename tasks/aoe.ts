import { defineBenchmark } from './benchmark.ts'

/** A record's id ends in the number of the task within its domain, and a language: `financial_10q-all_4_en`. */
const taskNumber = /_(\d+)(?:_(?:zh|en|cn|ch))?$/i

/** The AOE benchmark (arXiv 2507.16271). Its record format also serves for tasks of one's own. */
export const aoe = defineBenchmark({
  summary: "AOE's record format: a JSONL file, one record a line",
  // The last is where a part of the documents is published with their answers.
  answerHosts: ['*tianyumyum/aoe*', '*all_aoe_tables*', '*r/aoe-benchmark*', '*contextualai/extract-bench*'],
  inputs: async path => [path],
  taskType({ taskId, domain }) {
    const number = taskNumber.exec(taskId)?.[1]
    return number === undefined ? domain : `${domain}_${number}`
  },
  load: async path => (await import('./load-aoe.ts')).loadAoe(path),
})
