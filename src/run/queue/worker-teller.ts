/** Tells how many workers there are when that changes, and what to do where there is none. */
export function workerTeller(address: string, tell: (line: string) => void): (count: number) => void {
  let last: number | null = null
  return count => {
    if (count === last) return
    last = count
    if (count === 0) tell(`no worker is there: start one with: tablehunt worker --queue ${address}`)
    else tell(count === 1 ? '1 worker is there' : `${count} workers are there`)
  }
}
