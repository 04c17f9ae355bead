import type { LossClass } from '../../model/report-rows.ts'

/**
 * Colours of the classes of items, the same in every view: finding is blue, reading is orange, answering is red and
 * purple, and what the agent could not do anything about is grey.
 */
const colours: Readonly<Record<LossClass | 'correct', string>> = {
  correct: '#1f7a5c',
  'not-surfaced': '#17406d',
  'not-opened': '#3a78b8',
  'not-parsed': '#8fbce6',
  'not-retrieved': '#f0a13c',
  'not-in-view': '#f5cf7a',
  'cut-from-window': '#b9701a',
  wrong: '#a63d40',
  'look-alike': '#c4622d',
  invented: '#e0819a',
  'missed-row': '#6d3b7a',
  'not-in-answer': '#b497d6',
  budget: '#2b2d42',
  'cut-output': '#4a5180',
  unreadable: '#5d6168',
  'no-evidence': '#a7adb5',
  unread: '#7d8471',
  'gold-blank': '#c3b8a5',
  unknown: '#d5d9df',
}

/** Returns the colour of a class of items, or null for another name. */
export function pickLossColour(name: string): string | null {
  return Object.hasOwn(colours, name) ? colours[name as LossClass] : null
}
