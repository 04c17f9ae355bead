/**
 * Other programs' figures, measured on 2026-11-21 on two cores (best of three, other work beside it), each on the task
 * that the bench of the same name gives us. They are constants: those programs are not run here.
 */
export const recorded = {
  /** Inspect AI 0.3.285, react agent, 1,000 attempts x 10 steps at 50 ms, concurrency 64: wall over ideal. */
  inspectOverheadRatio: 9.8,
  /** The same without latency: processor time a step. */
  inspectCpuMsPerStep: 7.7,
  /** The same at 5,000 attempts without latency: peak memory. */
  inspectPeakMbAt5000: 557,
  /** `node -e 0` on that machine, in milliseconds: how fast it was. */
  nodeStartMs: 64,
  /** AOE's published scorer in Python without a judge, tables of 50 x 10 a second of processor time. */
  publishedScorerTablesPerSecond: 85.8,
  /** LangChain with Chroma in Python, 256 dimensions, an embedder that costs nothing: chunks added a second. */
  pythonChunksPerSecond: 2_200,
  /** The same: recall at k = 250 against exact search. */
  pythonRecallMean: 0.987,
  pythonRecallWorst: 0.86,
} as const
