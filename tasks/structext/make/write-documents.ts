import type { Random } from '../../../src/core/runtime.ts'
import type { GeneratedText } from './generated-text.ts'
import { lowerCase, nameSeries, paragraphWords, pick, pickNumber } from './names.ts'
import { buildTree, countTreeNodes, listNodes, type StructextShape } from './tree.ts'

type DocumentLanguage = 'markdown' | 'latex' | 'org'

const latexHeadings = ['section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']
/** The deepest level for which LaTeX has a heading. */
export const deepestLatexLevel = latexHeadings.length

const imageTypes = ['jpg', 'jpeg', 'png', 'gif']

const marks: Readonly<
  Record<
    DocumentLanguage,
    {
      heading(name: string, level: number): string
      bold(text: string): string
      image(file: string): string
    }
  >
> = {
  markdown: {
    heading: (name, level) => `${'#'.repeat(level)} ${name}`,
    bold: text => `**${text}**`,
    image: file => `![alt](${file} "hover text")`,
  },
  latex: {
    heading: (name, level) => `\\${latexHeadings[level - 1]}{${name}}`,
    bold: text => `\\textbf{${text}}`,
    image: file => `\\includegraphics[width=0.5\\textwidth]{${file}}`,
  },
  org: {
    heading: (name, level) => `${'*'.repeat(level)} ${name}`,
    bold: text => `*${text}*`,
    image: file => `[[${file}]]`,
  },
}

/** The deepest level of which a question can name the sections. */
const deepestSection = 3

/** Writes a document with headings and paragraphs, with the questions about it. */
export function writeDocument(
  language: DocumentLanguage,
  shape: StructextShape,
  random: Random,
): GeneratedText {
  const root = buildTree(shape, nameSeries(lowerCase, pickNumber(random, 0, 25)))
  const paragraph = writeParagraphs(language, shape, random)
  const lines = listNodes(root).flatMap(({ name, level }) => [
    level === 0 ? name : marks[language].heading(name, level),
    paragraph(),
  ])
  const sections = listNodes(root).filter(({ level }) => level > 0 && level <= deepestSection)
  return {
    reference: lines.join('\n'),
    damaged: null,
    parameters: [[], pick(random, sections).path.map(String), []],
  }
}

/** Returns a function that writes the next paragraph: half of them with a bold text, half with an image. */
function writeParagraphs(language: DocumentLanguage, shape: StructextShape, random: Random): () => string {
  const nextText = nameSeries(paragraphWords, writeFirstParagraph(shape, random), ' ')
  const nextBold = nameSeries(paragraphWords, pickNumber(random, 0, 25), ' ')
  const nextImage = nameSeries(lowerCase, pickNumber(random, 100, 250))
  return () => {
    const text = nextText()
    const inserts = [
      ...(random() < 0.5 ? [marks[language].bold(nextBold())] : []),
      ...(random() < 0.5 ? [marks[language].image(`${nextImage()}.${pick(random, imageTypes)}`)] : []),
    ]
    return insertAt(text, inserts, random)
  }
}

/** The least number of a paragraph. It has three words. */
const leastParagraph = 1_700

/** Picks the number of the first paragraph. Its digits are the words; the paragraphs below it have the next numbers. */
function writeFirstParagraph(shape: StructextShape, random: Random): bigint {
  const { depth, words } = shape
  const digits = Array.from({ length: depth * words }, () => BigInt(pickNumber(random, 0, 25)))
  const value = digits.reduce((sum, digit) => sum * 26n + digit, 0n)
  const places = 26n ** BigInt(digits.length) - BigInt(leastParagraph + countTreeNodes(shape))
  return BigInt(leastParagraph) + (value % places)
}

/** Inserts marked texts at different places of a paragraph, none inside another. */
function insertAt(text: string, inserts: readonly string[], random: Random): string {
  const places = inserts.map(insert => ({ insert, place: pickNumber(random, 0, text.length - 1) }))
  return places
    .sort((a, b) => b.place - a.place)
    .reduce((whole, { insert, place }) => whole.slice(0, place) + insert + whole.slice(place), text)
}
