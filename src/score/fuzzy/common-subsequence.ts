/**
 * The length of the longest common subsequence of two code sequences. Bit-parallel after Hyyrö (2004), 32 positions
 * of `pattern` in each word: two keys of 100 characters take about 400 steps.
 */
export function measureCommonSubsequence(pattern: readonly number[], text: readonly number[]): number {
  const words = Math.ceil(pattern.length / 32)
  if (words === 0 || text.length === 0) return 0
  const masks = makePositionMasks(pattern, words)
  const state = new Uint32Array(words).fill(0xffffffff)
  for (const code of text) {
    const mask = masks.get(code)
    if (mask !== undefined) advance(state, mask)
  }
  return countZeros(state, pattern.length)
}

function makePositionMasks(pattern: readonly number[], words: number): Map<number, Uint32Array> {
  const masks = new Map<number, Uint32Array>()
  for (let i = 0; i < pattern.length; i += 1) {
    const code = pattern[i]!
    let mask = masks.get(code)
    if (mask === undefined) masks.set(code, (mask = new Uint32Array(words)))
    mask[i >>> 5] = (mask[i >>> 5]! | (1 << (i & 31))) >>> 0
  }
  return masks
}

function advance(state: Uint32Array, mask: Uint32Array): void {
  let carry = 0
  for (let word = 0; word < state.length; word += 1) {
    const before = state[word]!
    const matched = (before & mask[word]!) >>> 0
    const sum = before + matched + carry
    carry = sum > 0xffffffff ? 1 : 0
    state[word] = ((sum >>> 0) | (before - matched)) >>> 0
  }
}

function countZeros(state: Uint32Array, length: number): number {
  let zeros = 0
  for (let word = 0; word < state.length; word += 1) {
    const usedBits = Math.min(32, length - word * 32)
    const bits = ~state[word]! & (usedBits === 32 ? -1 : (1 << usedBits) - 1)
    zeros += countBits(bits)
  }
  return zeros
}

function countBits(bits: number): number {
  let value = bits - ((bits >>> 1) & 0x55555555)
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333)
  return Math.imul((value + (value >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
