/**
 * The arguments that pylatexenc 2.10 (MIT licence) reads after the macros it knows: `*` an optional star, `[` an optional
 * argument in brackets, `{` one expression. It reads none after other macros.
 */
const namesByArguments: Readonly<Record<string, string>> = {
  '[{': 'documentclass usepackage RequirePackage selectlanguage includegraphics footnote hphantom vphantom sqrt xleftarrow xrightarrow color pagecolor pdfloesung pdfsolution',
  '[{{': 'setlength addlength setcounter addcounter textcolor colorbox',
  '*{[[{': 'newcommand renewcommand providecommand',
  '*{[[{{': 'newenvironment renewenvironment provideenvironment',
  '*{{': 'DeclareMathOperator',
  '*{': 'hspace vspace',
  '{': 'mbox title author date input include bibliography emph textrm textit textbf textmd textsc textsf textsl texttt textup text mathrm mathbb mathbf mathit mathsf mathtt mathcal mathscr mathfrak label ref autoref cref Cref eqref url hypersetup keywords \' ` " c ^ ~ H k = b . d r u v ensuremath not vec dot hat check breve acute grave tilde bar ddot overline underline widehat widetilde wideparen overleftarrow overrightarrow overleftrightarrow underleftarrow underrightarrow underleftrightarrow overbrace underbrace overgroup undergroup overbracket underbracket overlinesegment underlinesegment overleftharpoon overrightharpoon ket bra citetext citenum UebungLoesungFont UebungHinweisFont UebungExTitleFont UebungSubExTitleFont UebungTipsFont UebungLabel UebungSubLabel UebungLabelEnum UebungLabelEnumSub UebungSolLabel UebungHinweisLabel UebungHinweiseLabel UebungSolEquationLabel UebungTipsLabel UebungTipsEquationLabel UebungsblattTitleSeries UebungsblattTitleSolutions UebungsblattTitleTips UebungsblattNumber UebungsblattTitleFont UebungTitleCenterVSpacing UebungAttachedSolutionTitleTop UebungAttachedSolutionTitleFont UebungAttachedSolutionTitle UebungTextAttachedSolution UebungDueByLabel UebungDueBy UebungLecture UebungProf UebungLecturer UebungSemester UebungLogoFile UebungLanguage UebungStyle subuebung subexercise exenumfulllabel hint hints hinweis hinweise',
  // The brackets after `\\` must follow at once; the reader checks that.
  '*[': '\\',
  '[': 'item',
  '*[{': 'chapter section subsection subsubsection pagagraph subparagraph',
  '{{': 'frac nicefrac braket ketbra texorpdfstring defcitealias',
  '[{{{': 'definecolor providecolor',
  '[{[{': 'colorlet',
  '[{[{{': 'fcolorbox',
  '{{{': 'boxframe',
  '*[{{{': 'rowcolors',
  '*[[{': 'cite citet citep citealt citealp citeauthor Citet Citep Citealt Citealp Citeauthor',
  '[[{': 'citefullauthor citeyear citeyearpar citetalias citepalias',
  '{[': 'uebung exercise',
}

const argumentsByName: ReadonlyMap<string, string> = new Map(
  Object.entries(namesByArguments).flatMap(([spec, names]) =>
    names.split(' ').map(name => [name, spec] as const),
  ),
)

/** Returns the arguments that a macro takes, one character each; '' when it takes none. */
export const findMacroArguments = (name: string): string => argumentsByName.get(name) ?? ''

const optionalFirst =
  /^(?:figure\*?|table\*?|theorem|proposition|lemma|corollary|definition|conjecture|remark|proof|thm|prop|lem|cor|conj|rem|defn|enumerate|itemize|description)$/

const argumentsByEnvironment: Readonly<Record<string, string>> = {
  tabular: '{',
  'tabular*': '{{',
  tabularx: '{[{',
  array: '[{',
  alignat: '{',
  'alignat*': '{',
}

/** Returns the arguments that an environment takes. */
export function findEnvironmentArguments(name: string): string {
  if (optionalFirst.test(name)) return '['
  return Object.hasOwn(argumentsByEnvironment, name) ? argumentsByEnvironment[name]! : ''
}

/** Whether the content of an environment is mathematics. */
export const isMathEnvironment = (name: string): boolean =>
  /^(?:(?:equation|eqnarray|align|gather|flalign|multline|alignat)\*?|split)$/.test(name)
