import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Random, seededRandom } from '../../src/core/runtime.ts'
import { writeCsv } from '../../src/text/csv.ts'

const words =
  'amber basin cedar delta ember fjord grove harbor island jasper kernel lagoon meadow nickel orchard prairie'.split(
    ' ',
  )

const whole = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from))

/** Returns some words, such as `cedar harbor`. */
export function drawnWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => words[whole(random, 0, words.length)]!).join(' ')
}

/**
 * Writes two CSV tables, depots and the parcels that refer to them, in which questions of every kind can be asked. Equal
 * seeds write equal tables.
 *
 * @param parcels the number of parcels; 6,000 are more than 128,000 tokens in every format
 */
export async function writeMadeTables(folder: string, parcels: number, seed: number): Promise<void> {
  const random = seededRandom(seed)
  const depots = 40
  const day = (): string =>
    `${whole(random, 2010, 2026)}-${String(whole(random, 1, 13)).padStart(2, '0')}-${String(whole(random, 1, 29)).padStart(2, '0')}`
  const depotRows = Array.from({ length: depots }, (_, at) => [
    ...[String(at + 1), drawnWords(random, 2), drawnWords(random, 1), day()],
  ])
  const parcelRows = Array.from({ length: parcels }, (_, at) => [
    ...[`P-${100_000 + at}`, String(whole(random, 1, depots + 1)), drawnWords(random, 3)],
    ...[String(whole(random, 1, 5_000)), (random() * 90).toFixed(2), day()],
  ])
  await mkdir(folder, { recursive: true })
  const depotHead = ['depot_id', 'depot_name', 'town', 'opened_on']
  const parcelHead = ['parcel_id', 'depot_id', 'content', 'weight_g', 'fee', 'sent_on']
  await writeFile(join(folder, 'depot.csv'), writeCsv([depotHead, ...depotRows]))
  await writeFile(join(folder, 'parcel.csv'), writeCsv([parcelHead, ...parcelRows]))
}
