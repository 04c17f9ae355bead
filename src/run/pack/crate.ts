import { countText } from '../../report/tables/value-text.ts'
import { packageVersion } from '../../system/paths.ts'
import type { Manifest } from '../records/manifest.ts'
import type { Author, Citation } from './authors.ts'
import { crateName, packName, type WithheldPart } from './pack-layout.ts'

/** A file of a pack. */
export interface PackedFile {
  /** Its path in the pack. */
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

/** What the metadata of a pack is made from. */
export interface CrateFacts {
  readonly citation: Citation & { readonly title: string; readonly licence: string }
  /** The manifests of the runs, by their folders in the pack. */
  readonly runs: ReadonlyMap<string, Manifest>
  readonly files: readonly PackedFile[]
  /** How many attempts the runs recorded. */
  readonly attempts: number
  /** What was left out on purpose. */
  readonly withheld: readonly WithheldPart[]
}

/** An entity of JSON-LD. */
type Entity = Readonly<Record<string, unknown>> & { readonly '@id': string }

/** RO-Crate 1.2 recommends a value instead of a list with one value. */
const unwrapSingle = <T>(values: readonly T[]): T | readonly T[] =>
  values.length === 1 ? values[0]! : values

const makeReference = (id: string): { readonly '@id': string } => ({ '@id': id })

/** What the files of a pack are, by their names. The first that fits decides. */
const fileKinds: readonly (readonly [RegExp, string])[] = [
  [/^pack\.json$/, 'What the pack contains, and its figures'],
  [/^runs\/[^/]+\/manifest\.json$/, 'Options, versions and hashes of the run'],
  [/^runs\/[^/]+\/attempts\.jsonl$/, 'Attempts, one per line'],
  [/^runs\/[^/]+\/scores\.jsonl$/, 'Scores, one per line'],
  [/^runs\/[^/]+\/leaks\.jsonl$/, 'Sources that give answers away'],
  [/^runs\/[^/]+\/superseded\.jsonl$/, 'Attempts that were made again'],
  [/^runs\/[^/]+\/traces\/blobs\//, 'Text of traces'],
  [/^runs\/[^/]+\/traces\//, 'Trace of an attempt'],
  [/^runs\/[^/]+\/answers\//, 'Answer of an attempt'],
  [/^inputs\/tasks/, 'Tasks'],
  [/^inputs\/documents/, 'Document'],
  [/^inputs\/recording/, 'Recording of the web'],
  [/^inputs\/web/, 'Sealed web'],
  [/^inputs\/forks/, 'Plan of forks'],
  [/^inputs\/files/, 'File that an option names'],
  [/^prompts\//, 'Prompts'],
  [/^prices\.json$/, 'Prices'],
]

const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  jsonl: 'application/jsonl',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  pdf: 'application/pdf',
  html: 'text/html',
  yaml: 'application/yaml',
}

/**
 * Describes a pack as an RO-Crate 1.2 (https://w3id.org/ro/crate/1.2). Equal facts give equal text.
 */
export function describeCrate(facts: CrateFacts): string {
  const { citation, runs, files } = facts
  const { authors, title, licence } = citation
  const people = authors.map(describeAuthor)
  const software = [...new Set([...runs.values()].map(({ tablehunt }) => tablehunt)), packageVersion]
  const programs = [...new Set(software)].map(describeProgram)
  const parts = [...files.map(describeFile), describePackFile()]
  const root: Entity = {
    '@id': './',
    '@type': 'Dataset',
    name: title,
    description: describeRuns(facts),
    datePublished: findLastDay([...runs.values()]),
    license: makeReference(formatLicenceAddress(licence)),
    ...(people.length === 0
      ? {}
      : { author: unwrapSingle(people.map(person => makeReference(person['@id']))) }),
    keywords: ['evaluation', 'language models', 'Tablehunt'],
    hasPart: parts.map(part => makeReference(part['@id'])),
    mentions: unwrapSingle([...runs.keys()].map(folder => makeReference(formatActionId(folder)))),
  }
  const descriptor: Entity = {
    '@id': crateName,
    '@type': 'CreativeWork',
    name: 'RO-Crate metadata',
    conformsTo: makeReference('https://w3id.org/ro/crate/1.2'),
    about: makeReference('./'),
  }
  const actions = [...runs].map(([folder, manifest]) => describeRun(folder, manifest, { people, parts }))
  const graph = [descriptor, root, ...people, describeLicence(licence), ...programs, ...actions, ...parts]
  const context = 'https://w3id.org/ro/crate/1.2/context'
  return `${JSON.stringify({ '@context': context, '@graph': graph }, null, 1)}\n`
}

function describeAuthor({ name, familyName, givenName, orcid }: Author): Entity {
  return {
    '@id': orcid ?? `#${encodeURIComponent(name)}`,
    '@type': 'Person',
    name,
    ...(givenName === undefined ? {} : { givenName }),
    ...(familyName === undefined ? {} : { familyName }),
  }
}

/** Returns the address of a licence: of the SPDX list, when it is an id of that list. */
function formatLicenceAddress(licence: string): string {
  return /^https?:\/\//.test(licence) ? licence : `https://spdx.org/licenses/${encodeURIComponent(licence)}`
}

function describeLicence(licence: string): Entity {
  const url = formatLicenceAddress(licence)
  return { '@id': url, '@type': 'CreativeWork', name: licence, description: `The licence ${licence}`, url }
}

/** The package URL of a version: https://github.com/package-url/purl-spec */
const formatProgramId = (version: string): string => `pkg:npm/tablehunt@${version}`

function describeProgram(version: string): Entity {
  return {
    '@id': formatProgramId(version),
    '@type': 'SoftwareApplication',
    name: 'Tablehunt',
    version,
    softwareVersion: version,
    url: formatProgramId(version),
  }
}

const formatActionId = (folder: string): string => `#${encodeURIComponent(folder)}`

/** Describes how a run came about: its command, its program, what it read and what it wrote. */
function describeRun(
  folder: string,
  manifest: Manifest,
  { people, parts }: { readonly people: readonly Entity[]; readonly parts: readonly Entity[] },
): Entity {
  const names = parts.map(part => part['@id'])
  const version = manifest.source === 'run' ? manifest.codeVersion : manifest.tablehunt
  const prompts = manifest.source === 'run' ? `, prompts version ${manifest.prompts}` : ''
  return {
    '@id': formatActionId(folder),
    '@type': 'CreateAction',
    name: `${folder}: tablehunt ${manifest.command.join(' ')}`.trim(),
    description: `Run ${manifest.runId} with Tablehunt ${version}${prompts}, Node ${manifest.platform.node}, ${manifest.platform.os}, ${manifest.platform.arch}`,
    startTime: manifest.startedAt,
    ...(manifest.endedAt === null ? {} : { endTime: manifest.endedAt }),
    instrument: makeReference(formatProgramId(manifest.tablehunt)),
    ...(people.length === 0 ? {} : { agent: makeReference(people[0]!['@id']) }),
    object: unwrapSingle(names.filter(name => /^(inputs|prompts)\//.test(name)).map(makeReference)),
    result: unwrapSingle(names.filter(name => name.startsWith(`${folder}/`)).map(makeReference)),
  }
}

function describeFile({ name, bytes, sha256 }: PackedFile): Entity {
  return { ...describePart(name), contentSize: String(bytes), sha256 }
}

/** pack.json names the hash of the metadata, so the metadata cannot contain the hash of pack.json. */
function describePackFile(): Entity {
  return describePart(packName)
}

function describePart(name: string): Entity {
  const kind = fileKinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'File'
  const type = mediaTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return {
    '@id': formatEntityId(name),
    '@type': 'File',
    name: name.split('/').at(-1),
    description: kind,
    encodingFormat: /^runs\/[^/]+\/traces\/blobs\//.test(name) ? 'text/plain' : type,
  }
}

/** Returns the id of a file: its path, in which signs of ASCII that addresses reserve are encoded, and others are not. */
function formatEntityId(path: string): string {
  return path.replace(/[^\w./~!$&'()*+,;=@\u0080-\u{10ffff}-]/gu, encodeURIComponent)
}

/** Returns the path of an entity in the pack. */
export function readEntityPath(id: string): string {
  return decodeURIComponent(id)
}

function describeRuns({ runs, attempts, withheld }: CrateFacts): string {
  const traces = withheld.includes('pages') ? '' : ' traces,'
  const without = withheld.length === 0 ? '' : `, without ${withheld.join(' and ')}`
  return `${countText(runs.size, 'run')} of Tablehunt with ${countText(attempts, 'attempt')}: records,${traces} answers, scores and what they were made from${without}. 'tablehunt verify' checks every file and computes figures again.`
}

/** Returns the day of the last event, so that the same runs make the same pack on any day. */
export function findLastDay(manifests: readonly Manifest[]): string {
  return manifests
    .map(({ startedAt, endedAt }) => (endedAt ?? startedAt).slice(0, 10))
    .sort()
    .at(-1)!
}
