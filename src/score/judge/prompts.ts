/** Longer texts are cut in a prompt, with a note to the judge. */
const shownChars = 8000

const shortenForPrompt = (text: string): string =>
  text.length > shownChars ? `${text.slice(0, shownChars)}… [cut; ${text.length} characters in all]` : text

const cellRules = `Rate from 0 to 1 how well the answer's cell gives what the reference cell gives:
1. Both give the same information, whatever the wording, spelling or format: 1.
2. The answer has a critical error, or lacks the key fact: 0.
3. The reference is a list: 0.8 x (reference items that the answer has / reference items), never more than 0.8, unless rule 1 holds.
4. Otherwise give partial credit for the part of the information that is right.
5. Both are empty: 1. One is empty and the other is not: 0.`

/** The prompt that asks for the score of one cell. */
export function writeCellPrompt(column: string, gold: string, predicted: string): string {
  return `You compare two cells of the same column of two tables.

${cellRules}

Column: ${column}
<reference>
${shortenForPrompt(gold)}
</reference>
<answer>
${shortenForPrompt(predicted)}
</answer>

Give the score alone, as <score>NUMBER</score>.`
}

/** The prompt that asks for the scores of several cells of one column. */
export function writeCellBatchPrompt(
  column: string,
  pairs: readonly { readonly gold: string; readonly predicted: string }[],
): string {
  const listed = pairs.map(
    ({ gold, predicted }, i) =>
      `<pair number="${i + 1}">\n<reference>\n${shortenForPrompt(gold)}\n</reference>\n<answer>\n${shortenForPrompt(predicted)}\n</answer>\n</pair>`,
  )
  return `You compare pairs of cells of the same column of two tables, each pair on its own.

${cellRules}

Column: ${column}
${listed.join('\n')}

Give one line a pair, in order, and nothing else: <score pair="1">NUMBER</score>`
}

/** The prompt that asks which reference row a row of the answer is about. */
export function writeRowPrompt(
  keyColumns: readonly string[],
  key: string,
  goldKeys: readonly string[],
): string {
  return `A row of an answer table has to be matched with the row of the reference table that is about the same thing.
Key columns: ${keyColumns.join(', ')}
Key of the answer's row: ${shortenForPrompt(key)}
Keys of the reference rows:
${goldKeys.map(goldKey => `- ${shortenForPrompt(goldKey)}`).join('\n')}

If one of them names the same thing, give it exactly as listed; if none does, or you can't tell, give none.
Answer with <output>KEY</output> or <output>none</output>.`
}

/** The prompt that asks which column of the answer belongs to which column of the reference. */
export function writeColumnPrompt(
  goldColumns: readonly string[],
  predictedColumns: readonly string[],
): string {
  return `Two tables name their columns differently. For each column of the reference table, find the column of the answer table that holds the same field.
Reference columns: ${JSON.stringify(goldColumns)}
Answer columns: ${JSON.stringify(predictedColumns)}

Answer with one JSON object and nothing else: each reference column as a key, and as its value the answer column exactly as written, or null where there is none. Use no answer column twice.`
}

/**
 * The prompt that asks for the answer's table under the reference's header (the first step of AOE's published
 * scorer).
 */
export function writeRewritePrompt(answerCsv: string, goldHeader: readonly string[]): string {
  return `Rewrite a table under another header. Keep every row, in order, and every value as it is; change only the columns: put each value under the column of the new header that means the same, leave out what has no place there, and leave a column empty where the table has nothing for it.
New header: ${goldHeader.join(',')}
Table:
\`\`\`csv
${answerCsv}
\`\`\`

Answer with the rewritten table alone, as one fenced csv block that begins with the new header.`
}

/** The prompt that asks for the four overall scores. */
export function writeOverallPrompt(query: string, goldCsv: string, answer: string): string {
  return `Rate how well an answer table serves a query, beside a reference table, in four whole numbers from 0 to 100:
1. intent: does the table answer what was asked?
2. schema: are its columns those that the query needs, well named and complete?
3. content: are its values right and complete, beside the reference?
4. format: is it one well-formed CSV table with consistent values?

<query>
${shortenForPrompt(query)}
</query>
<reference>
${goldCsv.slice(0, 60_000)}
</reference>
<answer>
${answer.slice(0, 60_000)}
</answer>

Answer with <score1>N</score1><score2>N</score2><score3>N</score3><score4>N</score4> and nothing else.`
}
