import { describeField } from '../../data/failure.ts'

/** A change that was refused at some of its fields; `path` ends with what is wrong there, e.g. the minutes left out. */
export interface Fault {
  path: string
  text: string
}

/** Refused fields (`useAction`), worded. */
export const faultsOf = (refused: Readonly<Record<string, string>>): Fault[] =>
  Object.entries(refused).map(([path, reason]) => ({ path, text: describeField(reason, path) }))
