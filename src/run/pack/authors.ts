import { readFile } from 'node:fs/promises'
import { z } from 'zod/v4'
import { ConfigError, DataError } from '../../core/errors.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { ifMissing } from '../../system/files.ts'

/** A person or a group that made a pack. */
export interface Author {
  readonly name: string
  readonly familyName?: string
  readonly givenName?: string
  /** `https://orcid.org/…`. */
  readonly orcid?: string
}

/** Who made a pack, under which title and licence. */
export interface Citation {
  readonly authors: readonly Author[]
  readonly title: string | null
  /** An SPDX id or an address. */
  readonly licence: string | null
}

const orcidPattern = /^(?:https?:\/\/orcid\.org\/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])$/

/**
 * Parses `Name`, or `Name <ORCID>`. An ORCID ends in a check digit (ISO 7064, MOD 11-2), so a misspelt one is found.
 *
 * @throws ConfigError [invalid-author]
 */
export function parseAuthor(text: string): Author {
  const [, name = '', , id] = /^([^<>]*?)\s*(<([^<>]*)>)?\s*$/.exec(text) ?? []
  const orcid = id === undefined ? undefined : readOrcid(id.trim())
  if (name !== '' && orcid !== null) return { name, ...(orcid === undefined ? {} : { orcid }) }
  throw new ConfigError(
    `--author '${text}': expected a name, or a name with an ORCID. Write it like 'Josiah Carberry <0000-0002-1825-0097>'.`,
    { code: 'invalid-author' },
  )
}

/**
 * Checks a licence: an SPDX id, whose form alone is checked, or an address.
 *
 * @throws ConfigError [invalid-licence]
 */
export function parseLicence(text: string): string {
  if (/^(?:https?:\/\/\S+|[A-Za-z0-9][A-Za-z0-9.+-]*)$/.test(text)) return text
  throw new ConfigError(
    `--licence '${text}': expected an SPDX id (https://spdx.org/licenses) or an address. Write it like CC-BY-4.0.`,
    { code: 'invalid-licence' },
  )
}

/** Returns the address of an ORCID; null when it is none. */
function readOrcid(text: string): string | null {
  const [, id] = orcidPattern.exec(text) ?? []
  if (id === undefined) return null
  const digits = id.replaceAll('-', '')
  let sum = 0
  for (const digit of digits.slice(0, -1)) sum = (sum + Number(digit)) * 2
  const check = (12 - (sum % 11)) % 11
  return digits.at(-1) === (check === 10 ? 'X' : String(check)) ? `https://orcid.org/${id}` : null
}

const authorSchema = z.looseObject({
  name: z.string().optional(),
  'given-names': z.string().optional(),
  'family-names': z.string().optional(),
  orcid: z.string().optional(),
})
const citationSchema = z.looseObject({
  title: z.string().optional(),
  license: z.union([z.string(), z.array(z.string())]).optional(),
  authors: z.array(authorSchema).default([]),
})

/**
 * Reads title, authors and licence of a CITATION.cff (https://citation-file-format.github.io).
 *
 * @returns null when the file does not exist
 * @throws DataError [invalid-citation]
 */
export async function readCitation(path: string): Promise<Citation | null> {
  const text = await readFile(path, 'utf8').catch(ifMissing)
  if (text === null) return null
  const { parse } = await import('yaml')
  const invalid = (problem: string): DataError =>
    new DataError(`${path}: ${problem}. Correct the file, or name it otherwise.`, {
      code: 'invalid-citation',
    })
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    throw invalid(`no YAML: ${(error as Error).message.split('\n', 1)[0]}`)
  }
  const citation = citationSchema.safeParse(value)
  if (!citation.success) throw invalid(describeZodProblem(citation.error, 'it'))
  const { title = null, license = null, authors } = citation.data
  return {
    title,
    licence: Array.isArray(license) ? license[0]! : license,
    authors: authors.flatMap(readAuthor),
  }
}

function readAuthor(author: z.infer<typeof authorSchema>): Author[] {
  const { name, 'given-names': givenName, 'family-names': familyName, orcid } = author
  const whole = name ?? [givenName, familyName].filter(part => part !== undefined).join(' ')
  if (whole === '') return []
  const address = orcid === undefined ? null : readOrcid(orcid)
  return [
    {
      name: whole,
      ...(familyName === undefined ? {} : { familyName }),
      ...(givenName === undefined ? {} : { givenName }),
      ...(address === null ? {} : { orcid: address }),
    },
  ]
}
