import type { GoldProblem } from '../../src/core/answer-kind.ts'
import type { Gold } from '../../src/core/gold.ts'
import { canonicalLanguage } from '../../src/core/language.ts'
import type { AnswerKindName } from '../../src/core/metric.ts'
import type { AnswerForm, Evidence, Question, Task } from '../../src/core/task.ts'
import { makeError } from './problem.ts'

/**
 * Checks the questions of a task, the names of its documents, its evidence and its facets. Also checks that
 * every question has a gold of the right kind. Documents are not loaded.
 *
 * @param answerKinds - the kinds of answers that the benchmark declares
 */
export function validateQuestion(task: Task, answerKinds: readonly AnswerKindName[]): GoldProblem[] {
  return [
    ...findEmptyTexts(task.question),
    ...checkDocumentNames(task),
    ...findUnknownEvidence(task),
    ...findBadFacets(task.question),
    ...checkFormsAndGolds(task, answerKinds),
  ]
}

function findEmptyTexts({ taskId, domain, language, query, turns = [] }: Question): GoldProblem[] {
  const texts = { taskId, domain, query }
  const empty = Object.entries(texts).filter(([, text]) => text.trim() === '')
  const emptyTurns = turns.flatMap((turn, at) => (turn.query.trim() === '' ? [at + 2] : []))
  return [
    ...empty.map(([name]) => makeError('invalid-record', `the question's ${name} is empty. Fill it.`)),
    ...emptyTurns.map(turn =>
      makeError('invalid-record', `question ${turn} is empty. Write it or remove it.`),
    ),
    ...(canonicalLanguage(language) === language
      ? []
      : [
          makeError(
            'invalid-record',
            `'${language}' is not a language code. Write one such as en, zh or pt-BR.`,
          ),
        ]),
  ]
}

function checkDocumentNames({ question, documents }: Task): GoldProblem[] {
  const lists = { 'the question': question.documentNames, 'the documents': documents.map(({ name }) => name) }
  return Object.entries(lists).flatMap(([where, names]) => {
    const problems = names.some(name => name.trim() === '')
      ? [
          makeError(
            'invalid-document-name',
            `a document name in ${where} is empty. Write the name or remove it.`,
          ),
        ]
      : []
    const repeated = names.find((name, at) => names.indexOf(name) !== at)
    if (repeated !== undefined)
      problems.push(
        makeError(
          'invalid-document-name',
          `${where} name '${repeated}' twice. Give each document its own name.`,
        ),
      )
    return problems
  })
}

function findUnknownEvidence({ documents, evidence }: Task): GoldProblem[] {
  if (evidence === null) return []
  return findEvidenceProblems(evidence, new Set(documents.map(({ name }) => name))).map(problem =>
    makeError('invalid-evidence', problem),
  )
}

function findEvidenceProblems(evidence: Evidence, names: ReadonlySet<string>): string[] {
  switch (evidence.kind) {
    case 'documents':
      return evidence.names
        .filter(name => !names.has(name))
        .map(name => `the evidence names '${name}', which is not a document of the task. Correct the name.`)
    case 'urls':
      return [
        ...findUnknownPages(evidence.urls, names),
        ...evidence.urls
          .filter(({ url }) => !/^https?:\/\/./i.test(url) || !URL.canParse(url))
          .map(({ url }) => `the evidence names '${url}', which is not an http(s) address. Correct it.`),
      ]
    case 'judgements':
      return evidence.judgements
        .filter(({ documentId, relevance }) => documentId.trim() === '' || !(relevance >= 0))
        .map(
          ({ documentId, relevance }) =>
            `the evidence judges document '${documentId}' with ${relevance}. A judgement has an id and a relevance of 0 or more.`,
        )
  }
}

function findUnknownPages(
  pages: readonly { readonly document?: string }[],
  names: ReadonlySet<string>,
): string[] {
  return pages.flatMap(({ document }) =>
    document === undefined || names.has(document)
      ? []
      : [`the evidence names '${document}', which is not a document of the task. Correct the name.`],
  )
}

/**
 * Checks that facets have option-like names and values that are not empty, because records and options contain them.
 */
function findBadFacets({ facets = {} }: Question): GoldProblem[] {
  return Object.entries(facets).flatMap(([name, value]) => {
    if (name === 'domain')
      return [makeError('invalid-facet', `'domain' is a field of the question. Leave it out of the facets.`)]
    // Every JavaScript object has a `constructor`, so a record with one cannot be read back.
    if (name === 'constructor')
      return [makeError('invalid-facet', `facet 'constructor': this name is reserved. Choose another one.`)]
    if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name))
      return [
        makeError(
          'invalid-facet',
          `facet '${name}': write its name in letters and digits, such as taskType.`,
        ),
      ]
    if (typeof value !== 'string' || value.trim() === '')
      return [
        makeError('invalid-facet', `facet '${name}' has no value. Write a text or leave the facet out.`),
      ]
    return []
  })
}

function checkFormsAndGolds(
  { question, gold, turnGolds = [] }: Task,
  kinds: readonly AnswerKindName[],
): GoldProblem[] {
  const turns = question.turns ?? []
  if (turns.length !== turnGolds.length)
    return [
      makeError(
        'turns-mismatch',
        `there are ${turns.length} further questions and ${turnGolds.length} golds for them. Give each question one gold.`,
      ),
    ]
  const forms = [question.form, ...turns.map(turn => turn.form)]
  return [gold, ...turnGolds].flatMap((turnGold, at) => {
    const problem = describeMismatch(forms[at]!, turnGold, kinds)
    const which = turns.length === 0 ? '' : `question ${at + 1}: `
    return problem === null ? [] : [makeError('kind-mismatch', `${which}${problem}`)]
  })
}

function describeMismatch(form: AnswerForm, gold: Gold, kinds: readonly AnswerKindName[]): string | null {
  if (!kinds.includes(gold.kind))
    return `the gold is of kind ${gold.kind}, and the benchmark declares ${kinds.join(', ')}. Correct its answerKinds.`
  if (form.kind !== gold.kind)
    return `the question asks for an answer of kind ${form.kind}, and its gold is of kind ${gold.kind}. Make both the same.`
  if (form.kind !== 'text' || gold.kind !== 'text' || (form.isList === true) === (gold.items !== undefined))
    return null
  return form.isList === true
    ? 'the question asks for a list, and its gold has no items. Add items, or leave isList out.'
    : 'the gold has items, and the question does not ask for a list. Set isList in its form.'
}
