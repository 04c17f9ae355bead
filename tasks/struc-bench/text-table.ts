import { pythonStrip } from '../../src/score/python/text.ts'

/** A table in running text, as Struc-Bench's code reads it. */
export interface PublishedTextTable {
  /** All rows, the first one with the column names included. */
  readonly rows: number
  /** The cells of the widest row. */
  readonly columns: number
  readonly columnNames: readonly string[]
  /** The cells below the column names, row by row. */
  readonly cells: readonly string[]
}

/** The two tables of a game report. */
interface TeamAndPlayer {
  readonly team: PublishedTextTable
  readonly player: PublishedTextTable
}

/**
 * Finds the Team and Player tables of a text as Struc-Bench's code does. Team's text reaches from the first bar after
 * the word `team` to the last bar before the word `player`; Player's from the first bar after `player` to the last of
 * all. A search that fails returns -1, which then selects the last character, as in Python.
 */
export function teamAndPlayer(text: string): TeamAndPlayer {
  const lower = text.toLowerCase()
  const team = lower.indexOf('team')
  const player = findFrom(lower, team, 'player')
  const teamStart = findFrom(lower, team, '|')
  const teamEnd = text.slice(0, player).lastIndexOf('|')
  const playerStart = findFrom(lower, player, '|')
  const playerEnd = text.lastIndexOf('|')
  return {
    team: readTable(text.slice(teamStart, teamEnd + 1)),
    player: readTable(text.slice(playerStart, playerEnd + 1)),
  }
}

/** The position of a text at or after a start. A negative start counts from the end, as in Python's slices. */
function findFrom(text: string, start: number, part: string): number {
  const position = text.slice(start).indexOf(part)
  return position < 0 ? -1 : start + position
}

function readTable(text: string): PublishedTextTable {
  let rows = text
    .split(/\n|<NEWLINE>|<newline>/)
    .map(line => line.split('|').map(pythonStrip))
    .filter(cells => !cells.every(cell => /^[-=]*$/.test(cell)))
  if (rows.every(cells => cells[0] === '')) rows = rows.map(cells => cells.slice(1))
  if (rows.every(cells => cells.at(-1) === '')) rows = rows.map(cells => cells.slice(0, -1))
  return {
    rows: rows.length,
    columns: Math.max(0, ...rows.map(cells => cells.length)),
    columnNames: rows[0] ?? [],
    cells: rows.slice(1).flat(),
  }
}
