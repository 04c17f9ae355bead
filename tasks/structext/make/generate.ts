import { type Random, seededRandom } from '../../../src/core/runtime.ts'
import { seedFromText } from '../../../src/system/hash.ts'
import type { StructextSample } from '../load.ts'
import { solveStructext } from '../solve.ts'
import type { StructextLanguage, StructextTask, StructextTaskKind } from '../task-table.ts'
import { structextTasks } from '../task-table.ts'
import type { GeneratedText } from './generated-text.ts'
import type { StructextShape } from './tree.ts'
import { writeDocument } from './write-documents.ts'
import { writeObjects, writeXml } from './write-objects.ts'
import { writeTables, writeTree } from './write-tables.ts'

/** What to generate. */
export interface StructextSpec extends Omit<StructextShape, 'depth' | 'width'> {
  readonly languages: readonly StructextLanguage[]
  readonly tasks: readonly StructextTaskKind[]
  readonly depths: readonly number[]
  readonly widths: readonly number[]
  /** The solved examples of each sample. */
  readonly shots: number
  /** The texts for each language, depth and width. */
  readonly count: number
  readonly seed: number
}

/** A generated sample with its id. */
export type MadeSample = StructextSample & { readonly id: string }

/**
 * Generates samples of StrucText-Eval. Each text has one question of each task of its language. The gold is what the
 * solvers read from the text. The same spec generates the same samples.
 */
export function* makeStructext(spec: StructextSpec): Generator<MadeSample> {
  for (const language of spec.languages) {
    const tasks = structextTasks.filter(task => task.language === language && spec.tasks.includes(task.kind))
    for (const depth of spec.depths)
      for (const width of spec.widths) {
        const shape = { ...spec, depth, width }
        for (let number = 1; number <= spec.count; number++)
          for (const task of tasks) yield makeSample(task, shape, number, spec)
      }
  }
}

function makeSample(
  task: StructextTask,
  shape: StructextShape,
  number: number,
  { seed, shots }: StructextSpec,
): MadeSample {
  const { language, template } = task
  const size = `${language}_d${shape.depth}_w${shape.width}`
  const sample = askTask(task, writeText(language, shape, `${seed} ${size} ${number}`))
  const texts = new Set([sample.Reference])
  const examples: StructextSample['examples'] = []
  // Small texts repeat. An example about the same text would show the answer.
  for (let draw = 0; examples.length < shots; draw++) {
    const example = askTask(
      task,
      writeText(language, shape, `${seed} ${size} example ${template} ${number} ${draw}`),
    )
    if (texts.has(example.Reference)) continue
    texts.add(example.Reference)
    examples.push(example)
  }
  return {
    id: `${size}_${number}_${template}`,
    ...sample,
    RuleHint: task.hint,
    Label: { typename: language, node_number: shape.depth, n_ary_ratio: shape.width / shape.depth },
    examples,
  }
}

/** Writes the question of one task about a text, with the answer of the solver. */
function askTask(task: StructextTask, { reference, damaged, parameters }: GeneratedText) {
  const text = damaged?.template === task.template ? damaged.text : reference
  const Question = task.ask(...parameters[task.template]!)
  const Answer = solveStructext(task.language, Question, text)
  if (Answer === null) throw new RangeError(`no answer to '${Question}' in a generated text`)
  return { Question, Answer, Reference: text }
}

function writeText(language: StructextLanguage, shape: StructextShape, seed: string): GeneratedText {
  const random: Random = seededRandom(seedFromText(seed))
  if (language === 'csv') return writeTables(shape, random)
  if (language === 'tree') return writeTree(shape, random)
  if (language === 'xml') return writeXml(shape, random)
  if (language === 'json' || language === 'yaml') return writeObjects(language, shape, random)
  return writeDocument(language, shape, random)
}
