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

function readJobs(lines: readonly string[]): { employer: string | null; title: string | null }[] {
  const found: { employer: string | null; title: string | null }[] = []
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
    else if (span.test(line) && !/^[•·▪*]/.test(line)) found.push(jobAt(lines, index))
  }
  return found
}

function jobAt(lines: readonly string[], index: number): { employer: string | null; title: string | null } {
  const own = lines[index]!.replace(span, '')
    .split(/\s*\|\s*|\s+[–—-]\s+|\s{2,}/)
    .map(part => part.replace(/^[,;]|[,;]$/g, '').trim())
    .filter(part => part !== '')
  const beside = (at: number): string[] => {
    const line = lines[at]
    return line === undefined || span.test(line) || /^[•·▪*-]|\.$/.test(line) || jobs.test(line)
      ? []
      : [line.split(/\s*\|\s*|\s+[–—]\s+/)[0]!.replace(/,$/, '')]
  }
  const above = beside(index - 1)
  const second = beside(index - 2)
  // An employer set over two lines: the title stands above both.
  if (
    own[0] !== undefined &&
    above[0] !== undefined &&
    second[0] !== undefined &&
    !title.test(above[0]) &&
    title.test(second[0])
  ) {
    return { employer: `${above[0]} ${own[0]}`, title: second[0] }
  }
  const near = [...own.slice(0, 2), ...above, ...beside(index + 1)]
  const named = near.find(part => title.test(part)) ?? null
  return {
    employer: near.find(part => part !== named && !/^\p{Lu}\p{L}+, [A-Z]{2}$/u.test(part)) ?? null,
    title: named,
  }
}
