import type { SeenDocument } from './asked.ts'
import type { Table } from './table.ts'

const athlete =
  /^(?:(\d{1,3})\s+)?(?:\d+\/\d+\s+)?(\p{L}[\p{L}.' -]+?)\s+([A-Z]{3})\s+((?:19|20)\d\d)\s+(.+)$/u
const time = /(?:^|\s)((?:\d+:)?\d{1,2}\.\d{2}|DNS|DNF|DSQ)\b/

/** Championship results: a row an athlete, under the event and age group that stand above it. */
export function resultsTable(documents: readonly SeenDocument[]): Table {
  const rows = documents.flatMap(({ text }) => {
    let event: string | null = null
    let group: string | null = null
    const lines = text.split('\n').map(line => line.replace(/\s+/g, ' ').trim())
    return lines.flatMap((line, index) => {
      const named =
        /(?:event no\.? ?:? ?\d+|event ?:)\s*(.+)$/i.exec(line)?.[1] ??
        /^((?:wo)?men(?:['’]s)? \d+ ?m\b.+)$/i.exec(line)?.[1]
      if (named !== undefined) event = named.replace(/\s(?:WR|CR|OR|WL)\b.*$/, '')
      group = /age group ?:? ?([\d+-]+)/i.exec(line)?.[1] ?? group
      const match = athlete.exec(line)
      if (match === null) return []
      const [, rank = null, name, country, born, rest = ''] = match
      const own = time.exec(rest)?.[1]
      const team = own === undefined ? rest : rest.slice(0, rest.indexOf(own)).trim()
      return [
        [
          event,
          group,
          name!,
          rank,
          country!,
          born!,
          team,
          own ?? time.exec(lines[index + 1] ?? '')?.[1] ?? null,
        ],
      ]
    })
  })
  return {
    columns: ['Event', 'Age Group', 'Athlete', 'Rank', 'Country', 'Year of Birth', 'Team', 'Time'],
    rows,
  }
}
