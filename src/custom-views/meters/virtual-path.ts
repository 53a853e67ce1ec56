import { pathTo } from '../../navigation/paths.ts'

/** Where the energy of a virtual meter is shown over time. */
export const pathOfVirtual = (HomeID: string, id: string): string =>
  `${pathTo('Electricity', { HomeID })}?range=month&meters=${encodeURIComponent(id)}`
