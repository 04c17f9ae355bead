/** The eight languages of StrucText-Eval. */
export const structextLanguages = ['csv', 'tree', 'json', 'yaml', 'xml', 'markdown', 'latex', 'org'] as const
export type StructextLanguage = (typeof structextLanguages)[number]

/** The eight kinds of tasks of StrucText-Eval, by the names of its samples. */
export const structextTaskKinds = [
  'PathCompose',
  'PathWalk',
  'Syntax',
  'TextRetrieval',
  'Join',
  'Statistics',
  'Tree.Depth',
  'Tree.Height',
] as const
export type StructextTaskKind = (typeof structextTaskKinds)[number]

/** One of the 29 tasks: the form of its questions. */
export interface StructextTask {
  readonly language: StructextLanguage
  /** Its number among the tasks of its language, as in the names of the published samples. */
  readonly template: number
  readonly kind: StructextTaskKind
  /** Matches the published questions and ours. Its groups are the parameters of the question. */
  readonly pattern: RegExp
  /** Writes a question. */
  ask(...parameters: readonly string[]): string
  /** One sentence on how to find the answer, for prompts with a rule hint. */
  readonly hint: string
}

type TaskRow = readonly [StructextTaskKind, RegExp, (...parameters: string[]) => string, string]

const excerpt = 'Quote it from the file.'
const lines = 'Write one per line.'

function listObjectTasks(name: string): readonly TaskRow[] {
  return [
    [
      'TextRetrieval',
      /object with id ([^\s?]+)\?/,
      id => `What is the object with id ${id}? ${excerpt}`,
      'Read the ids from the top. The object that begins with the wanted id ends where its list subs ends.',
    ],
    [
      'PathWalk',
      /first object's id of subs|id of the first object in the list subs of the outermost/,
      () => 'What is the id of the first object in the list subs of the outermost object?',
      'Find the list subs of the outermost object, and read the id of its first object.',
    ],
    [
      'Syntax',
      /structural error/,
      () => `Does this ${name} have a structural error? Answer True or False.`,
      'Check that every object and list that begins also ends, and that every line belongs to one of them.',
    ],
    [
      'PathCompose',
      /access value "([^"]+)"/,
      value =>
        `How to access value "${value}"? Answer with obj and a key or an index in brackets per level, such as obj["subs"][0]["K"].`,
      'Find the value. Write the key before it, then go outwards: an index in subs for each object around it.',
    ],
    [
      'TextRetrieval',
      /most deeply nested objects/,
      () =>
        `What are the most deeply nested objects, whose list subs is empty? ${excerpt} Separate them by an empty line.`,
      'Find every object whose list subs is empty.',
    ],
  ]
}

function listDocumentTasks(name: string, images: string): readonly TaskRow[] {
  return [
    [
      'TextRetrieval',
      /bold texts/,
      () =>
        `Which bold texts does the file contain? ${lines} If it contains none, write: No bold texts presented in file.`,
      'Read the paragraphs from the top, and write down every text between marks of bold type.',
    ],
    [
      'PathWalk',
      /content of (?:(\d+)th subsubsection under )?(?:(\d+)th subsection under )?(\d+)th section\?/,
      (...path) =>
        `What is the content of ${nameSection(path)}? Quote it from the ${name} file, with its heading and everything below it.`,
      'Count the headings of the first level up to the wanted number. Below it, count those of the next level. The section ends before the next heading of the same or a higher level.',
    ],
    [
      'TextRetrieval',
      /(?:image|figure) files/,
      () =>
        `Which ${images} files does the file include? ${lines} If it includes none, write: No ${images} file is included in the file.`,
      'Read the paragraphs from the top, and write down the file name of every included picture.',
    ],
  ]
}

/** Writes `2th subsection under 1th section` for the path 1, 2. */
function nameSection(path: readonly string[]): string {
  return path
    .map((number, at) => `${number}th ${'sub'.repeat(at)}section`)
    .reverse()
    .join(' under ')
}

const rows: Readonly<Record<StructextLanguage, readonly TaskRow[]>> = {
  csv: [
    [
      'TextRetrieval',
      /What is the (\S+) of (?:the )?record with primeKey ([^\s?]+)/,
      (field, key) => `What is the ${field} of the record with primeKey ${key}?`,
      'Find the column in the header of one of the tables, and the row with the key.',
    ],
    [
      'Statistics',
      /salary (?:more than|above) (\d+)/,
      salary => `How many people have a salary above ${salary}?`,
      'Compare the salary of each row with the number, and count the rows with a larger one.',
    ],
    [
      'Statistics',
      /How many people are (male|female)/,
      gender => `How many people are ${gender}?`,
      'Count the rows with this gender.',
    ],
    [
      'Join',
      /people who work in (\S+) are taller than (\d+)/,
      (location, height) => `How many people who work in ${location} are taller than ${height}?`,
      'Note the keys of the rows with this location, look up their heights in the other table, and count the larger ones.',
    ],
  ],
  tree: [
    [
      'Tree.Height',
      /height of the root/,
      () =>
        'What is the height of the root, the number of edges of the longest path down to a leaf? Answer with an integer.',
      'The height of a leaf is 0. That of any other node is 1 more than the largest height of its children.',
    ],
    [
      'Tree.Depth',
      /depth of node (\w+)/,
      node => `What is the depth of node ${node}? The root has depth 0. Answer with an integer.`,
      'Go from the node to its father until you reach the root, and count the steps.',
    ],
    [
      'PathCompose',
      /to (?:the )?node (\w+)\./,
      node => `Write the path from the root to node ${node}. Its form is A->D->H.`,
      'Go from the node to its father until you reach the root, and write the nodes in reverse.',
    ],
  ],
  json: listObjectTasks('JSON'),
  yaml: listObjectTasks('YAML'),
  xml: [
    [
      'TextRetrieval',
      /content of tag (\w+)/,
      tag => `What is the content of tag ${tag}? ${excerpt}`,
      'Find where the tag begins and where it ends. The content is between.',
    ],
    [
      'TextRetrieval',
      /tag with (?:an )?attribute of value (\w+)/,
      value => `What is the tag with an attribute of value ${value}?`,
      'Find the value in quotes, and read the name at the beginning of the same tag.',
    ],
    [
      'Syntax',
      /structural error/,
      () => 'Does this XML have a structural error? Answer True or False.',
      'Check that every tag that begins also ends, the last one that began first.',
    ],
  ],
  markdown: listDocumentTasks('Markdown', 'image'),
  latex: listDocumentTasks('LaTeX', 'figure'),
  org: listDocumentTasks('Org', 'image'),
}

/** The 29 tasks, by language and number. */
export const structextTasks: readonly StructextTask[] = structextLanguages.flatMap(language =>
  rows[language].map(([kind, pattern, ask, hint], template) => ({
    language,
    template,
    kind,
    pattern,
    hint,
    ask: (...parameters: readonly string[]) => ask(...parameters),
  })),
)

/** Finds the task that a question belongs to, with the question's parameters; null when it is none of them. */
export function findQuestionTask(
  language: StructextLanguage,
  question: string,
): { readonly task: StructextTask; readonly parameters: readonly (string | undefined)[] } | null {
  for (const task of structextTasks.filter(candidate => candidate.language === language)) {
    const match = task.pattern.exec(question)
    if (match !== null) return { task, parameters: match.slice(1) }
  }
  return null
}
