import { describeField } from '../../data/failure.ts'

/** Error at a field; `path` ends with its place there, e.g. the uncovered minutes. */
export interface Fault {
  path: string
  text: string
}

/** Rejected fields of `useAction`, in words. */
export const faultsOf = (refused: Readonly<Record<string, string>>): Fault[] =>
  Object.entries(refused).map(([path, reason]) => ({ path, text: describeField(reason, path) }))
