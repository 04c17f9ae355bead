/** A campaign without files and options. */
export const emptyCampaign = {
  runId: 'run',
  config: {},
  distractors: null,
  files: [],
  identity: {},
  plugins: [],
  programs: {},
}
