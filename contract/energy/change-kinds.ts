/** Kinds of explanation rows, in the order of computation. */
export const CHANGE_KINDS = ['coverage', 'calendar', 'weather', 'line', 'flow', 'demand', 'prices'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** State of a line: present in both periods, only now, or only then; or its meters were in another line. */
export const LINE_STATES = ['changed', 'new', 'removed', 'moved'] as const
export type LineState = (typeof LINE_STATES)[number]
