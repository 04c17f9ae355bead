/** Precision, recall and their harmonic mean. */
export interface Measures {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** `found` over what was predicted and over what is in the gold; a share of nothing is 0. */
export function measuresOf(found: number, predicted: number, gold: number): Measures {
  const precision = predicted > 0 ? found / predicted : 0
  const recall = gold > 0 ? found / gold : 0
  const f1 = precision + recall > 0 ? (2 * (precision * recall)) / (precision + recall) : 0
  return { precision, recall, f1 }
}
