import type { Deps, Feature } from '../../deps.ts'
import type { Tell } from '../../lib/notices.ts'

const notBuilt = (): never => {
  throw new Error('Not built yet')
}

/** Holds a home's demand below what is agreed: sheds loads in order, and gives them back. */
export const guard = (_deps: Deps, _ports: { tell: Tell }) =>
  ({ handlers: { sheddings: { listShedding: notBuilt } } }) satisfies Feature
