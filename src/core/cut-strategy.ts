/** The values of `--cut`: what is left out of documents that do not fit the context window. */
export const cutStrategies = ['even', 'head', 'head-tail'] as const

/**
 * What is left out of documents that do not fit the context window. `even` keeps the same share of each document from
 * its beginning. `head` keeps whole documents in order until the limit is reached. `head-tail` keeps the same share of
 * each document from both ends.
 */
export type CutStrategy = (typeof cutStrategies)[number]
