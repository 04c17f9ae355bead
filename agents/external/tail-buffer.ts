/** Keeps the end of a stream of bytes, however long it is. */
export class TailBuffer {
  readonly #most: number
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= this.#most) {
      this.#bytes -= this.#chunks.shift()!.length
    }
  }

  /** Returns the last bytes as text, without a character that is cut in the middle. */
  text(): string {
    const all = Buffer.concat(this.#chunks)
    const tail = all.subarray(Math.max(0, all.length - this.#most))
    return tail.toString('utf8').replace(/^\uFFFD+/, '')
  }
}
