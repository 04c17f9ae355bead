import type { SeenDocument } from './asked.ts'
import type { Table } from './table.ts'

const span =
  /\(?\b(?:[A-Z][a-z]{2,8}\.? |\d\d?\/)?(?:19|20)\d\d\s*(?:-|–|—|to|until)\s*(?:(?:[A-Z][a-z]{2,8}\.? |\d\d?\/)?(?:19|20)\d\d|present|current|now|today)\b\)?/i
const title =
  /\b(?:analyst|engineer|manager|director|professor|associate|partner|developer|controller|consultant|intern|lecturer|officer|attorney|counsel|president|assistant|specialist|coordinator|nurse|teacher|chief|head|lead|fellow|researcher|scientist|curator|designer|architect|administrator|executive|accountant|supervisor|technician|representative|founder|editor|clerk|advisor|instructor|physician|resident|strategist|planner|writer|chef|agent|trainer|tutor)\b/i
const jobs =
  /^(?:.*\b(?:experience|employment|appointments|work history|career history|positions(?: held)?))\b/i
const otherSection =
  /^(?:education|skills|research|publications|monographs|selected|awards|honou?rs|grants|certifications?|languages|references|projects|teaching|summary|profile|interests|volunteer|memberships?|professional (?:memberships|development|affiliations)|bar admissions?|exhibitions?|curatorial|conferences|service|key |technical|core )\b/i

const degree =
  /\b(?:m\.?sc|b\.?sc|b\.?a|m\.?a|b\.?s|mba|ph\.?d|bachelor|master|diploma|juris doctor|degree)\b/i

/** Resumes: a row a job, with its title and employer read off the lines around its dates. */
export function jobsTable(documents: readonly SeenDocument[]): Table {
  const rows = documents.flatMap(({ name, text }) => {
    const lines = text
      .split('\n')
      .map(line => line.replace(/\t/g, ' | ').trim())
      .filter(line => line !== '')
    const person = (lines[0] ?? '')
      .replace(/^(?:dr|prof|mr|mrs|ms)\.? /i, '')
      .split(/[|,]/)[0]!
      .trim()
    const found = readJobs(lines)
    return found.map(job => [name, job.employer, person, job.title])
  })
  return { columns: ['Filename', 'Employer', 'Candidate', 'Job Title'], rows }
}

interface Job {
  readonly employer: string | null
  readonly title: string | null
}

function readJobs(lines: readonly string[]): Job[] {
  const found: Job[] = []
  const start = lines.findIndex(line => line.length < 50 && jobs.test(line))
  let group: string | null = null
  for (let index = start + 1; start >= 0 && index < lines.length; index++) {
    const line = lines[index]!
    const heading = line.length < 50 && !span.test(line)
    if (heading && otherSection.test(line)) break
    if (heading && /:$/.test(line) && title.test(line.replace(/ships?:$/, '')))
      group = line.replace(/(?:ships?|s)?:$/, '')
    const bullet = /^[•·▪*-]\s*(.+?)\s*\((?:[^()]*\b(?:19|20)\d\d[^()]*)\)/.exec(line)
    if (bullet !== null && group !== null) found.push({ employer: bullet[1]!, title: group })
    else if (span.test(line) && !/^[•·▪*]/.test(line) && !degree.test(`${lines[index - 1]} ${line}`)) {
      found.push(jobAt(lines, index))
    }
  }
  return found
}

const parted = /\s*\|\s*|\s+[–—-]\s+|\s{2,}|,?\s+at\s+(?=\p{Lu})/u
const place = /^\p{Lu}[\p{L} ]+, (?:[A-Z]{2}|\p{Lu}\p{L}+)$/u

/** A job by the line of its dates: title and employer stand there, on the line above or on the one below. */
function jobAt(lines: readonly string[], index: number): Job {
  const own = partsOf(lines[index]!.replace(span, ''))
  const beside = (at: number): string[] => {
    const line = lines[at]
    return line === undefined || span.test(line) || /^[•·▪*-]|[.:]$/.test(line) || jobs.test(line)
      ? []
      : partsOf(line)
  }
  const above = beside(index - 1)
  const second = beside(index - 2)
  // An employer set over two lines: the title stands above both.
  const [first = '', over = '', top = ''] = [own[0], above[0], second[0]]
  if (first !== '' && over !== '' && title.test(top) && !title.test(over))
    return { employer: `${over} ${first}`, title: top }
  const near =
    own.length === 0 && above.length > 1
      ? above
      : [...own.slice(0, 2), ...above.slice(0, 1), ...beside(index + 1).slice(0, 1)]
  const named = near.find(part => title.test(part)) ?? null
  return { employer: near.find(part => part !== named && !place.test(part)) ?? null, title: named }
}

function partsOf(line: string): string[] {
  return line
    .split(parted)
    .map(part => part.replace(/^[,;()]+|[,;()]+$/g, '').trim())
    .filter(part => part !== '')
}
