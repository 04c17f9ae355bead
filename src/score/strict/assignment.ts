/**
 * The one-to-one assignment of the greatest total weight (Kuhn-Munkres with potentials). Weights are at least 0;
 * pairs of weight 0 are left out. Takes rows² x columns steps, with the shorter side as rows.
 *
 * @returns for each row its column, or -1
 */
export function findBestAssignment(weights: readonly (readonly number[])[]): number[] {
  const rows = weights.length
  const columns = weights[0]?.length ?? 0
  if (rows === 0 || columns === 0) return new Array<number>(rows).fill(-1)
  if (rows > columns) {
    const flipped = Array.from({ length: columns }, (_, column) => weights.map(row => row[column]!))
    const result = new Array<number>(rows).fill(-1)
    for (const [column, row] of findBestAssignment(flipped).entries()) if (row >= 0) result[row] = column
    return result
  }
  return solveAssignment(weights, rows, columns).map((column, row) =>
    weights[row]![column]! > 0 ? column : -1,
  )
}

/** Shortest augmenting paths on costs = -weights. Rows and columns are 1-based here; 0 is the start. */
function solveAssignment(weights: readonly (readonly number[])[], rows: number, columns: number): number[] {
  const rowPotential = new Float64Array(rows + 1)
  const columnPotential = new Float64Array(columns + 1)
  const rowOfColumn = new Int32Array(columns + 1)
  const previous = new Int32Array(columns + 1)
  for (let row = 1; row <= rows; row += 1) {
    const least = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY)
    const visited = new Uint8Array(columns + 1)
    rowOfColumn[0] = row
    let column = 0
    do {
      visited[column] = 1
      const current = rowOfColumn[column]!
      const currentWeights = weights[current - 1]!
      let delta = Number.POSITIVE_INFINITY
      let next = 0
      for (let j = 1; j <= columns; j += 1) {
        if (visited[j]) continue
        const reduced = -currentWeights[j - 1]! - rowPotential[current]! - columnPotential[j]!
        if (reduced < least[j]!) {
          least[j] = reduced
          previous[j] = column
        }
        if (least[j]! < delta) {
          delta = least[j]!
          next = j
        }
      }
      for (let j = 0; j <= columns; j += 1) {
        if (visited[j]) {
          rowPotential[rowOfColumn[j]!] = rowPotential[rowOfColumn[j]!]! + delta
          columnPotential[j] = columnPotential[j]! - delta
        } else least[j] = least[j]! - delta
      }
      column = next
    } while (rowOfColumn[column] !== 0)
    while (column !== 0) {
      const before = previous[column]!
      rowOfColumn[column] = rowOfColumn[before]!
      column = before
    }
  }
  const result = new Array<number>(rows).fill(-1)
  for (let j = 1; j <= columns; j += 1) if (rowOfColumn[j]! > 0) result[rowOfColumn[j]! - 1] = j - 1
  return result
}
